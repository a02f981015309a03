"""Resident memory of the idle stack without PostgreSQL."""

import time

import machine
from figures import Figure


def run(stack):
    time.sleep(3)
    pids = {name: stack.process(name) for name in ("kampong", "auth", "listings", "gateway")}
    sizes = {name: machine.resident(pid) for name, pid in pids.items()}
    whole = Figure(
        "idle stack, resident", "MB", sum(size[0] for size in sizes.values()) / 1024, reach="≤ 150 MB", aim="≤ 80 MB")
    parts = [Figure(f"  {name}", "MB", size[0] / 1024) for name, size in sizes.items()]
    share = Figure("  proportional (shared pages once)", "MB", sum(size[1] for size in sizes.values()) / 1024)
    return [whole, *parts, share]
