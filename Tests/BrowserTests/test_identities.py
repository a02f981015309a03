"""Signing in with an identity provider that we did not write."""

import base64
import hashlib
import pathlib
import re
import secrets
import urllib.parse

import pytest
from playwright.sync_api import expect

from college import FILE, NAME, PYTHON, College, agree, agree_if_asked, come_in, sign_in_there
from kampong import DESKTOP, PASSWORD, PHONE, URL, Person, join, join_by_page, look_at, photograph, sign_in
from test_door import send_what_was_typed, type_and_send
from test_recovery import MAILS, show_address

pytestmark = pytest.mark.skipif(
    not (FILE and PYTHON), reason="KAMPONG_IDENTITY_FILE and KAMPONG_PROVIDER_PYTHON name no provider of the Kampong at KAMPONG_URL")


@pytest.fixture(scope="module")
def college(tmp_path_factory):
    college = College(tmp_path_factory.mktemp("college"))
    college.open()
    yield college
    college.close()


def finish_joining(page):
    page.get_by_role("button", name="Join").click()


@pytest.mark.parametrize("size,name", [(PHONE, "phone"), (DESKTOP, "desktop")])
def test_first_sign_up_and_second_sign_in(window, college, size, name):
    student = college.ada if size is PHONE else college.student("Bea")
    page = window(size=size)
    page.goto(URL + "/sign-in?next=/parking")
    button = page.get_by_role("link", name=f"Sign in with {NAME}")
    expect(button).to_be_visible()
    look_at(page, f"identity-sign-in-{name}-light")
    button.click()
    sign_in_there(page, student)
    agree(page)

    page.wait_for_url(URL + "/join/with")
    field = page.get_by_label("Name", exact=True)
    expect(field).to_have_value(student.name)
    expect(field).not_to_be_editable()
    expect(field).to_have_accessible_description(f"Your name comes from {NAME}; change it there.")
    expect(page.get_by_label("Username")).to_have_value(student.username)
    expect(page.get_by_label("Email")).to_have_value(student.email)
    if student.photo:
        assert page.locator("img[data-portrait]").evaluate("image => image.complete && image.naturalWidth > 0")
        expect(page.get_by_label(f"Take my picture from {NAME}")).to_be_checked()
    look_at(page, f"identity-join-{name}-light")
    page.get_by_label("Email").fill("aino@")
    finish_joining(page)
    expect(page.get_by_label("Email")).to_have_accessible_description("That is not a whole email address.")
    expect(field).to_have_value(student.name)
    page.get_by_label("Email").fill(student.email)
    finish_joining(page)
    page.wait_for_url(re.compile(re.escape(URL) + r"/parking(\?|$)"))

    page.goto(URL + "/me")
    expect(page.get_by_role("heading", name=student.name)).to_be_visible()
    assert page.locator("img.face.big").count() == (1 if student.photo else 0)
    page.goto(URL + "/me/edit")
    expect(page.get_by_label("Name", exact=True)).not_to_be_editable()
    look_at(page, f"identity-edit-{name}-light")
    page.get_by_label("About you").fill("I study birds.")
    page.get_by_role("button", name="Save").click()
    page.wait_for_url(re.compile(re.escape(URL) + r"/me(\?|$)"))

    # Another browser: no form any more, and no question at the college, which remembers that they agreed.
    other = window(size=size)
    other.goto(URL + "/sign-in?next=/me")
    other.get_by_role("link", name=f"Sign in with {NAME}").click()
    sign_in_there(other, student)
    other.wait_for_url(URL + "/me")
    expect(other.get_by_role("heading", name=student.name)).to_be_visible()
    look_at(other, f"identity-back-{name}-light")
    # Back in the browser leads to an address that was used: it opens nothing, and harms nothing.
    assert other.context.request.get(URL + "/me").ok


def test_linked_in_the_settings_and_unlinked(window, college):
    student, person = college.student("Cem"), Person("Cem Kaya")
    page = window(size=DESKTOP)
    join(page, person)
    page.goto(URL + "/me")
    page.get_by_role("link", name="Other ways to sign in").click()
    look_at(page, "identities-none-desktop-light")
    page.get_by_role("link", name=f"Link {NAME}").click()
    sign_in_there(page, student)
    agree(page)
    page.wait_for_url(URL + "/me/identities/link")
    expect(page.get_by_role("heading", name=f"Link {NAME}?")).to_be_visible()
    expect(page.get_by_text(student.email)).to_be_visible()
    look_at(page, "identities-ask-desktop-light")
    page.get_by_role("button", name="Link it").click()
    expect(page.get_by_text("Linked. From now on it leads in here.")).to_be_visible()
    expect(page.get_by_text(student.email)).to_be_visible()
    look_at(page, "identities-linked-desktop-light")
    # The name is the college's now.
    page.goto(URL + "/me")
    expect(page.get_by_role("heading", name=student.name)).to_be_visible()

    phone = window()
    come_in_again(phone, student)
    expect(phone.get_by_role("heading", name="Hello")).to_be_visible()
    phone.goto(URL + "/me/identities")
    look_at(phone, "identities-linked-phone-light")
    phone.get_by_role("link", name=f"Unlink {NAME}").click()
    expect(phone.get_by_role("heading", name=f"Unlink {NAME}?")).to_be_visible()
    look_at(phone, "identities-unlink-phone-light")
    phone.get_by_role("button", name="Unlink it").click()
    expect(phone.get_by_text("Unlinked.", exact=True)).to_be_visible()
    phone.goto(URL + "/me/edit")
    expect(phone.get_by_label("Name", exact=True)).to_be_editable()
    # The password leads in as before.
    again = window()
    again.goto(URL + "/sign-in")
    sign_in(again, person)
    expect(again.get_by_role("heading", name="Hello")).to_be_visible()


def come_in_again(page, student):
    page.goto(URL + "/sign-in")
    page.get_by_role("link", name=f"Sign in with {NAME}").click()
    sign_in_there(page, student)


def test_the_only_way_in_stays(window, college):
    student = college.student("Gus")
    page = window()
    come_in(page, student)
    finish_joining(page)
    expect(page.get_by_role("heading", name="Hello Gus")).to_be_visible()
    page.goto(URL + "/me/identities/campus/unlink")
    page.get_by_role("button", name="Unlink it").click()
    expect(page.get_by_role("heading", name="You would lock yourself out")).to_be_visible()
    expect(page.get_by_text("Choose a password first")).to_be_visible()
    look_at(page, "identities-last-phone-light")


@pytest.mark.parametrize("size,name", [(PHONE, "phone"), (DESKTOP, "desktop")])
def test_who_says_no_there_is_told_so_and_may_try_again(window, college, size, name):
    page = window(size=size)
    come_in(page, college.student("Dao"), consent="deny")
    expect(page.get_by_role("heading", name="You did not agree")).to_be_visible()
    look_at(page, f"identity-denied-{name}-light")
    page.get_by_role("link", name="Try again").click()
    page.wait_for_url(URL + "/sign-in")


@pytest.mark.skipif(not MAILS, reason="KAMPONG_MAILS names no mail folder of the Kampong at KAMPONG_URL")
def test_an_account_with_the_same_address_is_proved_by_its_password(window, college):
    student, person = college.student("Eli"), Person("Eli Tan")
    person.email = student.email
    first = window()
    join(first, person)
    show_address(first, person.email)

    page = window()
    come_in(page, student)
    page.wait_for_url(URL + "/join/with/account")
    expect(page.get_by_text("There is an account with this address already.")).to_be_visible()
    look_at(page, "identity-account-phone-light")
    page.get_by_label("Password", exact=True).fill("not the right one")
    page.get_by_role("button", name="Sign in and link").click()
    expect(page.get_by_text("Email or password is not right.")).to_be_visible()
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in and link").click()
    expect(page.get_by_role("heading", name="Hello Eli")).to_be_visible()
    page.goto(URL + "/me")
    expect(page.get_by_role("heading", name=student.name)).to_be_visible()


def test_without_scripts_and_in_german(window, college):
    student = college.student("Fay")
    page = window(script=False, language="de-DE")
    page.goto(URL + "/join")
    page.get_by_role("link", name=f"Anmelden mit {NAME}").click()
    sign_in_there(page, student)
    agree_if_asked(page)
    page.wait_for_url(URL + "/join/with")
    expect(page.get_by_text(f"Dein Name kommt von {NAME}; ändere ihn dort.")).to_be_visible()
    page.get_by_role("button", name="Mitmachen").click()
    page.wait_for_url(URL + "/?done=joined")


def test_what_was_typed_without_scripts_is_there_after_the_way_to_the_provider(window, college):
    page = window(script=False)
    come_in(page, college.student("Jon"))
    finish_joining(page)
    expect(page.get_by_role("heading", name="Hello Jon")).to_be_visible()
    type_and_send(page)
    expect(page.get_by_text("What you typed is kept for an hour")).to_be_visible()
    # The college remembers them, and asks nothing.
    page.get_by_role("link", name=f"Sign in with {NAME}").click()
    page.wait_for_url(URL + "/resume?next=/me/edit")
    photograph(page, "resume-provider-phone-light")
    send_what_was_typed(page)


def test_who_comes_several_times_within_a_second_is_let_in_each_time(window, college):
    page = window()
    come_in(page, college.student("Kim"))
    finish_joining(page)
    expect(page.get_by_role("heading", name="Hello Kim")).to_be_visible()
    for _ in range(5):
        answer = page.context.request.get(URL + "/v1/identity-providers/campus/authorize?next=/me")
        assert (answer.status, answer.url) == (200, URL + "/me"), answer.text()


def query_of(address):
    return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(address).query))


def test_a_wrong_verifier_is_refused(window, college):
    """What protects a code is really checked there. Kampong spends none of these: it has begun nothing that they would end."""
    verifier = secrets.token_urlsafe(32)
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()

    def code():
        page = window()
        page.goto(college.issuer + "/oauth/authorize?" + urllib.parse.urlencode({
            "response_type": "code", "client_id": college.client, "redirect_uri": college.redirect, "scope": "openid profile email",
            "state": "s", "nonce": secrets.token_urlsafe(16), "code_challenge": challenge, "code_challenge_method": "S256"}))
        sign_in_there(page, college.student("Hob"))
        agree_if_asked(page)
        page.wait_for_url(college.redirect + "?**")
        expect(page.get_by_role("heading", name="That took too long")).to_be_visible()
        return query_of(page.url)["code"]

    for wrong in [secrets.token_urlsafe(32), None]:
        status, answer = college.exchange(code(), wrong)
        assert status == 400 and "id_token" not in answer, answer
    status, answer = college.exchange(code(), verifier)
    assert status == 200 and answer["id_token"].count(".") == 2, answer


def test_a_provider_that_is_away_is_said_to_be_away(window, college):
    page = window()
    come_in(page, college.student("Ira"))
    page.wait_for_url(URL + "/join/with")
    # The same way once more, held before its last step: then the college closes.
    asked = page.context.request
    there = asked.get(URL + "/v1/identity-providers/campus/authorize", max_redirects=0).headers["location"]
    back = asked.get(there, max_redirects=0).headers["location"]
    assert back.startswith(college.redirect) and query_of(back)["iss"] == college.issuer
    college.close()
    try:
        page.goto(back)
        expect(page.get_by_role("heading", name="It does not answer")).to_be_visible()
        expect(page.get_by_role("link", name="Try again")).to_have_attribute("href", "/sign-in")
        look_at(page, "identity-away-phone-light")
        # The code may be spent by now, so this way is over; and all else goes on.
        page.goto(back)
        expect(page.get_by_role("heading", name="That took too long")).to_be_visible()
        look_at(page, "identity-stale-phone-light")
        join_by_page(page, Person("Hal Moss"))
    finally:
        college.open()
    # No log knows what is between Kampong and the college.
    logs = [path.read_text() for path in (pathlib.Path(FILE).parent / "log").glob("*.log")]
    assert any("an identity provider does not answer" in log for log in logs)
    for hidden in (college.secret, query_of(back)["code"], query_of(back)["state"], query_of(there)["nonce"]):
        assert not any(hidden in log for log in logs)
