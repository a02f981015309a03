"""Checking an access token: the gateway's own code beside PyJWT and Node, the same tokens, one thread each."""

import sys

import machine
from figures import alone, compare, interleaved

# As many as the gateway remembers, so that asking a second time finds each of them.
COUNT = 20_000


def run(stack):
    tokens = machine.output(stack.programs / "token-benchmarks", "make-tokens", "--count", COUNT)
    side = lambda *command: lambda: stack.measured(*command, input=tokens)
    results = interleaved(
        stack.rounds, kampong=side(stack.programs / "token-benchmarks", "check-tokens"), PyJWT=side(sys.executable, stack.peers / "tokens.py"),
        Node=side("node", stack.peers / "tokens.js"))
    return [
        *compare("a token that was not seen before", "µs", results, "cold", ["PyJWT", "Node"], reach="≤ 60 µs", aim="≤ 60 µs"),
        alone("  p99", "µs", results["kampong"], "p99"),
        alone("a token that was", "µs", results["kampong"], "known"),
    ]
