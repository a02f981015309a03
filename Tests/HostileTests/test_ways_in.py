"""Ways into somebody's account: what a stranger, another person and a guess come to, and what of them is told."""

import pytest

from hostile import PASSWORD, Person, ask, check, wait_for
from leak_village import mail_to, moderator

CALLS = [
    ("POST", "/v1/me/proof", {"password": PASSWORD}), ("PUT", "/v1/me/password", {"current": PASSWORD, "password": "another good one"}),
    ("POST", "/v1/me/email", {"email": "eve@example.org", "password": PASSWORD}), ("POST", "/v1/me/email/confirm", {"code": "000000"}),
]


@pytest.mark.parametrize("method, path, body", CALLS)
def test_nobody_gets_anywhere_without_a_session(method, path, body):
    check(Person("Vera Holm").ask(method, path, body, anonymous=True), 401)


def test_a_session_alone_takes_nobody_elsewhere():
    """Whoever has found a phone has its session, and not the password."""
    vera = Person("Vera Holm")
    eve = f"eve-{vera.id}@example.org"
    for password in (None, "", "a guess at it"):
        body = {"email": eve} if password is None else {"email": eve, "password": password}
        check(vera.ask("POST", "/v1/me/email", body), 422)
    check(vera.ask("PUT", "/v1/me/password", {"current": "a guess at it", "password": "another good one"}), 422)
    check(vera.ask("POST", "/v1/me/proof", {"password": "a guess at it"}), 422)
    assert vera.ask("GET", "/v1/me").json()["email"] == vera.email


def test_guesses_at_a_code_are_few_and_all_are_refused_alike():
    vera, eve = Person("Vera Holm"), Person("Eve Lark")
    check(vera.ask("POST", "/v1/me/email", {"email": vera.email}), 202)
    code = mail_to(vera.email, r"\b\d{6}\b")[0]
    said = {check(eve.ask("POST", "/v1/me/email/confirm", {"code": code}), 422).json()["errors"][0]["code"]}
    for number in range(6):
        guess = f"{(int(code) + 1 + number) % 1_000_000:06}"
        said.add(check(vera.ask("POST", "/v1/me/email/confirm", {"code": guess}), 422).json()["errors"][0]["code"])
    # The right one comes too late.
    said.add(check(vera.ask("POST", "/v1/me/email/confirm", {"code": code}), 422).json()["errors"][0]["code"])
    assert said == {"wrong"}
    assert vera.ask("GET", "/v1/me").json()["emailVerified"] is False


def test_a_changed_password_ends_what_somebody_else_has_open():
    vera = Person("Vera Holm")
    other = check(ask("POST", "/v1/sessions", {"Content-Type": "application/json"}, f'{{"email": "{vera.email}", "password": "{PASSWORD}"}}'), 200).json()
    bearer = {"Authorization": f"Bearer {other['accessToken']}"}
    check(ask("GET", "/v1/me", bearer), 200)
    check(vera.ask("PUT", "/v1/me/password", {"current": PASSWORD, "password": "a path through the reeds"}), 204)
    wait_for(lambda: ask("GET", "/v1/me", bearer).status == 401)
    check(vera.ask("GET", "/v1/me"), 200)


def test_who_joins_with_the_address_of_somebody_else_is_given_no_role_by_it():
    """The operator names an address; a stranger was there before the one whose it is."""
    cases = "/v1/moderation/cases?state=open"
    eve = Person("Eve Lark")
    said = moderator(eve.email)
    assert said.returncode != 0 and eve.id in said.stdout, said.stdout + said.stderr
    vera = Person("Vera Holm", email=eve.email, password="another good one")
    said = moderator(eve.email)
    assert said.returncode != 0 and eve.id in said.stdout and vera.id in said.stdout, said.stdout + said.stderr
    for person in (eve, vera):
        check(person.ask("GET", cases), 403)
    check(vera.ask("POST", "/v1/me/email", {"email": vera.email}), 202)
    code = mail_to(vera.email, r"\b\d{6}\b")[0]
    check(vera.ask("POST", "/v1/me/email/confirm", {"code": code}), 200)
    said = moderator(eve.email)
    assert said.returncode == 0 and vera.id in said.stdout and eve.id not in said.stdout, said.stdout + said.stderr
    vera.expires = 0
    check(vera.ask("GET", cases), 200)
    check(eve.ask("GET", cases), 403)
    said = moderator(eve.email, "--remove")
    assert said.returncode == 0 and vera.id in said.stdout, said.stdout + said.stderr
    check(vera.ask("GET", cases), 403)
