"""Resident memory of the idle stack without PostgreSQL."""

import time

import machine
from figures import Figure

# Those that the reach was set for; the others came later.
FIRST, LATER = ("kampong", "auth", "listings", "gateway"), ("chat", "matching", "notification", "places", "rides")
# Seconds until a process has handed back what only its start needed (ServiceKit's StartMemory), and some more.
START = 20


def run(stack):
    time.sleep(START)
    sizes = {name: machine.resident(stack.process(name)) for name in FIRST + LATER}
    megabytes = lambda names, column: sum(sizes[name][column] for name in names) / 1024
    return [
        Figure("idle stack, resident", "MB", megabytes(FIRST, 0), reach="≤ 150 MB", aim="≤ 80 MB"),
        *(Figure(f"  {name}", "MB", megabytes([name], 0)) for name in FIRST),
        Figure("  proportional (shared pages once)", "MB", megabytes(FIRST, 1)),
        Figure("with chat, matching, notification, places and rides", "MB", megabytes(FIRST + LATER, 0)),
        Figure("  proportional (shared pages once)", "MB", megabytes(FIRST + LATER, 1)),
    ]
