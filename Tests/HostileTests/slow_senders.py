"""Senders who take their time, thirty of each kind and all of them at once, because each takes as long as the gateway's patience; beside other tests."""

import os
import threading
import time

from hostile import HOST, PORT, Line, check

WHERE = f"Host: {HOST}:{PORT}\r\n"
# The gateway's times (Services/Gateway/README.md), and what a busy machine may add.
HEAD, BODY, SLACK = 15, 20, 24
OF_EACH = int(os.environ.get("KAMPONG_SLOW", "30"))


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
        # The gateway's patience with bodies is what it must not take.
        assert time.monotonic() - begin < BODY - 2
        threading.Thread(target=drip, args=(line, b"x" * 1000, 0.2, BODY), daemon=True).start()
        assert line.is_closed(within=BODY - 2)


ATTACKS = [
    slow_head, silence, slow_head_after_a_request, slow_after_the_answer,
    lambda report: slow_body(report, "Content-Length: 5000"), lambda report: slow_body(report, "Transfer-Encoding: chunked"),
]


class SlowSenders:
    """What became of each, once `join` has returned: what was wrong, how long it took of what is allowed, and how often the neighbour looked meanwhile."""

    def __init__(self, neighbour):
        self.neighbour, self.wrong, self.times, self.looked = neighbour, [], [], 0
        self.thread = threading.Thread(target=self.work, daemon=True)
        self.thread.start()

    def work(self):
        before = self.neighbour.asked
        threads = [threading.Thread(target=self.run, args=(attack,), daemon=True) for attack in ATTACKS for _ in range(OF_EACH)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.looked = self.neighbour.asked - before

    def run(self, attack):
        try:
            attack(lambda took, allowed: self.times.append((took, allowed)))
        except BaseException as problem:
            self.wrong.append(f"{attack}: {type(problem).__name__}: {problem}")

    def join(self):
        self.thread.join(120)
        assert not self.thread.is_alive(), "the gateway is more patient with some than it says"
