"""The live streams of those who deliver, and connections by which others post at fixed moments: in one loop, by one clock."""

import collections
import dataclasses
import json
import re
import selectors
import socket
import time

CONNECTIONS, PATIENCE = 64, 30
OFFER = re.compile(rb"event: newMatch\ndata: (\{.*\})\n\n")


@dataclasses.dataclass
class Offer:
    match: str
    order: str
    # Whose stream carried it, and when.
    number: int
    at: float


@dataclasses.dataclass
class Answer:
    """`due` is when it was to be asked."""

    due: float
    status: int
    body: bytes


class Live:
    """`offers` has all that the streams carried since `begin`, in their order."""

    def __init__(self, port, people, ends):
        self.port, self.people, self.offers = port, people, []
        self.ready = selectors.DefaultSelector()
        ends.callback(self.ready.close)
        for number, (_, token) in enumerate(people):
            line = ends.enter_context(socket.create_connection(("127.0.0.1", port)))
            line.sendall(f"GET /v1/stream HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nAuthorization: Bearer {token}\r\n\r\n".encode())
            head = line.recv(4096)
            if b" 200 " not in head[:20]:
                raise RuntimeError(f"no stream: {head[:300]!r}")
            self.watch(line, Stream(self, number))

    def watch(self, line, reader):
        line.setblocking(False)
        self.ready.register(line, selectors.EVENT_READ, reader)

    def begin(self):
        """Whatever else was told is of before."""
        self.listen()
        self.offers.clear()

    def listen(self):
        """Until nothing was offered for a second. Streams say now and then that they are there."""
        count, end = len(self.offers), time.monotonic() + 1
        while time.monotonic() < end:
            self.turn(0.1)
            if len(self.offers) > count:
                count, end = len(self.offers), time.monotonic() + 1

    def turn(self, seconds):
        ready = self.ready.select(max(0, seconds))
        for key, _ in ready:
            data = key.fileobj.recv(262144)
            if not data:
                raise RuntimeError(f"a connection was closed after {key.data.kept[-300:]!r}")
            key.data.read(data)
        return ready

    def until(self, holds, what):
        end = time.monotonic() + PATIENCE
        while not holds():
            self.turn(0.05)
            if time.monotonic() > end:
                raise RuntimeError(f"not within {PATIENCE} seconds: {what()}")

    def still_once(self):
        """That no stream carries anything twice; whatever is still to be told is waited for."""
        self.listen()
        if len({offer.match for offer in self.offers}) != len(self.offers):
            raise RuntimeError("an offer was told twice")

    def post(self, requests, rate):
        """Posts each (path, token, JSON) when it is due, whether or not others are answered, as `peers/openloop.c` does. The answers are in their order."""
        free, answers = [], {}
        lines = [Line(self, free, answers) for _ in range(CONNECTIONS)]
        try:
            sent, begin = 0, time.monotonic() + 0.1
            last = begin
            while len(answers) < len(requests):
                now, before = time.monotonic(), len(answers)
                while sent < len(requests) and free and begin + sent / rate <= now:
                    free.pop().ask(sent, begin + sent / rate, *requests[sent])
                    sent += 1
                self.turn(min(0.1, begin + sent / rate - now) if sent < len(requests) and free else 0.1)
                last = now if len(answers) > before or sent == 0 else last
                if now > last + PATIENCE:
                    raise RuntimeError(f"nothing was answered for {PATIENCE} seconds")
        finally:
            for line in lines:
                line.close()
        return [answers[number] for number in range(len(requests))]


class Stream:
    """What of it was not read yet, and whose it is."""

    def __init__(self, live, number):
        self.live, self.number, self.kept = live, number, b""

    def read(self, data):
        now, text = time.monotonic(), self.kept + data
        end = text.rfind(b"\n\n") + 2 if b"\n\n" in text else 0
        self.kept = text[end:]
        for told in OFFER.findall(text[:end]):
            match = json.loads(told)["match"]
            if match["deliverer"]["id"] != self.live.people[self.number][0]:
                raise RuntimeError("an offer is on the stream of somebody else")
            self.live.offers.append(Offer(match["id"], match["order"], self.number, now))


class Line:
    """A connection on which something is posted, and then the next."""

    def __init__(self, live, free, answers):
        self.live, self.free, self.answers, self.kept, self.asked = live, free, answers, b"", None
        self.socket = socket.create_connection(("127.0.0.1", live.port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        live.watch(self.socket, self)
        free.append(self)

    def ask(self, number, due, path, token, value):
        body = json.dumps(value).encode()
        self.asked = (number, due)
        # Small, on an idle connection: the kernel takes it whole.
        self.socket.sendall(
            f"POST {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n".encode() + body)

    def read(self, data):
        self.kept += data
        head, rest, body = self.kept.partition(b"\r\n\r\n")
        size = re.search(rb"(?i)\r\ncontent-length: *(\d+)", head)
        if not rest or not size or len(body) < int(size[1]):
            return
        number, due = self.asked
        self.answers[number] = Answer(due, int(head.split(b" ", 2)[1]), body)
        self.kept = b""
        self.free.append(self)

    def close(self):
        self.live.ready.unregister(self.socket)
        self.socket.close()


def by_order(offers):
    """{order: its offers}, the first one first."""
    found = collections.defaultdict(list)
    for offer in offers:
        found[offer.order].append(offer)
    return found
