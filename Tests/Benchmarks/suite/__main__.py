"""Runs the comparisons; deploy/bench calls it."""

import argparse
import dataclasses
import datetime
import importlib
import json
import os
import pathlib
import platform
import sys
import traceback

from figures import table
from stack import Stack

GROUPS = "whole_path floor boxes bus rows documents events streams sign_ins tokens people streets memory chat rooms fanout places place_queries place_points rentals rides matching deliveries wanted wanted_world plans ride_plans matching_plans"


def main():
    parser = argparse.ArgumentParser(prog="deploy/bench")
    parser.add_argument("--only", nargs="+", choices=GROUPS.split(), default=GROUPS.split())
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=3)
    parser.add_argument("--spots", type=int, default=1_000_000)
    parser.add_argument("--people", type=int, default=1_000_000)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--things", type=int, default=1_000_000)
    parser.add_argument("--agreements", type=int, default=5_000_000)
    parser.add_argument("--rides", type=int, default=1_000_000)
    parser.add_argument("--held-out", action="store_true")
    for name in ("home", "programs", "postgres"):
        parser.add_argument(f"--{name}", required=True, help=argparse.SUPPRESS)
    options = parser.parse_args()
    stack = Stack(options)
    figures, failed = [], []
    # Memory first: it is that of a stack that nothing was asked of yet.
    for name in sorted(options.only, key=lambda name: name != "memory"):
        print(f"── {name}", file=sys.stderr, flush=True)
        try:
            found = importlib.import_module(name).run(stack)
        except Exception:
            # The others took minutes, and are as good as they were.
            traceback.print_exc()
            failed.append(name)
            continue
        figures += found
        print(table(found), flush=True)
        if options.json:
            options.json.write_text(json.dumps(report(figures, options), indent=2, ensure_ascii=False) + "\n")
    if failed:
        sys.exit(f"No figures of: {', '.join(failed)}")


def report(figures, options):
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "machine": {"cpus": os.cpu_count(), "memory": memory, "kernel": platform.release()},
        "rounds": options.rounds, "seconds": options.seconds, "spots": options.spots, "people": options.people,
        "figures": [dataclasses.asdict(figure) | {"ratio": figure.ratio} for figure in figures],
    }


main()
