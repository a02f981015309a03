"""People who are connected and write to each other: chatters.py kampong|prosody PORT FILE

FILE is JSON: `people`, with the token of each, and `pairs` of their numbers, with the room of each. Plain sockets and one loop for both sides, so that
what the client costs is the same. Prints `ready` when all are connected; then for each line `RATE SECONDS` sends so many messages a second, due at
fixed moments whether or not answers keep up, and prints as JSON how long each took from the moment at which it was due until the other one had it.
"""

import base64
import collections
import json
import os
import re
import select
import socket
import sys
import time
import uuid

WORDS = "see you at the corner by the harbour, the spot beside the blue door is free from six on"
GRACE = 10


class Line:
    """A connection, and what of it was not read or written yet."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.kept = b""
        self.unsent = b""

    def send(self, data):
        """All of it, sooner or later."""
        if not self.unsent:
            try:
                data = data[self.socket.send(data):]
            except BlockingIOError:
                pass
        self.unsent += data

    def ask(self, data, end):
        """Waits, while connecting."""
        self.socket.sendall(data)
        text = b""
        while not re.search(end, text):
            more = self.socket.recv(65536)
            if not more:
                raise RuntimeError(f"closed after {text[-500:]!r}")
            text += more
        return text


class Chatters:
    """Who is connected. `mark` finds a message's number in what its reader gets."""

    def __init__(self, port, people, pairs):
        self.port, self.people, self.pairs = port, people, pairs
        self.poll, self.lines, self.stuck, self.refused = select.epoll(), {}, set(), 0

    def watch(self, line, handle):
        line.socket.setblocking(False)
        self.lines[line.socket.fileno()] = (line, handle)
        self.poll.register(line.socket.fileno(), select.EPOLLIN)

    def turn(self, seconds):
        """The numbers of messages that have arrived."""
        arrived = []
        for number, _ in self.poll.poll(max(0, seconds), 512):
            line, handle = self.lines[number]
            try:
                data = line.socket.recv(262144)
            except BlockingIOError:
                continue
            if not data:
                self.closed(line)
                continue
            arrived += handle(line, data)
        for line in list(self.stuck):
            waiting, line.unsent = line.unsent, b""
            self.send(line, waiting)
        return arrived

    def closed(self, line):
        raise RuntimeError(f"a connection was closed after {line.kept[-300:]!r}")

    def send(self, line, data):
        line.send(data)
        (self.stuck.add if line.unsent else self.stuck.discard)(line)

    def heard(self, line, data):
        """What begins in one piece and ends in the next is looked at with both."""
        text = line.kept + data
        line.kept = text[-64:]
        found, last = [], 0
        for match in self.mark.finditer(text):
            found.append(int(match[1]))
            last = match.end()
        if last > len(text) - 64:
            line.kept = text[last:]
        return found


class Kampong(Chatters):
    """A live stream for each person, and a pool of connections that post."""

    mark = re.compile(rb'"text": ?"k(\d+)x ')
    posting = 64

    def connect(self):
        for person in self.people:
            line = Line(self.port)
            head = line.ask(
                f"GET /v1/stream HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nAuthorization: Bearer {person['token']}\r\n\r\n".encode(),
                rb"\r\n\r\n")
            if b" 200 " not in head[:20]:
                raise RuntimeError(f"no stream: {head[:300]!r}")
            self.watch(line, self.heard)
        self.free, self.waiting = [], collections.deque()
        for _ in range(self.posting):
            self.open_one_more()

    def open_one_more(self):
        line = Line(self.port)
        self.watch(line, self.answered)
        self.free.append(line)

    def closed(self, line):
        """What nothing was asked on for a while is closed, as HTTP has it."""
        if line not in self.free:
            super().closed(line)
        self.free.remove(line)
        self.poll.unregister(line.socket.fileno())
        line.socket.close()
        self.open_one_more()

    def write(self, number):
        pair = self.pairs[number % len(self.pairs)]
        writer = pair["people"][number // len(self.pairs) % 2]
        body = json.dumps({"id": str(uuid.UUID(bytes=os.urandom(16), version=4)), "text": f"k{number}x {WORDS}"}).encode()
        request = (f"POST /v1/rooms/{pair['room']}/messages HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                   f"Authorization: Bearer {self.people[writer]['token']}\r\nContent-Length: {len(body)}\r\n\r\n").encode() + body
        if self.free:
            self.send(self.free.pop(), request)
        else:
            self.waiting.append(request)

    def answered(self, line, data):
        line.kept += data
        head, rest, body = line.kept.partition(b"\r\n\r\n")
        size = re.search(rb"(?i)\r\ncontent-length: *(\d+)", head)
        if not rest or not size or len(body) < int(size[1]):
            return []
        if b" 201 " not in head[:20]:
            self.refused += 1
            self.complaint = (head[:40] + body[:300]).decode(errors="replace")
        line.kept = b""
        if self.waiting:
            self.send(line, self.waiting.popleft())
        else:
            self.free.append(line)
        return []


class Prosody(Chatters):
    """One connection for each person, on which they write and read, as XMPP has it."""

    mark = re.compile(rb"<body>k(\d+)x")

    def connect(self):
        self.sessions = []
        opening = b"<?xml version='1.0'?><stream:stream to='localhost' version='1.0' xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams'>"
        for number, person in enumerate(self.people):
            line = Line(self.port)
            line.ask(opening, rb"</stream:features>")
            secret = base64.b64encode(f"\0u{number}\0{person['token']}".encode()).decode()
            line.ask(f"<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='PLAIN'>{secret}</auth>".encode(), rb"<success")
            line.ask(opening, rb"</stream:features>")
            line.ask(b"<iq type='set' id='b'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'><resource>r</resource></bind></iq>", rb"</jid>.*</iq>")
            line.ask(b"<presence/>", rb"<presence")
            self.watch(line, self.heard)
            self.sessions.append(line)

    def write(self, number):
        pair = self.pairs[number % len(self.pairs)]
        turn = number // len(self.pairs) % 2
        writer, reader = pair["people"][turn], pair["people"][1 - turn]
        self.send(self.sessions[writer], f"<message to='u{reader}@localhost' type='chat' id='k{number}'><body>k{number}x {WORDS}</body></message>".encode())


def measure(side, rate, seconds, first):
    """One step: so many messages, and when each was seen. Of those that both see, the first look counts only for the other one (`seen` twice)."""
    total, number, latencies, due = int(rate * seconds), 0, [], {}
    looks = 2 if isinstance(side, Kampong) else 1
    used, begin = time.process_time(), time.monotonic()
    while True:
        now = time.monotonic()
        while number < total and begin + number / rate <= now:
            due[first + number] = [begin + number / rate, looks]
            side.write(first + number)
            number += 1
        if number == total and not due:
            break
        if now > begin + seconds + GRACE:
            break
        arrived = side.turn(begin + number / rate - now if number < total else 0.1)
        now = time.monotonic()
        for message in arrived:
            entry = due.get(message)
            if entry is None:
                continue
            entry[1] -= 1
            # A writer hears of their own message as well: the later of the two is counted, which favours the other side.
            if entry[1] == 0:
                latencies.append(now - entry[0])
                del due[message]
    took = time.monotonic() - begin
    latencies.sort()
    share = lambda part: 1000 * latencies[min(len(latencies) - 1, int(part * len(latencies)))] if latencies else None
    return {
        "rate": rate, "sent": number, "seen": len(latencies), "lost": len(due), "refused": side.refused, "seconds": took,
        "p50": share(0.5), "p99": share(0.99), "longest": share(1), "client": time.process_time() - used,
        "complaint": getattr(side, "complaint", ""),
    }


def main():
    kind, port, file = sys.argv[1:]
    with open(file) as text:
        told = json.load(text)
    side = {"kampong": Kampong, "prosody": Prosody}[kind](int(port), told["people"], told["pairs"])
    side.connect()
    print("ready", flush=True)
    first = 0
    # Standard input is one more line that is watched: heartbeats are read while nothing is asked.
    waiting = select.epoll()
    waiting.register(sys.stdin.fileno(), select.EPOLLIN)
    waiting.register(side.poll.fileno(), select.EPOLLIN)
    while True:
        ready = [number for number, _ in waiting.poll()]
        if side.poll.fileno() in ready:
            side.turn(0)
        if sys.stdin.fileno() in ready:
            line = sys.stdin.readline()
            if not line:
                return
            rate, seconds = map(float, line.split())
            result = measure(side, rate, seconds, first)
            first += result["sent"]
            side.refused = 0
            print(json.dumps(result), flush=True)


main()
