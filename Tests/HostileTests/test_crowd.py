"""Many connections: from one address, and from many. Nobody else is kept out, and the processes stay small."""

import contextlib
import os
import resource
import socket
import time

import pytest

from hostile import HOST, NEIGHBOUR, OUTSIDE, PORT, ask, check, wait_for

pytestmark = pytest.mark.alone

PER_ADDRESS = 512
# Or as many as the machine lets us have descriptors for.
FILES = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
MANY = int(os.environ.get("KAMPONG_CONNECTIONS", min(10_000, FILES - 300)))
WHERE = f"Host: {HOST}:{PORT}\r\n"


def raise_files():
    assert PER_ADDRESS * 1.5 < MANY <= FILES - 300, f"{MANY} connections, and {FILES} descriptors are allowed here"
    resource.setrlimit(resource.RLIMIT_NOFILE, (MANY + 300, FILES))


class Line(socket.socket):
    """A connection that knows since when it is there."""

    def __init__(self):
        super().__init__()
        self.since = time.monotonic()


def crowd(count, sources, first=b""):
    lines = []
    for number in range(count):
        line = Line()
        line.settimeout(30)
        line.bind((sources[number % len(sources)], 0))
        line.connect((HOST, PORT))
        if first:
            # Whoever opens many one after the other is cut off before it has said anything.
            with contextlib.suppress(ConnectionError):
                line.send(first)
        lines.append(line)
    return lines


def alive(lines):
    """How many of them the other side has not closed."""
    time.sleep(1)
    count = 0
    for line in lines:
        line.setblocking(False)
        try:
            count += bool(line.recv(65536))
        except BlockingIOError:
            count += 1
        except ConnectionResetError:
            pass
    return count


def end(lines):
    for line in lines:
        line.close()


def is_let_in(source):
    answer = ask("GET", "/v1/about", source=source)
    return answer is not None and answer.status == 200


def neighbours_are_let_in(stack, before, most):
    begin = time.monotonic()
    for _ in range(20):
        check(ask("GET", "/v1/about", source=NEIGHBOUR), 200)
    assert time.monotonic() - begin < 60
    grown = stack.now()["gateway"] - before
    assert grown < most, f"{grown} MB for {MANY} connections"


def test_one_address_has_no_more_than_its_share(stack):
    raise_files()
    before = stack.now()["gateway"]
    lines = crowd(MANY, [OUTSIDE])
    try:
        # Also from that address one gets in, when it has rested: the oldest idle one gives way.
        wait_for(lambda: is_let_in(OUTSIDE))
        open_ones = alive(lines)
        assert PER_ADDRESS * 0.9 <= open_ones <= PER_ADDRESS, f"{open_ones} of {MANY} are open"
        neighbours_are_let_in(stack, before, 60)
    finally:
        end(lines)


def test_who_is_busy_does_not_give_way(ada):
    """As many streams as there are places, and one more connection: it is told that there is no place, and the streams live."""
    raise_files()
    source = "127.0.7.7"
    stream = f"GET /v1/stream HTTP/1.1\r\n{WHERE}\r\n".encode()
    lines = crowd(PER_ADDRESS, [source], stream)
    try:
        # A line is busy from its request's arrival on, which the answer shows.
        assert all(line.recv(65536).startswith(b"HTTP/1.1 200 ") for line in lines)
        assert alive(lines) == PER_ADDRESS
        answer = check(ask("GET", "/v1/about", source=source), 503, "too_many_connections")
        assert int(answer["Retry-After"]) > 0
        assert alive(lines) == PER_ADDRESS
        check(ask("GET", "/v1/about", source=NEIGHBOUR), 200)
    finally:
        end(lines)
    wait_for(lambda: is_let_in(source))


def test_a_crowd_from_many_addresses(stack):
    """Silent ones, and ones with half a head: memory for each is little, and newcomers take their places."""
    raise_files()
    before = stack.now()["gateway"]
    lines = []
    for _ in range(20):
        lines += crowd(MANY // 40, [f"127.0.{8 + n}.1" for n in range(20)])
        lines += crowd(MANY // 40, [f"127.0.{8 + n}.2" for n in range(20)], f"GET /v1/about HTTP/1.1\r\n{WHERE}X-A: ".encode() + b"a" * 1000)
    try:
        # Whoever has not asked for anything after 15 seconds is sent away: on a slow machine before the last ones are there.
        young = [line for line in lines if time.monotonic() - line.since < 10]
        # However slow it is, more of them than one address may have.
        assert len(young) > PER_ADDRESS, f"{len(young)} connections in ten seconds"
        assert alive(young) >= len(young) * 0.95
        neighbours_are_let_in(stack, before, 60 + MANY * 0.05)
    finally:
        end(lines)


def test_connections_that_come_and_go(stack):
    before = stack.now()["gateway"]
    for _ in range(10):
        end(crowd(300, [OUTSIDE], b"GET "))
    neighbours_are_let_in(stack, before, 60)
