"""Senders and readers who take their time: each is told so and loses the line, and nobody else waits."""

import time

import pytest

from hostile import Line
from slow_senders import ATTACKS, OF_EACH, SLACK, WHERE


@pytest.mark.last
def test_the_slow_are_told_and_left(slow_senders):
    slow_senders.join()
    assert not slow_senders.wrong, slow_senders.wrong[:5]
    # One kind is told at once, and has no time to report.
    assert len(slow_senders.times) == (len(ATTACKS) - 1) * OF_EACH
    for took, allowed in slow_senders.times:
        assert allowed - 1 <= took <= allowed + SLACK, f"{took:.1f} s where {allowed} are allowed"
    assert slow_senders.looked > 10  # the conftest looks at what it was answered


@pytest.mark.alone
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
