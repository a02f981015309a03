"""Checks each token of standard input (the key comes first, as a JWK) by PyJWT, and prints the microseconds for each."""

import json
import sys
import time

import jwt

key = jwt.PyJWK(json.loads(sys.stdin.readline()))
lines = sys.stdin.read().split()
warm_up, tokens = lines[:len(lines) // 10], lines[len(lines) // 10:]
check = lambda token: jwt.decode(token, key, algorithms=["EdDSA"], audience="kampong", issuer="kampong/auth")
for token in warm_up:
    check(token)
begin = time.perf_counter()
for token in tokens:
    check(token)
end = time.perf_counter()
try:
    check(tokens[0][:-8] + "AAAAAAAA")
    sys.exit("a forged token was taken")
except jwt.InvalidSignatureError:
    print(json.dumps({"count": len(tokens), "cold": (end - begin) * 1e6 / len(tokens)}))
