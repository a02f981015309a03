"""What is no HTTP, or HTTP that two servers could understand differently: one clear answer, and the line is closed."""

import pytest

from hostile import HOST, PORT, Line, ask, check, raw

WHERE = f"Host: {HOST}:{PORT}\r\n"
POST = f"POST /v1/sessions HTTP/1.1\r\n{WHERE}Content-Type: application/json\r\n"
SMUGGLED = f"GET /v1/about HTTP/1.1\r\n{WHERE}\r\n"

NOT_HTTP = {
    "two lengths": POST + "Content-Length: 2\r\nContent-Length: 44\r\n\r\n{}",
    "two equal lengths": POST + "Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}",
    "a list of lengths": POST + "Content-Length: 2, 2\r\n\r\n{}",
    "length and coding": POST + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + SMUGGLED,
    "coding and length": POST + "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n" + SMUGGLED,
    "a signed length": POST + "Content-Length: +2\r\n\r\n{}",
    "a negative length": POST + "Content-Length: -2\r\n\r\n{}",
    "a hexadecimal length": POST + "Content-Length: 0x2\r\n\r\n{}",
    "a length beyond all numbers": POST + "Content-Length: 99999999999999999999999\r\n\r\n{}",
    "an unknown coding": POST + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
    "coding not last": POST + "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
    "white space before the colon": POST + "Content-Length : 2\r\n\r\n{}",
    "a folded field": f"GET /v1/about HTTP/1.1\r\n{WHERE}X-A: 1\r\n 2\r\n\r\n",
    "a bare carriage return": f"GET /v1/about HTTP/1.1\r\n{WHERE}X-A: 1\r2\r\n\r\n",
    "a null byte in a field": f"GET /v1/about HTTP/1.1\r\n{WHERE}X-A: 1\x002\r\n\r\n",
    "a null byte in a name": f"GET /v1/about HTTP/1.1\r\n{WHERE}X\x00A: 1\r\n\r\n",
    "a null byte in the address": f"GET /v1/\x00about HTTP/1.1\r\n{WHERE}\r\n",
    "a space in the address": f"GET /v1/about me HTTP/1.1\r\n{WHERE}\r\n",
    "a field without a name": f"GET /v1/about HTTP/1.1\r\n{WHERE}: 1\r\n\r\n",
    "a field without a colon": f"GET /v1/about HTTP/1.1\r\n{WHERE}nonsense\r\n\r\n",
    "no host": "GET /v1/about HTTP/1.1\r\n\r\n",
    "two hosts": f"GET /v1/about HTTP/1.1\r\n{WHERE}Host: elsewhere.example\r\n\r\n",
    "an unknown method": f"BREW /v1/about HTTP/1.1\r\n{WHERE}\r\n",
    "a method in small letters": f"get /v1/about HTTP/1.1\r\n{WHERE}\r\n",
    "no method": f"/v1/about HTTP/1.1\r\n{WHERE}\r\n",
    "noise": "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + "\xff" * 200 + "\r\n\r\n",
    "another protocol": "SSH-2.0-OpenSSH_9.2\r\n\r\n",
    "coding in HTTP/1.0": "POST /v1/sessions HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
}


@pytest.mark.parametrize("what", NOT_HTTP)
def test_what_is_no_http_is_malformed_and_ends_the_line(what):
    with Line() as line:
        line.send(NOT_HTTP[what])
        check(line.answer(), 400, "malformed")
        # Nothing that followed it was taken for a request.
        assert line.answer() is None


@pytest.mark.parametrize("version", ["HTTP/2.0", "HTTP/9.9", "HTTP/0.9"])
def test_another_version_is_named(version):
    check(raw(f"GET /v1/about {version}\r\n{WHERE}\r\n"), 505, "version_not_supported")


@pytest.mark.parametrize("body", [
    "zz\r\n{}\r\n0\r\n\r\n", "ffffffffffffffffff\r\n{}\r\n0\r\n\r\n", "-2\r\n{}\r\n0\r\n\r\n", "2\r\n{}xx0\r\n\r\n", "2 x\r\n{}\r\n0\r\n\r\n",
])
def test_a_broken_chunk_is_malformed(body):
    with Line() as line:
        line.send(POST + "Transfer-Encoding: chunked\r\n\r\n" + body)
        check(line.answer(), 400, "malformed")
        assert line.answer() is None


def test_a_body_that_breaks_off_is_not_taken_for_a_whole_one():
    """Half a form, and the line is closed in one direction: what came must not count as what was meant."""
    for framing in ("Content-Length: 40\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n28\r\n"):
        with Line() as line:
            line.send(f"POST /language HTTP/1.1\r\n{WHERE}Content-Type: application/x-www-form-urlencoded\r\n{framing}language=de&n")
            line.finish()
            answer = check(line.answer(), 400)  # a page, because a form is a page's
            assert answer["Set-Cookie"] is None


def test_an_old_client_gets_an_answer_and_the_end_of_the_line():
    with Line() as line:
        line.send("GET /v1/about HTTP/1.0\r\n\r\n")
        answer = check(line.answer(), 200)
        assert answer.json()["community"] and answer["Transfer-Encoding"] is None
        assert line.is_closed()
    with Line() as line:
        line.send("GET /v1/stream HTTP/1.0\r\n\r\n")
        line.socket.settimeout(3)
        text = line.socket.recv(4096)
        assert b"chunked" not in text.lower()


def test_connection_close_is_heeded_in_any_spelling():
    for value in ("close", "Close", "keep-alive, close"):
        with Line() as line:
            line.send(f"GET /v1/about HTTP/1.1\r\n{WHERE}Connection: {value}\r\n\r\n")
            check(line.answer(), 200)
            assert line.is_closed()


def test_an_offer_to_change_the_protocol_is_declined_and_leaves_nothing_hanging():
    with Line() as line:
        line.send(f"GET /v1/about HTTP/1.1\r\n{WHERE}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n")
        check(line.answer(), 200)
        assert line.is_closed()


def test_requests_in_one_packet_are_answered_in_their_order():
    with Line() as line:
        line.send((f"GET /v1/about HTTP/1.1\r\n{WHERE}\r\n" + f"GET /nowhere HTTP/1.1\r\n{WHERE}\r\n") * 50)
        for _ in range(50):
            check(line.answer(), 200)
            check(line.answer(), 404)


def test_garbage_after_a_request_is_answered_after_it():
    with Line() as line:
        line.send(f"GET /v1/about HTTP/1.1\r\n{WHERE}\r\n" + "\x00\x01garbage\r\n\r\n")
        check(line.answer(), 200)
        check(line.answer(), 400, "malformed")
        assert line.answer() is None


def test_expectations():
    body = b'{"email":"a@example.org","password":"x"}'
    with Line() as line:
        line.send(POST + f"Content-Length: {len(body)}\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n")
        assert line.socket.recv(64).startswith(b"HTTP/1.1 100")
        line.send(body)
        check(line.answer(), (401, 422))
    check(raw(POST + "Content-Length: 2\r\nExpect: a-miracle\r\n\r\n{}"), 417, "expectation_failed")


@pytest.mark.parametrize("path", [
    "/v1/spots/%", "/v1/spots/%z1", "/v1/spots/%00", "/v1/spots/%ff%fe", "/v1/spots/%c0%ae%c0%ae", "/v1/spots/..%2f..%2fetc%2fpasswd",
    "/v1/people/%0d%0aSet-Cookie:%20a=b", "/v1/spots/" + "%41" * 2000,
], ids=lambda path: path[:30])
def test_bad_percent_encoding_is_no_id(path):
    check(ask("GET", path), (400, 404), {"malformed", "not_found"})


@pytest.mark.parametrize("path", [
    "/assets/x/../../../../etc/passwd", "/assets/x/..%2f..%2f..%2fetc%2fpasswd", "/assets/x/%2e%2e/%2e%2e/run/stack.json",
    "/photos/../../keys/auth.secrets/full", "/photos/..%2f..%2fkeys/full", "/assets/x//etc/passwd", "/assets/%00/app.js", "//etc/passwd", "/..",
    "/\\..\\..", "/v1/../../settings", "/%2e%2e/%2e%2e/settings",
])
def test_no_address_leads_out_of_the_house(path):
    check(ask("GET", path), (400, 404))


@pytest.mark.parametrize("query", [
    "bbox=%", "bbox=%zz", "near=%ff,%fe", "near=60,24%00", "near=60,24&cursor=%00", "near=60,24&cursor=%ff%fe",
    "near=60,24&cursor=" + "a" * 600, "bbox=24,60,25,61&cursor='%20OR%201=1--", "limit=%31%30&limit=5", "of=%c3%28",
    "near=60,24&near=61,25", "&&&=&=&a=b", "%zz=1", "x=1&" * 3000,
], ids=lambda query: query[:30])
def test_bad_queries_are_refused(query):
    check(ask("GET", f"/v1/spots?{query}"), (400, 422), {"malformed", "invalid"})


def test_other_forms_of_addresses():
    check(raw(f"GET http://{HOST}:{PORT}/v1/about HTTP/1.1\r\n{WHERE}Connection: close\r\n\r\n"), 200)
    check(raw(f"OPTIONS * HTTP/1.1\r\n{WHERE}Connection: close\r\n\r\n", method="OPTIONS"), (400, 404, 405))
    check(raw(f"CONNECT example.org:443 HTTP/1.1\r\n{WHERE}\r\n"), (400, 404, 405))
    check(raw(f"TRACE /v1/about HTTP/1.1\r\n{WHERE}Cookie: a=b\r\nConnection: close\r\n\r\n"), 405, "method_not_allowed")


def test_bytes_that_are_no_utf8_in_fields_do_no_harm():
    for field in ("Cookie", "User-Agent", "Accept-Language", "traceparent", "X-Forwarded-For", "If-None-Match", "Accept-Encoding"):
        check(ask("GET", "/v1/about", {field: "\xff\xfe\xc3(;=,\"\\"}), 200)
    check(ask("POST", "/v1/sessions", {"Idempotency-Key": "\xff\xfe"}, b"{}"), (400, 415))
    check(ask("GET", "/v1/me", {"Authorization": "Bearer \xff\xfe"}), 401, "unauthenticated")
    check(ask("GET", "/", {"Cookie": "kampong_access=\xff; kampong_refresh=\xfe", "Accept": "text/html"}), (200, 303))
