"""An identity provider that we did not write, started for a run: Canaille, with the people whom the tests need."""

import json
import os
import pathlib
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request

from playwright.sync_api import expect

from kampong import RUN, URL, picture

FILE = os.environ.get("KAMPONG_IDENTITY_FILE")
PYTHON = os.environ.get("KAMPONG_PROVIDER_PYTHON")
PASSWORD = "a lighthouse in the fog"
NAME = "Hill College"


class Student:
    """Somebody of the college; the same person in each test of a run that names them."""

    def __init__(self, name, photo=None, email=None):
        self.name = name
        self.username = f"{name.split()[0].lower()}.{RUN}"
        self.email = email or f"{self.username}@hill.example.org"
        self.photo = photo


class College:
    def __init__(self, folder):
        provider = json.loads(pathlib.Path(FILE).read_text())["providers"][0]
        self.issuer, self.client, self.secret = provider["issuer"], provider["client"], provider["secret"]
        self.redirect = f"{URL}/v1/identity-providers/{provider['id']}/callback"
        self.folder = folder
        self.process = None
        self.ada = Student("Aino Hill", photo=picture(folder / "aino.png", seed=3, width=400, height=300))
        self.others = [Student(name) for name in ("Bea Hill", "Cem Hill", "Dao Hill", "Eli Hill", "Fay Hill", "Gus Hill", "Hob Hill", "Ira Hill", "Jon Hill", "Kim Hill")]

    def student(self, name):
        return next(one for one in [self.ada, *self.others] if one.name.startswith(name))

    def open(self):
        told = self.folder / "college.json"
        told.write_text(json.dumps({
            "port": urllib.parse.urlsplit(self.issuer).port,
            "client": {"id": self.client, "secret": self.secret, "redirect": self.redirect},
            "people": [
                {"username": one.username, "name": one.name, "email": one.email, "password": PASSWORD, "photo": one.photo}
                for one in [self.ada, *self.others]],
        }))
        told.chmod(0o600)
        with (self.folder / "college.log").open("ab") as log:
            self.process = subprocess.Popen(
                [PYTHON, pathlib.Path(__file__).parent / "provider" / "provider.py", told], stdout=log, stderr=log, cwd=self.folder)
        end = time.monotonic() + 40
        while time.monotonic() < end:
            assert self.process.poll() is None, self.log()
            try:
                with urllib.request.urlopen(self.issuer + "/.well-known/openid-configuration", timeout=2) as answer:
                    assert json.load(answer)["issuer"] == self.issuer
                    return
            except (urllib.error.URLError, OSError):
                time.sleep(0.2)
        raise AssertionError("the college does not open: " + self.log())

    def log(self):
        """The end of what it wrote."""
        return (self.folder / "college.log").read_text(errors="replace")[-4000:]

    def close(self):
        self.process.terminate()
        self.process.wait(timeout=10)

    def exchange(self, code, verifier):
        """What the college answers to a code: status and JSON."""
        fields = {"grant_type": "authorization_code", "code": code, "redirect_uri": self.redirect}
        if verifier is not None:
            fields["code_verifier"] = verifier
        request = urllib.request.Request(self.issuer + "/oauth/token", urllib.parse.urlencode(fields).encode())
        passwords = urllib.request.HTTPPasswordMgrWithPriorAuth()
        passwords.add_password(None, self.issuer, self.client, self.secret, is_authenticated=True)
        opener = urllib.request.build_opener(urllib.request.HTTPBasicAuthHandler(passwords))
        try:
            with opener.open(request, timeout=10) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as refusal:
            return refusal.code, json.load(refusal)


def sign_in_there(page, student):
    """The college's own pages: who are you, and your password."""
    page.locator("input[name=login]").fill(student.username)
    page.locator("form button[type=submit]").last.click()
    page.locator("input[name=password]").fill(PASSWORD)
    page.locator("form button[type=submit]").last.click()


def agree(page, answer="accept"):
    expect(page.get_by_text("Kampong is requesting access to")).to_be_visible()
    page.locator(f"button[value={answer}]").click()


def agree_if_asked(page):
    """Where they may have agreed before, or where the page is in another language."""
    consent = page.locator("button[value=accept]")
    consent.or_(page.locator("#main")).first.wait_for()
    if consent.count():
        consent.click()


def come_in(page, student, consent="accept"):
    """From our sign-in page to the college and back."""
    page.goto(URL + "/sign-in")
    page.get_by_role("link", name=f"Sign in with {NAME}").click()
    sign_in_there(page, student)
    agree(page, consent)
