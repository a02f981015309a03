"""Thousands of idle live streams, and one message to all of them."""

import subprocess
import time

import machine
from figures import Figure, alone

COUNT = 5000


def run(stack):
    gateway = stack.process("gateway")
    person = stack.people()[0]
    results, sizes = [], []
    for _ in range(stack.rounds):
        before = machine.resident(gateway)[0]
        word = f"Beside the loud {time.monotonic_ns()}"
        command = [str(part) for part in (stack.home / "peers/listeners", stack.port, COUNT, word)]
        with machine.running(*command, stdout=subprocess.PIPE, text=True) as listeners:
            if listeners.stdout.readline().strip() != "ready":
                raise RuntimeError("the streams could not be opened")
            time.sleep(2)
            sizes.append((machine.resident(gateway)[0] - before) / COUNT)
            posted = time.monotonic_ns()
            stack.ask("POST", "/v1/spots", {"name": word, "position": {"latitude": 60.2, "longitude": 25}}, person[1])
            text, _ = listeners.communicate(timeout=60)
        moments = sorted((int(line) - posted) / 1e6 for line in text.split())
        if len(moments) != COUNT:
            raise RuntimeError(f"{len(moments)} of {COUNT} streams heard")
        results.append({"first": moments[0], "p99": moments[int(COUNT * 0.99)], "last": moments[-1]})
        time.sleep(2)
    stack.forget_posted()
    return [
        # Later rounds find memory that the first one left behind: the first is what a stream costs.
        Figure("memory per idle stream", "kB", sizes[0], reach="≤ 25 kB", aim="≤ 12 kB", rounds={"kampong": sizes}),
        alone(f"a message to {COUNT:,} streams: the first hears", "ms", results, "first"),
        alone(f"a message to {COUNT:,} streams: p99", "ms", results, "p99"),
        alone(f"a message to {COUNT:,} streams: the last hears", "ms", results, "last"),
    ]
