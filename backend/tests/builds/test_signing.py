"""Manifests signed by the publisher's key: which are accepted and refused. Without keys, the check is skipped."""

from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)

from portolan.builds.manifest import (
    BuildError,
    Manifest,
    list_builds,
    manifest_path,
    read_manifest,
    sign_manifest,
    write_manifest,
)
from portolan.builds.signing import NO_KEYS, KeyFileError, Keys, load_keys

from .conftest import START, put_files

OURS, THEIRS = Ed25519PrivateKey.generate(), Ed25519PrivateKey.generate()
PUBLISHER, EDGE = Keys(OURS), Keys(trusted=[OURS.public_key()])


def write(
    root: Path, name: str, keys: Keys, parent: Manifest | None = None, text: str = "home", site: str = "en"
) -> Manifest:
    manifest = Manifest(
        site=site,
        build=name,
        release=1,
        web="web",
        created=START.isoformat(),
        html_headers={"content-security-policy": "default-src 'self'"},
        files=put_files(root, {"/": text, "/about-us": "about"}),
    )
    return write_manifest(root, manifest, parent, keys=keys)


def test_what_the_publisher_signed_is_read(root: Path) -> None:
    first = write(root, "a", PUBLISHER)
    write(root, "b", PUBLISHER, first, "home 2")
    for keys in (EDGE, PUBLISHER, NO_KEYS):
        assert read_manifest(root, "en", "b", keys=keys).files["/"].size == 6
    assert [head.build for head in list_builds(root, "en")] == ["b", "a"]


@pytest.mark.parametrize(
    ("forge", "said"),
    [
        (lambda data: data.replace(b"'self'", b"'none'"), "head has changed"),
        (lambda data: data.replace(b'"release":1', b'"release":2'), "head has changed"),
        (lambda data: data.replace(b'"/about-us"', b'"/about-me"'), "list of files has changed"),
        (lambda data: data.replace(b'"signature"', b'"signaturf"'), "not signed"),
        (
            lambda data: data.replace(PUBLISHER.names[0].encode(), Keys(THEIRS).names[0].encode()),
            "not a trusted key",
        ),
    ],
)
def test_what_was_changed_afterwards_is_refused(root: Path, forge: object, said: str) -> None:
    write(root, "a", PUBLISHER)
    path = manifest_path(root, "en", "a")
    data = path.read_bytes()
    path.write_bytes(forge(data))  # type: ignore[operator]
    assert path.read_bytes() != data
    with pytest.raises(BuildError, match=said):
        read_manifest(root, "en", "a", keys=EDGE)


def test_what_somebody_else_made_is_refused(root: Path) -> None:
    write(root, "a", Keys(THEIRS))
    write(root, "b", NO_KEYS)
    for build, said in (("a", "not a trusted key"), ("b", "not signed")):
        with pytest.raises(BuildError, match=said):
            read_manifest(root, "en", build, keys=EDGE)
        assert read_manifest(root, "en", build).build == build


def test_a_forger_who_knows_the_format_has_no_key(root: Path) -> None:
    """The head and the digests are forged, with the signature of the real build."""
    write(root, "a", PUBLISHER)
    path = manifest_path(root, "en", "a")
    signature = path.read_bytes().partition(b'"signature":')[2].partition(b"}")[0].partition(b",\n")[0]
    path.unlink()
    write(root, "a", NO_KEYS, text="evil")
    head, _, body = path.read_bytes().partition(b",\n")
    path.write_bytes(head + b',"signature":' + signature + b",\n" + body)
    with pytest.raises(BuildError, match="differs from the signed content"):
        read_manifest(root, "en", "a", keys=EDGE)


def test_a_build_under_another_name_is_refused(root: Path) -> None:
    """An old build is put in the place of the live one."""
    write(root, "a", PUBLISHER)
    write(root, "b", PUBLISHER, text="home 2")
    manifest_path(root, "en", "b").write_bytes(manifest_path(root, "en", "a").read_bytes())
    with pytest.raises(BuildError, match="belongs to build a"):
        read_manifest(root, "en", "b", keys=EDGE)


def test_every_manifest_below_is_checked(root: Path) -> None:
    first = write(root, "a", NO_KEYS)
    write(root, "b", PUBLISHER, first, "home 2")
    with pytest.raises(BuildError, match="build a of site en"):
        read_manifest(root, "en", "b", keys=EDGE)


def test_what_was_made_before_there_was_a_key_is_signed_once(root: Path) -> None:
    first = write(root, "a", NO_KEYS)
    write(root, "b", NO_KEYS, first, "home 2")
    before = read_manifest(root, "en", "b")
    assert [sign_manifest(root, "en", build, PUBLISHER) for build in ("a", "b", "b")] == [True, True, False]
    assert read_manifest(root, "en", "b", keys=EDGE) == before
    another = Keys(THEIRS)  # the key is replaced: everything is signed with the new one
    assert [sign_manifest(root, "en", build, another) for build in ("a", "b")] == [True, True]
    assert read_manifest(root, "en", "b", keys=Keys(trusted=[THEIRS.public_key()])) == before


def test_what_an_older_version_wrote_is_read(root: Path) -> None:
    write(root, "a", NO_KEYS)
    path = manifest_path(root, "en", "a")
    head, _, body = path.read_bytes().partition(b",\n")
    path.write_bytes(head.partition(b',"digest"')[0] + b",\n" + body)
    assert read_manifest(root, "en", "a").files["/"].size == 4
    assert sign_manifest(root, "en", "a", PUBLISHER)
    assert read_manifest(root, "en", "a", keys=EDGE).files["/"].size == 4


def test_keys_are_pem_files(tmp_path: Path) -> None:
    private, public, several = tmp_path / "signing.pem", tmp_path / "public.pem", tmp_path / "several.pem"
    private.write_bytes(pem(OURS))
    public.write_bytes(public_pem(OURS))
    several.write_bytes(b"# the old one\n" + public_pem(THEIRS) + b"\n# the new one\n" + public_pem(OURS))
    assert load_keys(None, None) is NO_KEYS
    assert load_keys(private, None).names == PUBLISHER.names
    assert (load_keys(None, public).names, load_keys(None, public).can_sign) == (PUBLISHER.names, False)
    assert len(load_keys(private, several).names) == 2


@pytest.mark.parametrize("is_private", [True, False])
@pytest.mark.parametrize(
    "content", [b"", b"nothing", None, b"-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n"]
)
def test_what_is_no_key_is_named(tmp_path: Path, is_private: bool, content: bytes | None) -> None:
    file = tmp_path / "key.pem"
    rsa = generate_private_key(65537, 1024)
    file.write_bytes((pem(rsa) if is_private else public_pem(rsa)) if content is None else content)
    with pytest.raises(KeyFileError, match=r"key\.pem has .* run `openssl .*key\.pem`"):
        load_keys(*((file, None) if is_private else (None, file)))
    with pytest.raises(KeyFileError, match="cannot be read"):
        load_keys(tmp_path / "missing", None)


def pem(key: object) -> bytes:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())  # type: ignore[attr-defined, no-any-return]


def public_pem(key: object) -> bytes:
    return key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)  # type: ignore[attr-defined, no-any-return]
