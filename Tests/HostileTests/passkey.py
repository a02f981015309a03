"""An authenticator that is not ours, and the browser around it: python-fido2 writes what they send (Tests/FIDO2Tests/make_vectors.py)."""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "FIDO2Tests"))

from fido2.utils import websafe_decode as bytes_of
from fido2.utils import websafe_encode as text_of
from make_vectors import BE, BS, UP, UV, Key, client_data

from hostile import PASSWORD, PORT, ask, check

# What the stack is called in browsers: passkeys belong to a name, and the tests ask at an address.
PARTY = "localhost"
ORIGIN = f"http://localhost:{PORT}"
JSON = {"Content-Type": "application/json"}
ALL = UP | UV | BE | BS
OPTIONS, SIGN_IN = "/v1/sessions/passkey/options", "/v1/sessions/passkey"


class Device(Key):
    def __init__(self, kind="es256", party=PARTY):
        super().__init__(kind, party)
        self.handle = ""

    def made(self, challenge, origin=ORIGIN, ceremony="webauthn.create", flags=ALL | 0x40, **more):
        client = client_data(ceremony, bytes_of(challenge), origin, **more)
        return {
            "id": text_of(self.id), "type": "public-key", "rawId": text_of(self.id), "clientExtensionResults": {},
            "response": {"clientDataJSON": text_of(client), "attestationObject": text_of(bytes(self.attest(client, flags=flags))), "transports": ["internal"]}}

    def signed(self, challenge, origin=ORIGIN, ceremony="webauthn.get", flags=ALL, counter=0, **more):
        client = client_data(ceremony, bytes_of(challenge), origin, **more)
        data, signature = self.sign(client, flags=flags, counter=counter)
        return {
            "id": text_of(self.id), "type": "public-key", "rawId": text_of(self.id), "clientExtensionResults": {},
            "response": {
                "clientDataJSON": text_of(client), "authenticatorData": text_of(data), "signature": text_of(signature), "userHandle": self.handle}}


def begin(person, password=PASSWORD):
    return check(person.ask("POST", "/v1/me/passkeys/options", {"password": password}), 200).json()


def add(person, device, name="Device", password=PASSWORD, **wrong):
    options = begin(person, password)
    device.handle = options["user"]["id"]
    return person.ask("POST", "/v1/me/passkeys", {"name": name, "credential": device.made(options["challenge"], **wrong)})


def challenge():
    return check(ask("POST", OPTIONS), 200).json()["challenge"]


def sign_in(credential, key=None):
    return ask("POST", SIGN_IN, {**JSON, **({"Idempotency-Key": key} if key else {})}, json.dumps({"credential": credential}))
