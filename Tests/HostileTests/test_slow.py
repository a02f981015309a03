"""Senders and readers who take their time: each is told so and loses the line, and nobody else waits. All of them at once, because each
takes as long as the gateway's patience."""

import os
import threading
import time

from hostile import HOST, PORT, Line, check

WHERE = f"Host: {HOST}:{PORT}\r\n"
# The gateway's times (Services/Gateway/README.md), and what a busy machine may add.
HEAD, BODY, SLACK = 15, 20, 8


def drip(line, data, every, seconds):
    """Sends byte by byte until the other side has enough, or the time is over."""
    end = time.monotonic() + seconds
    for byte in data:
        if time.monotonic() > end or line.socket.fileno() < 0 or not line.send(bytes([byte])):
            return
        time.sleep(every)


def slow_head(report):
    with Line(timeout=HEAD + SLACK) as line:
        begin = time.monotonic()
        line.send(f"GET /v1/about HTTP/1.1\r\n{WHERE}")
        threading.Thread(target=drip, args=(line, b"X-A: " + b"b" * 1000, 0.5, HEAD + SLACK), daemon=True).start()
        check(line.answer(), 408, "too_slow")
        report(time.monotonic() - begin, HEAD)


def silence(report):
    """A line that says nothing at all is closed without a word: there is nobody to tell."""
    begin = time.monotonic()
    with Line(timeout=HEAD + SLACK) as line:
        assert line.answer() is None
        report(time.monotonic() - begin, HEAD)


def slow_head_after_a_request(report):
    with Line(timeout=HEAD + SLACK) as line:
        line.send(f"GET /v1/about HTTP/1.1\r\n{WHERE}\r\n")
        check(line.answer(), 200)
        begin = time.monotonic()
        line.send("GET /v1/ab")
        check(line.answer(), 408, "too_slow")
        report(time.monotonic() - begin, HEAD)


def slow_body(report, framing, path="/v1/sessions"):
    with Line(timeout=BODY + SLACK) as line:
        begin = time.monotonic()
        line.send(f"POST {path} HTTP/1.1\r\n{WHERE}Content-Type: application/json\r\n{framing}\r\n\r\n")
        data = b"1\r\n{\r\n" * 200 if "chunked" in framing else b"{" * 1000
        threading.Thread(target=drip, args=(line, data, 0.2, BODY + SLACK), daemon=True).start()
        check(line.answer(), 408, "too_slow")
        report(time.monotonic() - begin, BODY)


def slow_after_the_answer(report):
    """What nobody wants to read is not waited for: the refusal comes at once, and the line ends soon after."""
    with Line(timeout=BODY + SLACK) as line:
        begin = time.monotonic()
        line.send(f"POST /nowhere HTTP/1.1\r\n{WHERE}Content-Length: 1000000\r\n\r\n")
        check(line.answer(), 404)
        assert time.monotonic() - begin < BODY / 2
        threading.Thread(target=drip, args=(line, b"x" * 1000, 0.2, BODY), daemon=True).start()
        assert line.is_closed(within=12)


def test_the_slow_are_told_and_left(neighbour):
    asked, wrong, times = neighbour.asked, [], []
    attacks = [slow_head, silence, slow_head_after_a_request, slow_after_the_answer]
    attacks += [lambda report: slow_body(report, "Content-Length: 5000"), lambda report: slow_body(report, "Transfer-Encoding: chunked")]

    def run(attack):
        try:
            attack(lambda took, allowed: times.append((took, allowed)))
        except BaseException as problem:
            wrong.append(f"{attack}: {type(problem).__name__}: {problem}")

    threads = [threading.Thread(target=run, args=(attack,)) for attack in attacks for _ in range(int(os.environ.get("KAMPONG_SLOW", "30")))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert not wrong, wrong[:5]
    for took, allowed in times:
        assert allowed - 1 <= took <= allowed + SLACK, f"{took:.1f} s where {allowed} are allowed"
    assert neighbour.asked - asked > 10  # the conftest looks at what it was answered


def test_a_reader_who_does_not_read_costs_little(stack):
    """Asks for much and reads nothing: what waits for it stays small, however often it asks."""
    before = stack.now()["gateway"]
    lines = []
    for _ in range(50):
        line = Line()
        line.socket.setblocking(False)
        try:
            line.socket.send((f"GET /v1/openapi.json HTTP/1.1\r\n{WHERE}\r\n" * 400).encode())
        except BlockingIOError:
            pass
        lines.append(line)
    time.sleep(4)
    grown = stack.now()["gateway"] - before
    for line in lines:
        line.socket.close()
    assert grown < 80, f"{grown} MB for fifty readers"
