import hashlib
import time
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

import pytest

from portolan.leads.body import LARGEST_BODY, LARGEST_FILE, Received, read_body
from portolan.leads.file_store import FileStore
from portolan.leads.refusals import LeadRefused

from .conftest import BOUNDARY, PDF, encode, stored_files


@contextmanager
def reading(body: bytes, folder: Path, boundary: str | None = BOUNDARY) -> Iterator[Received]:
    with FileStore(folder).receive() as incoming:
        yield read_body(BytesIO(body).read, boundary, incoming)


def refusal(body: bytes, folder: Path, boundary: str | None = BOUNDARY) -> LeadRefused:
    with pytest.raises(LeadRefused) as refused, reading(body, folder, boundary):
        pass
    assert stored_files(folder) == []
    return refused.value


def part(head: str, content: bytes = b"a") -> bytes:
    return f"--{BOUNDARY}\r\n{head}\r\n\r\n".encode() + content + f"\r\n--{BOUNDARY}--\r\n".encode()


def test_fields_and_files_come_apart(tmp_path: Path) -> None:
    with reading(encode({"a": "1", "b[c]": "Ä\r\n2"}, [("attachments[0]", "cv.pdf", PDF)]), tmp_path) as received:
        assert received.fields == [("a", "1"), ("b[c]", "Ä\r\n2")]
        (file,) = received.files
        assert (file.field, file.name, file.size) == ("attachments[0]", "cv.pdf", len(PDF))
        assert file.sha256 == hashlib.sha256(PDF).hexdigest()
        assert file.path.read_bytes() == PDF
        assert file.path.stat().st_mode & 0o777 == 0o600
        assert file.path.parent.stat().st_mode & 0o777 == 0o700
        assert "cv" not in str(file.path.relative_to(tmp_path))
    assert stored_files(tmp_path) == []


def test_a_file_input_that_was_left_empty_is_no_file(tmp_path: Path) -> None:
    with reading(encode({"a": "1"}, [("attachments[0]", "", b"")]), tmp_path) as received:
        assert received.files == []
        assert stored_files(tmp_path) == []


def test_the_end_of_the_body_may_fall_anywhere(tmp_path: Path) -> None:
    body = encode({"a": "x" * 9000}, [("attachments[0]", "cv.pdf", PDF * 2000)])
    for size in (1, 7, 64 << 10):
        stream = BytesIO(body)
        with FileStore(tmp_path).receive() as incoming:
            received = read_body(lambda _, n=size, s=stream: s.read(n), BOUNDARY, incoming)
            assert received.files[0].sha256 == hashlib.sha256(PDF * 2000).hexdigest()
        if size == 1:
            body = encode({"a": "x"}, [("attachments[0]", "cv.pdf", PDF * 2000)])


@pytest.mark.parametrize(
    "boundary",
    [None, "", " ", "a ", "x" * 71, "a\nb", 'a"b', "ä", "a\0b", "a;b"],
)
def test_a_boundary_nobody_can_look_for_is_refused(boundary: str | None, tmp_path: Path) -> None:
    assert refusal(encode({"a": "1"}), tmp_path, boundary).code == "no-multipart"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{}",
        b"a=1&b=2",
        b"\0" * 100_000,
        encode({"a": "1"})[:-6],
        encode({"a": "1"}, [("attachments[0]", "cv.pdf", PDF)])[:-20],
        encode({"a": "1"}).replace(b"\r\n", b"\n"),
        b"--" + BOUNDARY.encode() + b"x\r\n",
        part("Content-Type: text/plain"),
        part("Content-Disposition: attachment; name=a"),
        part("Content-Disposition form-data"),
        part('Content-Disposition: form-data; name="a"\r\n' + "X: y\r\n" * 20 + "X: y"),
        part(f'Content-Disposition: form-data; name="{"a" * 5000}"'),
        part('Content-Disposition: form-data; name="a"\r\nContent-Length: 99'),
        b"--"
        + BOUNDARY.encode()
        + b'\r\nContent-Disposition: form-data; name="\xff"\r\n\r\na\r\n--'
        + BOUNDARY.encode()
        + b"--",
    ],
)
def test_a_malformed_body_is_refused(body: bytes, tmp_path: Path) -> None:
    began = time.thread_time()
    assert refusal(body, tmp_path).code == "malformed-body"
    assert time.thread_time() - began < 1


@pytest.mark.parametrize(
    "body", [b"x" * (10 << 20) + b"\r\n" + encode({"a": "1"}), encode({"a": "1"}) + b"x" * (10 << 20)]
)
def test_megabytes_around_the_parts_are_passed_over(body: bytes, tmp_path: Path) -> None:
    began = time.thread_time()
    with reading(body, tmp_path) as received:
        assert received.fields == [("a", "1")]
    assert time.thread_time() - began < 1


@pytest.mark.parametrize(
    ("body", "field", "reason"),
    [
        (encode({"message": "ä" * 10_001}), "message", "longer than 10000 characters"),
        (encode({"message": "x" * (9 << 20)}), "message", "longer than 10000 characters"),
        (encode({"message": "x" * (12 << 20)}), "message", "longer than 10000 characters"),
        (encode([(f"f{number}", "1") for number in range(201)]), "f200", "one field too many"),
        (encode([(f"f{number}", "1") for number in range(10_001)]), "f200", "one field too many"),
        (encode({}, [(f"attachments[{n}]", "a.txt", b"a") for n in range(6)]), "attachments[5]", "one file too many"),
        (encode({"message": "a\0b"}), "message", "NUL"),
        (part('Content-Disposition: form-data; name="a"', b"\xff\xfe"), "a", "not in UTF-8"),
        (
            part('Content-Disposition: form-data; name="a"\r\nContent-Type: text/plain; charset=utf-16'),
            "a",
            "not in UTF-8",
        ),
        (
            part(
                'Content-Disposition: form-data; name="a"\r\nContent-Transfer-Encoding: base64',
                b"YQ==" + b" " * 5_000_000,
            ),
            "a",
            "has an encoding",
        ),
    ],
)
def test_a_value_that_does_not_fit_is_named(body: bytes, field: str, reason: str, tmp_path: Path) -> None:
    began = time.thread_time()
    refused = refusal(body, tmp_path)
    assert time.thread_time() - began < 1
    assert refused.code == "invalid-value"
    (error,) = refused.errors
    assert error.field == field
    assert reason in error.message


def test_ten_thousand_characters_are_a_field_in_any_alphabet(tmp_path: Path) -> None:
    with reading(encode({"message": "𝄞" * 10_000}), tmp_path) as received:
        assert len(received.fields[0][1]) == 10_000


def test_a_file_of_ten_mebibytes_is_taken_and_a_byte_more_is_not(tmp_path: Path) -> None:
    with reading(encode({}, [("attachments[0]", "a.txt", b"a" * LARGEST_FILE)]), tmp_path) as received:
        assert received.files[0].size == LARGEST_FILE
    refused = refusal(encode({}, [("attachments[0]", "a.txt", b"a" * (LARGEST_FILE + 1))]), tmp_path)
    assert refused.code == "file-too-large"
    assert refused.errors[0].field == "attachments[0]"


def test_a_body_that_does_not_end_is_broken_off(tmp_path: Path) -> None:
    given = 0
    start = encode({"a": "1"})

    def endless(size: int) -> bytes:
        nonlocal given
        piece = start if not given else b"x" * size
        given += len(piece)
        return piece

    with pytest.raises(LeadRefused) as refused, FileStore(tmp_path).receive() as incoming:
        read_body(endless, BOUNDARY, incoming)
    assert refused.value.code == "body-too-large"
    assert given < LARGEST_BODY + (1 << 20)


def test_a_name_in_another_charset_is_no_name(tmp_path: Path) -> None:
    body = part("Content-Disposition: form-data; name=\"attachments[0]\"; filename*=klingon'x'%ff%fe")
    with reading(body, tmp_path) as received:  # RFC 7578 has no such parameter
        assert received == Received([("attachments[0]", "a")], [])


def test_no_error_tells_what_was_sent(tmp_path: Path) -> None:
    for body in (encode({"a": "CANARY\0"}), encode({"a": "CANARY" * 9000}), encode({"a": "CANARY"})[:-9]):
        refused = refusal(body, tmp_path)
        assert "CANARY" not in repr(refused) + repr(refused.errors) + repr(refused.__context__)
