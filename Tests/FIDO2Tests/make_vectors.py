"""Makes Vectors/vectors.json with an implementation that is not ours: Yubico's python-fido2 writes what authenticators and browsers send,
`cryptography` signs it. `pip install fido2==2.2.1 cryptography==50.0.2 && python make_vectors.py`; keys are made anew each time.

A passkey for https://share.example.org of each algorithm, its attestation, and two assertions, as JSON in base64url."""

import hashlib
import json
import os
import pathlib

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from fido2.cose import ES256, ES384, RS256, CoseKey, EdDSA
from fido2.utils import websafe_encode as text
from fido2.webauthn import Aaguid, AttestationObject, AttestedCredentialData, AuthenticatorData

PARTY, ORIGIN = "share.example.org", "https://share.example.org"
UP, UV, BE, BS, AT, ED = 1, 4, 8, 16, 64, 128


def rsa_sign(key, data):
    return key.sign(data, padding.PKCS1v15(), hashes.SHA256())


def ec_sign(key, data):
    return key.sign(data, ec.ECDSA(hashes.SHA256()))


KINDS = {
    "es256": (lambda: ec.generate_private_key(ec.SECP256R1()), ES256, ec_sign),
    "eddsa": (ed25519.Ed25519PrivateKey.generate, EdDSA, lambda key, data: key.sign(data)),
    "rs256": (lambda: rsa.generate_private_key(65537, 2048), RS256, rsa_sign),
    "es384": (lambda: ec.generate_private_key(ec.SECP384R1()), ES384, lambda key, data: key.sign(data, ec.ECDSA(hashes.SHA384()))),
}


def client_data(kind, challenge, origin=ORIGIN, **more):
    return json.dumps({"type": kind, "challenge": text(challenge), "origin": origin, "crossOrigin": False, **more}).encode()


class Key:
    """An authenticator of one credential."""

    def __init__(self, kind="es256", party=PARTY, aaguid=Aaguid.NONE):
        make, cose, self.signer = KINDS[kind]
        self.private = make()
        self.public = cose.from_cryptography_key(self.private.public_key())
        self.id, self.party, self.aaguid, self.counter = os.urandom(32), party, aaguid, 0

    def data(self, flags, counter, credential=None, extensions=None):
        return AuthenticatorData.create(hashlib.sha256(self.party.encode()).digest(), flags, counter, credential or b"", extensions)

    def attest(self, client, flags=UP | UV | BE | BS | AT, counter=0, self_signed=False, key=None):
        credential = AttestedCredentialData.create(self.aaguid, self.id, CoseKey.parse(key or self.public))
        data = self.data(flags, counter, credential)
        if not self_signed:
            return AttestationObject.create("none", data, {})
        signature = self.signer(self.private, bytes(data) + hashlib.sha256(client).digest())
        return AttestationObject.create("packed", data, {"alg": self.public.ALGORITHM, "sig": signature})

    def sign(self, client, flags=UP | UV | BE | BS, counter=0, extensions=None):
        data = self.data(flags, counter, extensions=extensions)
        return bytes(data), self.signer(self.private, bytes(data) + hashlib.sha256(client).digest())


def vector(kind, self_signed=False):
    key = Key(kind)
    made = client_data("webauthn.create", os.urandom(32))
    out = {"credential": text(key.id), "created": {"clientData": text(made), "attestationObject": text(bytes(key.attest(made, self_signed=self_signed)))}}
    asked = client_data("webauthn.get", os.urandom(32))
    data, signature = key.sign(asked, counter=7)
    out["asserted"] = {"clientData": text(asked), "authenticatorData": text(data), "signature": text(signature)}
    return out


def beside_the_curve():
    key = Key("es256")
    client = client_data("webauthn.create", os.urandom(32))
    wrong = dict(key.public)
    wrong[-3] = bytes([wrong[-3][0] ^ 1]) + wrong[-3][1:]
    return {"clientData": text(client), "attestationObject": text(bytes(key.attest(client, key=wrong)))}


if __name__ == "__main__":
    everything = {name: vector(name) for name in ("es256", "eddsa", "rs256", "es384")}
    everything["packed"] = vector("es256", self_signed=True)
    broken = vector("es256", self_signed=True)
    other = client_data("webauthn.create", os.urandom(32))
    broken["created"]["clientData"] = text(other)
    everything["forged"] = broken
    everything["offCurve"] = {"created": beside_the_curve()}
    target = pathlib.Path(__file__).parent / "Vectors" / "vectors.json"
    target.write_text(json.dumps(everything, indent=1) + "\n")
