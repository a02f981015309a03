"""Boxes among a million spots at a steady rate, each answer counted from the moment at which its request was due."""

from figures import alone

RATE, CONNECTIONS = 500, 64


def run(stack):
    stack.fill()
    figures = []
    for kilometres in (1.0, 5.0):
        paths = "\n".join(f"/v1/spots?bbox={box}" for box in stack.boxes(20_000, kilometres)) + "\n"
        measure = lambda seconds, paths=paths: ask(stack, paths, seconds)
        measure(2)
        results = [measure(max(5, stack.seconds)) for _ in range(stack.rounds)]
        name = f"box of {kilometres:.0f} km, {RATE}/s open loop"
        first = kilometres == 1
        figures += [
            alone(f"{name}: p50", "ms", results, "p50"),
            alone(f"{name}: p99", "ms", results, "p99", *(("≤ 20 ms", "≤ 5 ms") if first else ("", ""))),
            alone(f"{name}: p99.9", "ms", results, "p999"),
            alone(f"{name}: answered", "req/s", results, "perSecond"),
        ]
    return figures


def ask(stack, paths, seconds):
    result = stack.measured(stack.home / "peers/openloop", stack.port, RATE, seconds, CONNECTIONS, input=paths)
    if result["errors"]:
        raise RuntimeError(f"{result['errors']} of {result['count']} boxes were refused")
    return result | {key: result[key] / 1000 for key in ("p50", "p99", "p999")}
