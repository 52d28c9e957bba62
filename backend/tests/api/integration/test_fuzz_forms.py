"""Any input to a form gets one of our replies, quickly, and leaves only the data of a lead behind.

`make fuzz-forms` draws a hundred thousand bodies, `make test` a few hundred, and fewer on PostgreSQL.
"""

import gc
import os
import secrets
import string
import time
from pathlib import Path
from typing import Any, Final

import pytest
from django.db import connection
from django.test import Client
from hypothesis import HealthCheck, example, given, seed, settings
from hypothesis import strategies as st
from pytest_django import Settings

from portolan.domain.client_limits import ClientLimits
from portolan.leads.models import Lead, LeadFile

from ...leads.conftest import BOUNDARY, FORM, GOOD_FILES, PDF, ZIP, archive, encode, stored_files
from .conftest import FORM_DATA, HOSTS

EXAMPLES: Final = int(os.environ.get("PORTOLAN_FUZZ_FORMS", "200"))
ANSWERS: Final = {201, 400, 413, 415, 422}
PART: Final = 1_000
"""Number of inputs that one test draws. Each part of the long form has its own seed. More would be
slow: all leftovers are searched after each input, and all drawn inputs are kept.
"""
SLOWEST_S: Final = 2.0
"""Processor time, so that a busy machine causes no failure."""

KEYS: Final = [
    *FORM,
    *("attachments", "attachments[0]", "attachments[1]", "attachments[4]", "attachments[51]", "attachments[0][x]"),
    *(
        "__proto__",
        "__proto__[x]",
        "constructor[prototype]",
        "__class__",
        "model_config",
        "model_fields",
        "__dict__[x]",
    ),
    *(
        "a",
        "a[b]",
        "a[0]",
        "a[1]",
        "a[b][c][d][e]",
        "a" + "[b]" * 50,
        "a[999999999]",
        "a[" + "9" * 150 + "]",
        "a[-1]",
        "a[٣]",
    ),
    *(
        "",
        "[",
        "]",
        "[]",
        "a[]",
        "a[[b]]",
        "a]b[",
        "\u202e",
        "a\u0000b",
        "x" * 300,
        "services[0]",
        "team[0][count]",
        "price",
    ),
    *(
        "price[from]",
        "months",
        "step",
        "country",
        "adClick[type]",
        "website",
        "submissionId",
        "form",
        "contact",
        "_charset_",
    ),
]
VALUES: Final = [
    *("", " ", "true", "false", "1", "-1", "1e999", "nan", "Infinity", "9" * 400, "null", "[]", "{}", "no-token"),
    *(
        "a\u0000b",
        "a\r\nb",
        "\ud7ff",
        "\U0010ffff",
        "\u202e",
        "x" * 10_000,
        "x" * 10_001,
        "\x1b[31m",
        "'; DROP TABLE leads",
        "${jndi:x}",
    ),
    *(
        "http://",
        "http://[",
        "http://localhost:99999/",
        "https://brightmoor.example/",
        "javascript:alert(1)",
        "//localhost/",
    ),
    *(
        "a@b.example",
        "@",
        "a@" + "b." * 150 + "example",
        "ü@ü.example",
        '"a"@b.example',
        "a@[::1]",
        "xn--@xn--.example",
    ),
]
NAMES: Final = [
    *GOOD_FILES,
    *(
        "../../x",
        "C:\\x",
        "x\u0000.pdf",
        ".htaccess",
        "x" * 300,
        "x" * 300 + ".pdf",
        "cv\u202efdp.exe",
        "",
        ".",
        "..",
        "/",
        "cv.pdf/",
    ),
    *(
        "cv.svg",
        "cv.html",
        "CON",
        "NUL.txt",
        "cv.PDF",
        "a%00.pdf",
        'a";b="c.pdf',
        "файл.txt",
        "ملف.zip",
        "🜏.png",
        "~/.ssh/x.txt",
    ),
]
EICAR: Final = rb"X5O!P%@AP[4\PZX54(P^)7CC)7}$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*"
CONTENTS: Final = [
    *GOOD_FILES.values(),
    *(
        b"",
        b"\0",
        b"MZ",
        EICAR,
        PDF + b"<script>alert(1)</script>",
        b"<svg onload=alert(1)>",
        b"%PDF-",
        b"PK\x03\x04",
        b"PK\x05\x06",
    ),
    archive({"zeros": bytes(8 << 20)}),
    archive({"../../x": b"a"}),
    archive(
        {
            "[Content_Types].xml": b'<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
            "word/document.xml": b"",
        }
    ),
    archive({"inner.zip": archive({"inner.zip": ZIP})}),
    b"x" * (10 << 20),
]
HEADS: Final = [
    "",
    "Content-Type: text/plain; charset=utf-16\r\n",
    "Content-Type: text/plain; charset=klingon\r\n",
    "Content-Transfer-Encoding: base64\r\n",
    "Content-Transfer-Encoding: \r\n",
    "Content-Length: 5\r\n",
    "Content-Length: -1\r\n",
    "Content-Disposition: form-data; name=again\r\n",
    "X: " + "y" * 5000 + "\r\n",
    "X: y\r\n" * 20,
    " folded: header\r\n",
    ": \r\n",
    "no colon\r\n",
]

texts = st.text(st.characters(exclude_categories=("Cs",)), max_size=30)


@st.composite
def parts(draw: st.DrawFn) -> bytes:
    """One part: mostly as a browser makes it, sometimes not."""
    key = draw(st.sampled_from(KEYS) | texts)
    parameters = draw(
        st.sampled_from(
            [
                'form-data; name="{key}"',
                "form-data; name={key}",
                "form-data",
                "attachment; name=x",
                'form-data; NAME="{key}";;=',
            ]
        )
        if draw(st.booleans()) and draw(st.booleans())
        else st.just('form-data; name="{key}"')
    ).replace("{key}", key)
    if draw(st.booleans()):
        name = draw(st.sampled_from(NAMES) | texts)
        parameters += draw(
            st.sampled_from([f'; filename="{name}"', f"; filename={name}", f"; filename*=utf-8''{name}"])
        )
        content = draw(st.sampled_from(CONTENTS) | st.binary(max_size=200))
    else:
        content = draw(st.sampled_from(VALUES) | texts).encode()
        if draw(st.integers(0, 9)) == 0:
            content = draw(st.binary(max_size=100))
    head = f"Content-Disposition: {parameters}\r\n" + draw(
        st.sampled_from(HEADS) if draw(st.integers(0, 5)) == 0 else st.just("")
    )
    return head.encode() + b"\r\n" + content


@st.composite
def bodies(draw: st.DrawFn) -> bytes:
    """A whole form with parts added, then damaged here and there."""
    good = [encode({key: value}).partition(b"\r\n")[2].rpartition(b"\r\n--")[0] for key, value in FORM.items()]
    chosen = [
        *(good if draw(st.booleans()) else draw(st.lists(st.sampled_from(good)))),
        *draw(st.lists(parts(), max_size=7)),
    ]
    mark = b"--" + BOUNDARY.encode()
    body = b"".join(mark + b"\r\n" + part + b"\r\n" for part in chosen) + mark + b"--\r\n"
    for _ in range(draw(st.sampled_from([0, 0, 0, 1, 2, 4]))):
        at = draw(st.integers(0, len(body)))
        until = min(len(body), at + draw(st.integers(0, 40)))
        match draw(st.integers(0, 5)):
            case 0:
                body = body[:at]
            case 1:
                body = body[:at] + body[until:]
            case 2:
                body = body[:at] + draw(st.binary(max_size=20)) + body[until:]
            case 3:
                body = body[:at] + mark + draw(st.sampled_from([b"", b"--", b"\r\n", b"\n"])) + body[at:]
            case 4:
                body = body.replace(b"\r\n", b"\n", draw(st.integers(1, 20)))
            case _:
                body = draw(st.sampled_from([b"\r\n", b"preamble\r\n", b"x" * 70_000])) + body
    return body


content_types = st.sampled_from([f"multipart/form-data; boundary={BOUNDARY}"] * 12) | st.sampled_from(
    [
        "multipart/form-data",
        "multipart/form-data; boundary=",
        'multipart/form-data; boundary="' + BOUNDARY,
        f'multipart/form-data; boundary="{BOUNDARY}"; boundary=other',
        f"multipart/form-data; boundary={'b' * 80}",
        f"multipart/form-data; boundary*=utf-8''{BOUNDARY}",
        f"multipart/form-data; charset=utf-16; boundary={BOUNDARY}",
        f"Multipart/Form-Data; Boundary={BOUNDARY}",
        f"multipart/form-data; boundary={BOUNDARY}" + ";" * 5000,
        "multipart/form-data; boundary=\u00e4",
        "application/x-www-form-urlencoded",
        "\0",
        "",
    ]
)
keys = st.sampled_from([None, None, "k", "x" * 300, "\u00e4\u00ff", " ", "a,b"]) | st.text(
    string.printable, max_size=20
)


pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("unlimited")]


@pytest.fixture
def unlimited(settings: Settings) -> None:
    settings.CLIENT_LIMITS = ClientLimits(0, 0, 0, 0)


@pytest.mark.postgres  # it refuses NUL, long texts and large numbers that SQLite takes
@pytest.mark.parametrize("part", range(-(-EXAMPLES // PART)))
def test_any_body_is_answered_and_leaves_nothing(part: int, client: Client, tmp_path: Path) -> None:
    examples = min(PART, EXAMPLES - part * PART)

    @settings(
        max_examples=examples if connection.vendor == "sqlite" else -(-examples // 5),
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    @example(body=encode(FORM), content_type=f"multipart/form-data; boundary={BOUNDARY}", key=None, length=None)
    @example(body=b"", content_type="", key=None, length="abc")
    @given(
        body=bodies(),
        content_type=content_types,
        key=keys,
        length=st.sampled_from([None, None, None, "0", "1e9", "9" * 30]),
    )
    def send(body: bytes, content_type: str, key: str | None, length: str | None) -> None:
        check_answer(client, tmp_path, body, content_type, key, length)

    (send if EXAMPLES <= PART else seed(secrets.randbits(64))(send))()


def check_answer(
    client: Client, tmp_path: Path, body: bytes, content_type: str, key: str | None, length: str | None
) -> None:
    extra: dict[str, Any] = {} if length is None else {"CONTENT_LENGTH": length}
    headers = {"Host": HOSTS["en"], "Integration": "site", **({} if key is None else {"Idempotency-Key": key})}
    gc.disable()  # the drawn inputs are a large heap, and collecting it takes seconds unrelated to the requests
    try:
        began = time.thread_time()
        reply = client.generic("POST", FORM_DATA, body, content_type, headers=headers, **extra)
        took_s = time.thread_time() - began
    finally:
        gc.enable()
    assert took_s < SLOWEST_S
    assert reply.status_code in ANSWERS, reply.content
    assert b"Traceback" not in reply.content
    if reply.status_code != 201:
        assert reply["Content-Type"] == "application/problem+json"
    leads = tmp_path / "leads"
    assert [path for path in tmp_path.iterdir() if path != leads] == []
    assert not (leads / "incoming").exists() or list((leads / "incoming").iterdir()) == []
    assert len(stored_files(leads)) == LeadFile.objects.count()


def test_what_is_drawn_reaches_every_answer(client: Client) -> None:
    """Otherwise the test above would prove little."""
    seen: set[int] = set()

    @_seldom
    @given(body=bodies(), content_type=content_types)
    def send(body: bytes, content_type: str) -> None:
        headers = {"Host": HOSTS["en"], "Integration": "site"}
        seen.add(client.generic("POST", FORM_DATA, body, content_type, headers=headers).status_code)

    send()
    assert seen >= {201, 400, 415, 422}
    assert Lead.objects.exists()


_seldom = settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
