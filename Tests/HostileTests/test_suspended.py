"""A session of somebody who is suspended, at every call and at pages: it is good for what is theirs, and for nothing else."""

import json

import pytest

from hostile import PASSWORD, Person, ask, check, wait_for
from leak_village import open_case, promote

# What it is good for (the last one would be the end of it).
OWN = {"getSuspension", "requestExport", "getExport", "downloadExport", "eraseMe", "signOut"}
SOMETHING = "01999999-9999-7999-8999-999999999999"
PAGES = ["/", "/parking", "/share", "/cars/new", "/spaces/new", "/rides", "/rides/search", "/rides/new", "/rides/mine", "/rides/commutes", "/deliveries", "/deliver", "/orders", "/orders/new", "/matches", "/wanted", "/me/things", "/messages", "/me", "/me/edit", "/me/sessions", "/me/passkeys", "/me/email", "/me/password", "/me/proof", "/me/calendar", "/me/friends", "/me/blocks", "/me/encounters",
         "/moderation", "/me/pass", "/sign-in", "/join"]


@pytest.fixture(scope="module")
def sue():
    keeper, sue, witness = Person("Kim Keeper"), Person("Sue Spender"), Person("Will Witness")
    promote(keeper)
    subject = {"kind": "person", "id": sue.id}
    check(witness.ask("POST", "/v1/reports", {"subject": subject, "reason": "harassment"}), 201)
    one = open_case(keeper, subject)
    act = {"act": "suspend", "reason": "Threats.", "days": 2, "version": one["version"]}
    check(keeper.ask("POST", f"/v1/moderation/cases/{one['id']}/acts", act), 200)
    back = check(ask("POST", "/v1/sessions", {"Content-Type": "application/json"}, json.dumps({"email": sue.email, "password": PASSWORD})), 200).json()
    assert back["suspended"] is True
    sue.take(back)
    return sue


def test_every_other_call_is_refused(sue):
    document = ask("GET", "/v1/openapi.json").json()
    tried = 0
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            # An empty `security` is of calls that look at no session.
            if not operation.get("security") or operation["operationId"] in OWN:
                continue
            body = b"{}" if "requestBody" in operation else None
            answer = sue.ask(method.upper(), path.replace("{id}", SOMETHING).replace("{seeker}", SOMETHING).replace("{username}", "sue").replace("{act}", "accept"), body)
            assert answer.status == 403 and answer.json()["code"] == "suspended", (method, path, answer)
            tried += 1
    assert tried > 50


def test_what_is_theirs_is_there(sue):
    why = check(sue.ask("GET", "/v1/me/suspension"), 200).json()
    assert why["reason"] == "Threats." and "until" in why
    check(sue.ask("POST", "/v1/me/export"), 202)
    wait_for(lambda: "readyAt" in check(sue.ask("GET", "/v1/me/export"), 200).json())
    assert check(sue.ask("GET", "/v1/me/export/archive"), 200).body[:2] == b"PK"


@pytest.mark.parametrize("path", PAGES)
def test_pages_lead_to_why_and_until_when(sue, path):
    answer = sue.page("GET", path)
    assert answer.status == 303 and answer["Location"] == "/suspended"


def test_a_refreshed_session_is_no_better(sue):
    renewed = check(ask("POST", "/v1/sessions/refresh", {"Content-Type": "application/json"}, json.dumps({"refreshToken": sue.refresh})), 200).json()
    assert renewed["suspended"] is True
    sue.take(renewed)
    assert sue.ask("GET", "/v1/me").status == 403


def test_with_it_one_erases_oneself(sue):
    receipt = check(sue.ask("DELETE", "/v1/me", {"password": PASSWORD}), 202).json()["id"]
    check(ask("GET", f"/v1/erasures/{receipt}"), 200)
    assert ask("POST", "/v1/sessions", {"Content-Type": "application/json"}, json.dumps({"email": sue.email, "password": PASSWORD})).status == 401
