"""One round trip of 256 bytes between two processes: Kampong's bus, C on libzmq with CURVE, and NATS."""

import contextlib
import tempfile

import machine
from figures import compare, interleaved


def run(stack):
    with contextlib.ExitStack() as ends:
        keys = ends.enter_context(tempfile.TemporaryDirectory())
        peers = stack.home / "peers"
        ours, one, nine, nats = (f"127.0.0.1:{machine.free_port()}" for _ in range(4))
        start = lambda *command: ends.enter_context(machine.running(*command))
        start(*stack.benchmarks("bus-server", "--keys", keys, "--endpoint", f"tcp://{ours}"))
        start(peers / "bus", "server", f"tcp://{one}", 1)
        start(peers / "bus", "server", f"tcp://{nine}", 9)
        start("nats-server", "-a", "127.0.0.1", "-p", nats.split(":")[1], "-l", "/dev/null")
        for address in (ours, one, nine, nats):
            machine.wait_for_port(int(address.split(":")[1]))
        start(peers / "nats", "server", f"nats://{nats}")

        kampong = lambda crowd: stack.measured(*stack.benchmarks(
            "bus-client", "--keys", keys, "--endpoint", f"tcp://{ours}", "--crowd", crowd, "--seconds", stack.seconds))
        c = lambda address, frames, crowd: stack.measured(
            peers / "bus", "client", f"tcp://{address}", frames, crowd, stack.seconds)
        sides = lambda crowd: {
            "kampong": lambda: kampong(crowd), "C, one frame": lambda: c(one, 1, crowd),
            "C, the same frames": lambda: c(nine, 9, crowd),
        }
        alone = interleaved(
            stack.rounds, **sides(1),
            NATS=lambda: stack.measured(peers / "nats", "client", f"nats://{nats}", stack.seconds))
        names = ["C, one frame", "C, the same frames"]
        crowd = interleaved(stack.rounds, **sides(64))
        return (
            compare("bus round trip: p50", "µs", alone, "p50", [*names, "NATS"], reach="≤ 1.25×", aim="≤ 1.1×")
            + compare("bus round trip: p99", "µs", alone, "p99", [*names, "NATS"])
            + compare("bus, 64 at once", "req/s", crowd, "perSecond", names))
