"""Passkeys through the HTTP interface, made and used by an implementation that is not ours, rightly and in every wrong way."""

import concurrent.futures
import random

import pytest

from hostile import Person, ask, check
from passkey import ALL, ORIGIN, UP, UV, Device, add, begin, challenge, sign_in, text_of


@pytest.fixture
def ada():
    return Person("Ada Lindqvist")


def known(ada, kind="es256"):
    device = Device(kind)
    check(add(ada, device), 201)
    return device


@pytest.mark.parametrize("kind", ["es256", "eddsa", "rs256"])
def test_each_algorithm_that_is_offered_leads_in(ada, kind):
    device = Device(kind)
    passkey = check(add(ada, device, f"With {kind}"), 201).json()
    answer = check(sign_in(device.signed(challenge())), 200).json()
    assert answer["person"]["id"] == ada.id
    mine = check(ask("GET", "/v1/me/passkeys", {"Authorization": f"Bearer {answer['accessToken']}"}), 200).json()["items"]
    assert [item["name"] for item in mine if item["id"] == passkey["id"] and "lastUsedAt" in item] == [f"With {kind}"]
    check(ada.ask("DELETE", f"/v1/me/passkeys/{passkey['id']}"), 204)
    assert check(sign_in(device.signed(challenge())), 401).json()["code"] == "passkey_refused"


WRONG = {
    "another origin": ({"origin": "https://evil.example"}, "other_origin"),
    "another port": ({"origin": ORIGIN + "1"}, "other_origin"),
    "the address": ({"origin": ORIGIN.replace("localhost", "127.0.0.1")}, "other_origin"),
    "in a frame": ({"crossOrigin": True}, "framed"),
    "in somebody's page": ({"topOrigin": "https://evil.example"}, "framed"),
    "nobody there": ({"flags": ALL & ~UP}, "nobody_there"),
    "not verified": ({"flags": ALL & ~UV}, "not_verified"),
    "backed up and not eligible": ({"flags": ALL & ~8}, "contradiction"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_wrong_is_neither_added_nor_leads_in(ada, wrong):
    change, code = WRONG[wrong]
    made = {**change, "flags": change["flags"] | 0x40} if "flags" in change else change
    refused = check(add(ada, Device(), **made), 422).json()
    assert [error["code"] for error in refused["errors"]] == [code]
    refused = check(sign_in(known(ada).signed(challenge(), **change)), 401).json()
    assert refused["code"] == "passkey_refused" and [error["code"] for error in refused["errors"]] == [code]


def test_other_parties_ceremonies_and_algorithms_are_refused(ada):
    for device, change, code in (
        (Device(party="evil.example"), {}, "other_party"), (Device(), {"ceremony": "webauthn.get"}, "other_ceremony"), (Device("es384"), {}, "unreadable"),
    ):
        assert [error["code"] for error in check(add(ada, device, **change), 422).json()["errors"]] == [code]
    device = known(ada)
    refused = check(sign_in(device.signed(challenge(), ceremony="webauthn.create")), 401).json()
    assert refused["errors"][0]["code"] == "other_ceremony"
    device.party = "evil.example"
    assert check(sign_in(device.signed(challenge())), 401).json()["errors"][0]["code"] == "other_party"


def test_who_is_unknown_hears_what_everybody_hears(ada):
    device, ben = known(ada), Person("Ben Tan")
    bens = Device()
    check(add(ben, bens), 201)
    stranger, copy, handed, nameless = Device(), Device(), known(ada), known(ada)
    copy.id, copy.handle = device.id, device.handle
    handed.handle, nameless.handle = bens.handle, ""
    told = set()
    for one in (stranger, copy, handed, nameless):
        refused = check(sign_in(one.signed(challenge())), 401)
        told.add(refused.text)
        assert refused.json()["errors"][0]["code"] == "unknown"
    assert len(told) == 1


def test_a_challenge_is_answered_once_and_by_who_was_asked(ada):
    device, mine = known(ada), begin(ada)["challenge"]
    for forged in ("", "AAAA", text_of(b"\1" * 48), mine):
        assert check(sign_in(device.signed(forged)), 409).json()["code"] == "passkey_stale"
    once = challenge()
    check(sign_in(device.signed(once)), 200)
    assert check(sign_in(device.signed(once)), 409).json()["code"] == "passkey_stale"
    assert check(add_with(Person("Cara Ng"), mine), 409).json()["code"] == "passkey_stale"
    once = challenge()
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        statuses = sorted(answer.status for answer in pool.map(lambda _: sign_in(device.signed(once)), range(8)))
    assert statuses == [200] + [409] * 7


def add_with(person, given):
    return person.ask("POST", "/v1/me/passkeys", {"name": "Device", "credential": Device().made(given)})


def test_the_same_request_is_the_same_session(ada):
    device, key = known(ada), random.randbytes(24).hex()
    credential = device.signed(challenge())
    first, again = (check(sign_in(credential, key), 200) for _ in range(2))
    assert first.text == again.text
    assert check(sign_in(device.signed(challenge()), key), 409).json()["code"] == "idempotency_mismatch"


def test_a_counter_that_goes_back_is_a_copy(ada):
    device = known(ada)
    check(sign_in(device.signed(challenge(), counter=9)), 200)
    for counter in (9, 3, 0):
        assert check(sign_in(device.signed(challenge(), counter=counter)), 401).json()["errors"][0]["code"] == "copied"
    check(sign_in(device.signed(challenge(), counter=10)), 200)


def test_what_is_cut_off_or_garbled_is_refused_and_nothing_falls_over(ada):
    dice, given, asked = random.Random(7), begin(ada)["challenge"], challenge()

    def garbled(whole):
        response = dict(whole["response"])
        field = dice.choice([name for name, value in response.items() if isinstance(value, str) and value])
        text = response[field]
        if dice.random() < 0.5:
            response[field] = text[:dice.randrange(len(text))]
        else:
            place = dice.randrange(len(text))
            response[field] = text[:place] + dice.choice([letter for letter in "AZaz09-_" if letter != text[place]]) + text[place + 1:]
        return {**whole, "response": response}

    for _ in range(120):
        # Another one each time: attempts at one are counted.
        device = Device()
        check(sign_in(garbled(device.signed(asked))), (401, 409))
        # A letter of the attestation may be one that nobody looks at (who made the device); then it is added.
        answer = ada.ask("POST", "/v1/me/passkeys", {"name": "Garbled", "credential": garbled(device.made(given))})
        check(answer, (201, 409, 422))
        if answer.status == 201:
            check(ada.ask("DELETE", f"/v1/me/passkeys/{answer.json()['id']}"), 204)
            given = begin(ada)["challenge"]
    for nonsense in (None, 1, [], {}, "AAAA"):
        assert ada.ask("POST", "/v1/me/passkeys", {"name": "x", "credential": nonsense}).status in (400, 422)
        check(sign_in(nonsense), 400)


def test_nobody_begins_without_the_password(ada):
    check(ada.ask("POST", "/v1/me/passkeys/options", {"password": "not my password"}), 422)
    check(ada.ask("POST", "/v1/me/passkeys/options", {}), 422)
    check(ask("POST", "/v1/me/passkeys/options", {"Content-Type": "application/json"}, b"{}"), 401)
