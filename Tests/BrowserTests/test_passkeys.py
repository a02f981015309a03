"""Passkeys, with the virtual authenticator of the browser: it makes them, keeps them and signs with them as a telephone does."""

import json
import re

import pytest
from playwright.sync_api import expect

from kampong import PASSWORD, SIZES, URL, Person, join, look_at, look_at_both, sign_in, until

HOST = re.sub(r"^https?://|:\d+$", "", URL)
pytestmark = pytest.mark.skipif(not re.fullmatch(r"[a-z.-]*[a-z]", HOST), reason="an address of numbers is no relying party")


class Authenticator:
    """A platform authenticator that knows its owner, in the page's own browser."""

    def __init__(self, page, verified=True):
        self.devtools = page.context.new_cdp_session(page)
        self.devtools.send("WebAuthn.enable", {"enableUI": False})
        self.id = self.devtools.send("WebAuthn.addVirtualAuthenticator", {"options": {
            "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True, "isUserVerified": verified,
            "automaticPresenceSimulation": True}})["authenticatorId"]

    def credentials(self):
        return self.devtools.send("WebAuthn.getCredentials", {"authenticatorId": self.id})["credentials"]

    def verify(self, verified):
        self.devtools.send("WebAuthn.setUserVerified", {"authenticatorId": self.id, "isUserVerified": verified})

    def forget(self):
        self.devtools.send("WebAuthn.clearCredentials", {"authenticatorId": self.id})

    def put(self, credential):
        self.devtools.send("WebAuthn.addCredential", {"authenticatorId": self.id, "credential": credential})

    def silent(self):
        """Its owner touches nothing: else it would answer at once what waits in the field for the email address."""
        self.devtools.send("WebAuthn.setAutomaticPresenceSimulation", {"authenticatorId": self.id, "enabled": False})

    def willing(self):
        self.devtools.send("WebAuthn.setAutomaticPresenceSimulation", {"authenticatorId": self.id, "enabled": True})


# Whether the page has asked the device, on which it waits then.
ASKED = """if (navigator.credentials) {
    const get = navigator.credentials.get.bind(navigator.credentials);
    navigator.credentials.get = (options) => {
        const found = get(options);
        window.isAsked = true;
        return found;
    };
}"""


def at_the_door(page, authenticator, path="/sign-in"):
    """The page waits for a choice in the field for the email address, which nobody makes; then the device answers whoever asks next."""
    authenticator.silent()
    page.add_init_script(ASKED)
    page.goto(URL + path)
    assert until(page, lambda: page.evaluate("window.isAsked"))
    page.wait_for_timeout(300)
    authenticator.willing()


def press(page):
    page.get_by_role("button", name="Sign in with a passkey").click()


def sign_out(page):
    page.goto(URL + "/me")
    page.get_by_role("button", name="Sign out").click()
    expect(page).to_have_url(re.compile("/sign-in|/$|done=signedOut"))


def add(page, name):
    page.goto(URL + "/me/passkeys")
    page.get_by_role("link", name="Add a passkey").click()
    page.get_by_label("What shall it be called?").fill(name)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Go on").click()
    page.get_by_role("button", name="Create the passkey").click()


@pytest.mark.parametrize("size", SIZES)
def test_one_is_added_signed_in_with_renamed_and_removed(window, size):
    page = window(size=SIZES[size])
    person = Person("Pia Sand")
    join(page, person)
    authenticator = Authenticator(page)
    page.goto(URL + "/me")
    page.get_by_role("link", name="Passkeys").click()
    expect(page.get_by_text("You have none yet.")).to_be_visible()
    look_at_both(page, f"passkeys-none-{size}")
    page.get_by_role("link", name="Add a passkey").click()
    look_at_both(page, f"passkeys-add-{size}")
    page.get_by_label("What shall it be called?").fill("My phone")
    page.get_by_label("Password", exact=True).fill("not my password")
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_text("This is not your password.")).to_be_visible()
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Go on").click()
    look_at_both(page, f"passkeys-make-{size}")
    page.get_by_role("button", name="Create the passkey").click()
    expect(page.get_by_text("Your passkey is there.")).to_be_visible()
    expect(page.get_by_text("My phone")).to_be_visible()
    look_at_both(page, f"passkeys-one-{size}")
    kept = authenticator.credentials()
    assert len(kept) == 1 and kept[0]["isResidentCredential"] and kept[0]["rpId"] == HOST
    assert person.email.encode() not in json.dumps(kept[0].get("userHandle", "")).encode()
    # The same device is not asked to keep two.
    add(page, "Once more")
    expect(page.get_by_role("alert")).to_have_text("This device has a passkey of yours already.")
    look_at_both(page, f"passkeys-there-{size}")

    sign_out(page)
    at_the_door(page, authenticator, "/sign-in?next=/me/sessions")
    look_at_both(page, f"passkeys-door-{size}")
    assert page.get_by_label("Email").get_attribute("autocomplete") == "username webauthn"
    press(page)
    expect(page).to_have_url(URL + "/me/sessions")
    expect(page.locator("#sessions li")).to_have_count(1)

    page.goto(URL + "/me/passkeys")
    expect(page.get_by_text("last used just now")).to_be_visible()
    page.get_by_role("link", name="Rename “My phone”").click()
    look_at_both(page, f"passkeys-name-{size}")
    page.get_by_label("What shall it be called?").fill("Old phone")
    page.get_by_role("button", name="Save").click()
    page.get_by_role("link", name="Remove “Old phone”").click()
    expect(page.get_by_role("heading", name="Remove “Old phone”?")).to_be_visible()
    look_at_both(page, f"passkeys-remove-{size}")
    page.get_by_role("link", name="Keep it").click()
    page.get_by_role("link", name="Remove “Old phone”").click()
    page.get_by_role("button", name="Remove it").click()
    expect(page.get_by_text("You have none yet.")).to_be_visible()
    # The device still has it, and it leads nowhere.
    assert len(authenticator.credentials()) == 1
    sign_out(page)
    at_the_door(page, authenticator, "/sign-in?next=/me/sessions")
    press(page)
    expect(page.get_by_role("alert")).to_contain_text("This passkey does not lead in here. It may have been removed.")
    look_at_both(page, f"passkeys-refused-{size}")
    authenticator.silent()
    sign_in(page, person)
    expect(page).to_have_url(URL + "/me/sessions")
    page.goto(URL + "/me")
    expect(page.get_by_text("The passkey “My phone” was added to your account.")).to_be_visible()
    expect(page.get_by_text("The passkey “Old phone” was removed from your account.")).to_be_visible()


def test_a_copy_of_it_with_a_counter_that_goes_back_is_refused(window):
    page = window()
    join(page, Person("Kari Vik"))
    authenticator = Authenticator(page)
    add(page, "Phone")
    expect(page.get_by_text("Your passkey is there.")).to_be_visible()
    copy = authenticator.credentials()[0]
    sign_out(page)
    at_the_door(page, authenticator)
    press(page)
    expect(page).to_have_url(URL + "/")
    sign_out(page)
    authenticator.forget()
    authenticator.put(copy)
    at_the_door(page, authenticator)
    press(page)
    expect(page.get_by_role("alert")).to_contain_text("This passkey seems to have been copied")


def test_who_does_not_show_who_they_are_does_not_get_in_and_is_told(window):
    page = window()
    join(page, Person("Lea Holm"))
    authenticator = Authenticator(page, verified=False)
    add(page, "Phone")
    expect(page.get_by_role("alert")).to_have_text("Nothing was done. Your device did not agree, or took too long.")
    assert authenticator.credentials() == []
    authenticator.verify(True)
    page.get_by_role("button", name="Create the passkey").click()
    expect(page.get_by_text("Your passkey is there.")).to_be_visible()
    authenticator.verify(False)
    sign_out(page)
    page.goto(URL + "/sign-in")
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("alert")).to_have_text("Nothing was done. Your device did not agree, or took too long.")
    look_at(page, "passkeys-cancelled")


def test_it_is_offered_where_the_email_address_goes(window):
    """Conditional mediation: nobody presses anything; the virtual authenticator chooses for its owner, as they would in the list."""
    page = window()
    join(page, Person("Nia Berg"))
    authenticator = Authenticator(page)
    add(page, "Phone")
    expect(page.get_by_text("Your passkey is there.")).to_be_visible()
    sign_out(page)
    assert page.evaluate("PublicKeyCredential.isConditionalMediationAvailable()")
    page.goto(URL + "/sign-in?next=/me/sessions")
    expect(page).to_have_url(URL + "/me/sessions")


def test_without_scripts_and_without_passkeys_the_page_is_as_before(window):
    page = window(script=False)
    page.goto(URL + "/sign-in")
    expect(page.get_by_role("button", name="Sign in", exact=True)).to_be_visible()
    expect(page.get_by_text("Sign in with a passkey")).to_be_hidden()
    page = window()
    page.add_init_script("delete window.PublicKeyCredential")
    page.goto(URL + "/sign-in")
    expect(page.get_by_role("button", name="Sign in", exact=True)).to_be_visible()
    expect(page.get_by_text("Sign in with a passkey")).to_be_hidden()
    person = Person("Rut Lind")
    join(page, person)
    page.goto(URL + "/me/passkeys")
    expect(page.get_by_text("This browser cannot create passkeys here.")).to_be_visible()
    expect(page.get_by_role("link", name="Add a passkey")).to_be_hidden()
    look_at(page, "passkeys-cannot")
