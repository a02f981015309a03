"""Tokens that are old, made up, cut, turned into weaker ones, or meant for somebody else. Each is nobody's."""

import base64
import hashlib
import hmac
import json
import os
import pathlib
import subprocess
import time

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from hostile import HOME, Person, ask, at_once, check, raw, wait_for


def encode(value):
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode(part):
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))


def signed(header, claims, key):
    text = f"{encode(header)}.{encode(claims)}"
    return f"{text}.{encode(key.sign(text.encode()))}"


def hashed(header, claims, secret, digest=hashlib.sha256):
    text = f"{encode(header)}.{encode(claims)}"
    return f"{text}.{encode(hmac.new(secret, text.encode(), digest).digest())}"


def public_key(kid):
    """The key that auth publishes under this id, 32 bytes: no secret, so whoever attacks may have it. Here it is read where auth keeps it."""
    settings = dict(line.split("=", 1) for line in (pathlib.Path(HOME) / "settings").read_text().splitlines() if "=" in line)
    found = subprocess.run(
        ["psql", "-XAt", "-h", "127.0.0.1", "-p", settings["postgres.port"], "-U", "postgres", "-d", "kampong", "-c",
         "SELECT id, encode(public_key, 'hex') FROM auth.signing_keys"],
        env=os.environ | {"PGPASSWORD": settings["postgres.password"]}, capture_output=True, text=True, check=True)
    keys = dict(line.split("|") for line in found.stdout.split())
    return bytes.fromhex(keys[kid])


def spellings(key):
    """All the ways in which a public key is written down: which of them a careless check would take for a secret, nobody knows."""
    good = Ed25519PublicKey.from_public_bytes(key)
    pem = good.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    return {
        "bytes": key, "base64url": encode(key).encode(), "base64": base64.b64encode(key), "hex": key.hex().encode(), "PEM": pem, "PEM without its end": pem.strip(),
        "DER": good.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo), "OpenSSH": good.public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH),
    }


def forgeries(person, victim):
    """By name, all that can be made of a good token without auth's key."""
    token = person.fresh()
    head, body, signature = token.split(".")
    header, claims = decode(head), decode(body)
    stolen = {**claims, "sub": victim.id}
    mine = Ed25519PrivateKey.generate()
    point = mine.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    jwk = {"kty": "OKP", "crv": "Ed25519", "x": encode(point), "kid": header["kid"]}
    made = {
        "another's name": f"{head}.{encode(stolen)}.{signature}", "a longer life": f"{head}.{encode({**claims, 'exp': claims['exp'] + 10**9})}.{signature}",
        "more roles": f"{head}.{encode({**claims, 'roles': ['admin']})}.{signature}", "no signature": f"{head}.{body}.", "two parts": f"{head}.{body}",
        "half a signature": f"{head}.{body}.{signature[:40]}", "another signature": f"{head}.{body}.{encode(b'0' * 64)}", "zeros for a signature": f"{head}.{body}.{encode(bytes(64))}",
        "a foreign issuer": signed(header, {**claims, "iss": "https://evil.example"}, mine), "the same key id": signed(header, stolen, mine),
        "its own key along": signed({**header, "jwk": jwk}, stolen, mine), "a key elsewhere": signed({**header, "jku": "http://127.0.0.1:1/keys"}, stolen, mine),
        "an unknown key": signed({**header, "kid": "mine"}, stolen, mine), "no key id": signed({"alg": "EdDSA", "typ": "JWT"}, stolen, mine),
        "a path for a key": signed({**header, "kid": "../../../../dev/null"}, stolen, mine), "sql for a key": signed({**header, "kid": "' UNION SELECT 'x"}, stolen, mine),
        "a number for a key": signed({**header, "kid": 7}, stolen, mine), "critical": signed({**header, "crit": ["exp"]}, stolen, mine),
        "a list for a header": f"{encode([])}.{body}.{signature}", "deep header": f"{encode(b'[' * 2000)}.{body}.{signature}", "nothing": "..", "dots": "." * 1000,
        "spaces": f"{head} .{body}.{signature}", "padding": f"{head}==.{body}==.{signature}==", "appended": token + "." + signature, "twice": f"{token},{token}",
        "the refresh token": person.refresh, "upper case": token.upper(), "newline in it": token.replace(".", "%0a."),
    }
    for name in ("none", "None", "NONE", "nOnE", ""):
        made[f"alg {name or 'empty'}"] = f"{encode({**header, 'alg': name})}.{encode(stolen)}."
        made[f"alg {name or 'empty'}, signed"] = f"{encode({**header, 'alg': name})}.{body}.{signature}"
    for secret in (b"", b"secret", header["kid"].encode(), signature.encode(), point):
        made[f"HS256 with {secret[:8]!r}"] = hashed({**header, "alg": "HS256"}, stolen, secret)
        made[f"HS512 with {secret[:8]!r}"] = hashed({**header, "alg": "HS512"}, stolen, secret, hashlib.sha512)
    for name in ("RS256", "ES256", "PS256", "EdDSA "):
        made[f"alg {name}"] = f"{encode({**header, 'alg': name})}.{body}.{signature}"
    return made


@pytest.fixture(scope="module")
def forged():
    person, victim = Person("Mallory"), Person("Victor")
    return forgeries(person, victim), victim


def test_no_forgery_opens_anything(forged):
    made, victim = forged
    assert len(made) > 45

    def try_it(forgery):
        name, token = forgery
        answer = ask("GET", "/v1/me", {"Authorization": f"Bearer {token}"})
        assert answer.status == 401, (name, answer)
        check(answer, 401, "unauthenticated")
        assert 'error="invalid_token"' in answer["WWW-Authenticate"], name
        # Also where nobody needs to be somebody, and where the token is a cookie or sent with a change.
        check(ask("GET", "/v1/spots?near=1,1", {"Authorization": f"Bearer {token}"}), 401, "unauthenticated")
        check(ask("PATCH", "/v1/me", {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}, b"{}"), 401, "unauthenticated")
        page = ask("GET", "/me", {"Cookie": f"kampong_access={token}", "Accept": "text/html"})
        assert page.status in (303, 401) and victim.name not in page.text, (name, page.status)

    at_once(try_it, made.items())
    assert check(victim.ask("GET", "/v1/me"), 200).json()["name"] == "Victor"


def test_the_public_key_is_no_secret_to_sign_with():
    """A token turned from EdDSA into HS256, with auth's own public key as the secret: the classic confusion of algorithms."""
    person, victim = Person("Mallory"), Person("Victor")
    head, body, signature = person.fresh().split(".")
    header, claims = decode(head), decode(body)
    key = public_key(header["kid"])
    # It is the right one: what auth signed fits it.
    Ed25519PublicKey.from_public_bytes(key).verify(base64.urlsafe_b64decode(signature + "=="), f"{head}.{body}".encode())
    for spelling, secret in spellings(key).items():
        for name, digest in (("HS256", hashlib.sha256), ("HS384", hashlib.sha384), ("HS512", hashlib.sha512)):
            for forged in (hashed({**header, "alg": name}, {**claims, "sub": victim.id}, secret, digest), hashed({**header, "alg": name}, claims, secret, digest)):
                answer = ask("GET", "/v1/me", {"Authorization": f"Bearer {forged}"})
                assert answer.status == 401, (name, spelling, answer)
                check(answer, 401, "unauthenticated")


@pytest.mark.parametrize("value", ["", "Bearer", "Bearer ", "Basic YTpi", "bearer", "Token x", "Bearer  ", "Bearer\tx", "Digest username=\"a\""])
def test_other_ways_to_say_who_one_is(value):
    check(ask("GET", "/v1/me", {"Authorization": value}), 401, "unauthenticated")


def test_two_ways_at_once_are_none(ada):
    """A good token and a bad one: the caller is not to choose which of the two counts."""
    head = f"GET /v1/me HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer x\r\nAuthorization: Bearer {ada.fresh()}\r\n\r\n"
    check(raw(head), 401, "unauthenticated")


def test_a_session_that_was_ended_is_ended_now():
    person = Person("Greta")
    check(person.ask("GET", "/v1/me"), 200)
    check(person.ask("DELETE", "/v1/sessions/current"), 204)
    wait_for(lambda: person.ask("GET", "/v1/me").status != 200)
    check(person.ask("GET", "/v1/me"), 401, "unauthenticated")
    check(person.ask("POST", "/v1/sessions/refresh", {"refreshToken": person.refresh}, anonymous=True), 401, "unauthenticated")


def test_a_refresh_token_is_good_once():
    """Whoever comes with one that was spent some time ago has stolen it, or was stolen from: the session ends for both."""
    person = Person("Rita")
    stolen = person.refresh
    renewed = check(person.ask("POST", "/v1/sessions/refresh", {"refreshToken": stolen}, anonymous=True), 200).json()
    check(person.ask("POST", "/v1/sessions/refresh", {"refreshToken": renewed["refreshToken"]}, anonymous=True), 200)
    check(person.ask("POST", "/v1/sessions/refresh", {"refreshToken": stolen}, anonymous=True), 401, "unauthenticated")


def test_an_access_token_refreshes_nothing(ada):
    for token in (ada.fresh(), "", "x", "A" * 60_000):
        check(ada.ask("POST", "/v1/sessions/refresh", {"refreshToken": token}, anonymous=True), (400, 401, 422))


def test_an_expired_token_is_refused(old_token):
    """Waits for a token's end: `deploy/test` makes their lives short."""
    token, made = old_token
    claims = decode(token.split(".")[1])
    leeway = 5
    left = claims["exp"] + leeway + 1 - time.time()
    if left > 0:
        time.sleep(left)
    answer = check(ask("GET", "/v1/me", {"Authorization": f"Bearer {token}"}), 401, "unauthenticated")
    assert 'error="invalid_token"' in answer["WWW-Authenticate"]
