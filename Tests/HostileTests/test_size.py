"""More than anybody needs: bodies, addresses, fields. Refused as soon as it is known, and never held in memory."""

import time

import pytest

from hostile import HOST, PORT, Line, ask, check, raw

WHERE = f"Host: {HOST}:{PORT}\r\n"
GIGABYTE = 1 << 30
BLOCK = b" " * (1 << 20)


def pour(line, framing, most=GIGABYTE, block=BLOCK):
    """Sends until the other side hangs up; says how much it took."""
    sent = 0
    line.socket.settimeout(30)
    while sent < most:
        data = b"%x\r\n%s\r\n" % (len(block), block) if framing == "chunked" else block
        if not line.send(data):
            break
        sent += len(block)
    return sent


PLACES = {
    "/v1/sessions": "application/json", "/v1/spots": "application/json", "/v1/photos": "image/jpeg", "/v1/me": "application/json",
    "/sign-in": "application/x-www-form-urlencoded", "/join": "multipart/form-data; boundary=x", "/nowhere": "text/plain", "/v1/about": "text/plain",
}


@pytest.mark.alone
@pytest.mark.parametrize("path", PLACES)
@pytest.mark.parametrize("framing", ["declared", "chunked"])
def test_a_gigabyte_is_refused_before_it_is_sent(path, framing, ada, stack):
    method = "PATCH" if path == "/v1/me" else "GET" if path == "/v1/about" else "POST"
    length = f"Content-Length: {GIGABYTE}" if framing == "declared" else "Transfer-Encoding: chunked"
    before = stack.now()["gateway"]
    with Line() as line:
        line.send(f"{method} {path} HTTP/1.1\r\n{WHERE}Authorization: Bearer {ada.fresh()}\r\nContent-Type: {PLACES[path]}\r\n{length}\r\n\r\n")
        begin = time.monotonic()
        if framing == "declared":
            answer = line.answer()  # before a single byte of it
            sent = pour(line, framing)
        else:
            line.socket.setblocking(True)
            sent = 0
            for _ in range(14):  # beyond the most that is ever taken
                if not line.send(b"%x\r\n%s\r\n" % (len(BLOCK), BLOCK)):
                    break
                sent += len(BLOCK)
            answer = line.answer()
            sent += pour(line, framing)
        took = time.monotonic() - begin
    wanted = {"/nowhere": 404, "/v1/about": 200}.get(path, 413)
    check(answer, wanted, "too_large" if wanted == 413 and path.startswith("/v1") else None)  # else a page says it
    assert answer["Connection"] == "close"
    assert sent < 200 << 20, f"{sent >> 20} MB were taken"
    assert took < 20
    assert stack.now()["gateway"] - before < 100


def test_who_is_not_signed_in_hears_that_first():
    with Line() as line:
        line.send(f"POST /v1/photos HTTP/1.1\r\n{WHERE}Content-Type: image/jpeg\r\nContent-Length: {GIGABYTE}\r\n\r\n")
        check(line.answer(), 401, "unauthenticated")


@pytest.mark.parametrize("chunked", [False, True], ids=["declared", "chunked"])
@pytest.mark.parametrize("path, size", [("/sign-in", 70_000), ("/join", 2_200_000)], ids=["sign-in", "join"])
def test_a_stranger_has_no_large_picture_to_send(path, size, chunked):
    """Twelve megabytes are for people with an account: a form of the door is small, whatever it calls itself; joining has a picture."""
    framing = f"Transfer-Encoding: chunked\r\n\r\n{size:x}\r\n" if chunked else f"Content-Length: {size}\r\n\r\n"
    head = f"POST {path} HTTP/1.1\r\n{WHERE}Content-Type: multipart/form-data; boundary=x\r\n{framing}"
    check(raw(head.encode() + b"x" * size), 413)


LONG = {
    "the address": f"GET /{'a' * 40_000} HTTP/1.1\r\n{WHERE}\r\n",
    "a query": f"GET /v1/spots?{'a' * 40_000} HTTP/1.1\r\n{WHERE}\r\n",
    "a field": f"GET /v1/about HTTP/1.1\r\n{WHERE}X-A: {'a' * 40_000}\r\n\r\n",
    "a field's name": f"GET /v1/about HTTP/1.1\r\n{WHERE}{'a' * 40_000}: 1\r\n\r\n",
    "a cookie": f"GET /v1/about HTTP/1.1\r\n{WHERE}Cookie: a={'b' * 40_000}\r\n\r\n",
    "a token": f"GET /v1/me HTTP/1.1\r\n{WHERE}Authorization: Bearer {'b' * 40_000}\r\n\r\n",
    "many fields": f"GET /v1/about HTTP/1.1\r\n{WHERE}" + "".join(f"X-{n}: 1\r\n" for n in range(5000)) + "\r\n",
    "many cookies": f"GET /v1/about HTTP/1.1\r\n{WHERE}" + "Cookie: a=b\r\n" * 3000 + "\r\n",
    "all together": f"GET /v1/about HTTP/1.1\r\n{WHERE}" + "".join(f"X-{n}: {'a' * 1000}\r\n" for n in range(80)) + "\r\n",
    "fields without end": f"GET /v1/about HTTP/1.1\r\n{WHERE}" + "X-A: 1\r\n" * 300_000,
    "the host": f"GET /v1/about HTTP/1.1\r\nHost: {'a' * 40_000}\r\n\r\n",
}


@pytest.mark.parametrize("what", LONG)
def test_a_long_head_is_refused(what):
    check(raw(LONG[what]), 431, "headers_too_large")


def test_a_long_method_is_no_method():
    check(raw(f"{'A' * 40_000} /v1/about HTTP/1.1\r\n{WHERE}\r\n"), (400, 431), {"malformed", "headers_too_large"})


def test_trailers_without_end():
    head = f"POST /v1/sessions HTTP/1.1\r\n{WHERE}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{{}}\r\n0\r\n"
    with Line() as line:
        line.send(head + "X-A: 1\r\n" * 300_000)
        answer = line.answer()
        assert answer is not None and 400 <= answer.status < 500


def test_long_values_that_fit_are_just_values(ada):
    check(ask("GET", "/v1/about", {"Cookie": "; ".join(f"c{n}=1" for n in range(1000))}), 200)
    check(ask("GET", "/v1/me", {"Authorization": "Bearer " + "a." * 5000}), 401, "unauthenticated")
    check(ask("GET", "/", {"Accept-Language": ",".join("en" for _ in range(3000)), "Accept": "text/html"}), 200)
    check(ada.ask("POST", "/v1/spots", {"name": "x"}, headers={"Idempotency-Key": "k" * 256}), 400, "malformed")
