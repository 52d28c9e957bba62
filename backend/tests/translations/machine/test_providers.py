"""Texts go to a translation service with protected codes; damaged replies and refusals are told plainly."""

import json
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portolan.outgoing.network import PublicNetwork
from portolan.outgoing.post import Poster
from portolan.translations.exchange.inline import split
from portolan.translations.machine.propose import Proposal, Words, propose
from portolan.translations.machine.protect import protect, restore
from portolan.translations.machine.providers import DeepL, LibreTranslate, NoTranslation, open_provider

from ...edge.upstream import Upstream, head_only, typed
from ...edge.upstream import running as running_host
from .service import KEY, Service, capitals, running

RICH = '<p>We &amp; <a linktype="page" id="3">you<br/></a> in {company}</p>'
PARTS = split(RICH, "rich")
SENT = '<p id="0">We &amp; <g id="2">you<x id="4"/></g> in <x id="7"/></p>'
LINK = PARTS[2]


@pytest.fixture
def deepl() -> Iterator[Service]:
    with running() as service:
        yield service


def test_codes_become_numbered_elements() -> None:
    assert protect(PARTS) == SENT
    assert protect(split("a </b> b", "rich")) == 'a <x id="1"/> b'


@pytest.mark.parametrize(
    ("reply", "is_taken"),
    [
        (SENT, True),
        ('<p id="0"><x id="7"></x>: <g id="2"> du <x id="4"/> </g></p>', True),
        ('<p id="0">Wir <g id="2">du<x id="4"/></g></p>', False),
        (SENT + '<x id="7"/>', False),
        (SENT.replace('id="7"', 'id="8"'), False),
        (SENT.replace('id="7"', 'id="2"'), False),
        (SENT.replace("</g>", ""), False),
        (SENT.replace("</g> in", "</p> in"), False),
        (SENT.replace("We", "<script>"), False),
        (SENT.replace("We", "a < b"), False),
        (SENT.replace("<g ", "<x "), False),
        ("", False),
    ],
)
def test_a_reply_with_damaged_codes_is_refused(reply: str, is_taken: bool) -> None:
    assert (restore(reply, PARTS) is not None) == is_taken


@given(st.text(st.sampled_from('a <>&{}/pb"=')), st.sampled_from(["plain", "rich"]))
def test_protecting_and_restoring_changes_nothing(text: str, kind: str) -> None:
    parts = split(text, "rich" if kind == "rich" else "plain")
    assert restore(protect(parts), parts) == parts


def test_deepl_translates_texts_and_keeps_code(deepl: Service) -> None:
    texts = [Words(RICH, "rich"), Words("x = 1", "verbatim"), Words("{company}"), Words("A < B")]
    assert propose(texts, "en-GB", "de-DE", DeepL(KEY, deepl.url)) == [
        Proposal('<p>WE &amp; <a linktype="page" id="3">YOU<br/></a> IN {company}</p>'),
        Proposal(""),
        Proposal(""),
        Proposal("A < B"),
    ]
    (request,) = deepl.requests
    assert request["text"] == [SENT, "A &lt; B"]
    assert (request["source_lang"], request["target_lang"], request["tag_handling"]) == ("EN", "DE", "xml")


def test_many_texts_go_in_several_requests_and_a_damaged_reply_is_one_text(deepl: Service) -> None:
    deepl.answer = lambda text: text.replace('<x id="1"/>', "") if "17" in text else capitals(text)
    texts = [Words(f"text {number} {{year}}") for number in range(60)] + [Words("long " * 5_000)]
    found = propose(texts, "en", "en-US", DeepL(KEY, deepl.url))
    assert [len(request["text"]) for request in deepl.requests] == [25, 25, 10]
    assert [number for number, proposal in enumerate(found) if proposal.problem] == [17, 60]
    assert found[3].text == "TEXT 3 {year}"


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (456, "The quota of DeepL is used up. Nothing more was translated."),
        (403, "DeepL refused the key."),
        (400, "cannot translate from en to kk"),
    ],
)
def test_a_refusal_of_deepl_is_said_without_the_key(deepl: Service, status: int, said: str) -> None:
    deepl.status = status
    with pytest.raises(NoTranslation) as refused:
        propose([Words("Hello you")], "en", "kk", DeepL(KEY, deepl.url))
    assert said in str(refused.value)
    assert KEY not in str(refused.value)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (typed("application/json", json.dumps({"translatedText": ["Hallo <x id='9'/>"]}).encode()), ""),
        (typed("application/json", b'{"translatedText": "Hallo"}'), "unusable reply"),
        (typed("application/json", b'{"translatedText": []}'), "returned 0 texts for 1"),
        (typed("text/html", b"<html>"), "unusable reply"),
        (head_only("Content-Length: 0", status="403 Forbidden"), "refused the key"),
        (head_only("Content-Length: 0", status="429 Too Many Requests"), "Try again in a minute"),
        (head_only("Content-Length: 0", status="500 Internal Server Error"), "unusable reply"),
    ],
)
def test_libretranslate_is_read_and_its_refusals_are_said(answer: object, said: str) -> None:
    host = Upstream(("translate.test",))
    host.answers["/translate"] = answer  # type: ignore[assignment]
    with running_host(host):
        network = PublicNetwork(_loopback, bool, host.port)
        service = LibreTranslate("https://translate.test/", "secret", Poster(network, host.client_tls))
        if said:
            with pytest.raises(NoTranslation, match=said):
                propose([Words("Hello")], "en", "de", service)
        else:
            (proposal,) = propose([Words("Hello")], "en", "de", service)
            assert "damaged" in proposal.problem


async def _loopback(_host: str) -> list[str]:
    return ["127.0.0.1"]


def test_machine_translation_is_off_by_default() -> None:
    with pytest.raises(NoTranslation, match="PORTOLAN_MACHINE_TRANSLATION"):
        open_provider()
