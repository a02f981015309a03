"""How long signing in, joining and asking for a new password take where an address has an account, and where it has none: both distributions, and how well
one could tell them apart.

    KAMPONG_URL=… python3 Tests/HostileTests/timing.py --people 300 --json result.json

The stack's limits for attempts of one network address have to be lifted (KAMPONG_AUTH_LIMITS_ADDRESS, KAMPONG_AUTH_RESETS_NETWORK, KAMPONG_LIMITS_SIGNIN).
It is no test: the same wherever time is shared with others.
"""

import argparse
import json
import random
import time
import uuid

from hostile import Person, ask


def post(path, body):
    start = time.perf_counter_ns()
    answer = ask("POST", path, {"Content-Type": "application/json"}, json.dumps(body))
    return (time.perf_counter_ns() - start) / 1e6, answer


def sign_in(email):
    return post("/v1/sessions", {"email": email, "password": "not the right one"})


def join(email):
    """With another password than the account's: a name for the answer to differ in, if it did."""
    return post("/v1/accounts", {"email": email, "password": "another long sentence", "name": "Somebody"})


def reset(email):
    return post("/v1/password-resets", {"email": email})


QUESTIONS = {"sign-in": sign_in, "sign-up": join, "reset": reset}


def shape(answer):
    """What an answer says beside what is made anew each time."""
    def names(value):
        return {key: names(item) for key, item in value.items()} if isinstance(value, dict) else type(value).__name__

    body = names(answer.json()) if answer.body else None
    if answer.status >= 400:
        body = {key: value for key, value in answer.json().items() if key not in ("requestId", "instance")}
    return json.dumps([answer.status, body, sorted(name.lower() for name, _ in answer.headers)], sort_keys=True)


def quantile(values, part):
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]


def distance(one, other):
    """Kolmogorov and Smirnov: the greatest difference of the two distributions, and what chance alone exceeds once in a hundred times."""
    greatest = max(
        abs(sum(value <= at for value in one) / len(one) - sum(value <= at for value in other) / len(other)) for at in one + other)
    return greatest, 1.628 * ((len(one) + len(other)) / (len(one) * len(other))) ** 0.5


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--people", type=int, default=300)
    parser.add_argument("--json")
    options = parser.parse_args()
    known = [Person(f"Known {n}").email for n in range(options.people)]
    rows = []
    print(f"{'':9} {'account':>8} {'p10':>7} {'p50':>7} {'p90':>7} {'p99 ms':>7}   greatest difference (by chance 1 in 100)   answers")
    for name, question in QUESTIONS.items():
        tries = [(True, email) for email in known] + [(False, f"{uuid.uuid4().hex[:20]}@example.org") for _ in known]
        random.shuffle(tries)
        times, shapes = {True: [], False: []}, {True: set(), False: set()}
        for _, email in tries[:20]:
            question(f"warm-{email}")
        for is_known, email in tries:
            taken, answer = question(email)
            times[is_known].append(taken)
            shapes[is_known].add(shape(answer))
        greatest, chance = distance(times[True], times[False])
        alike = "alike" if shapes[True] == shapes[False] and len(shapes[True]) == 1 else f"{len(shapes[True] | shapes[False])} kinds"
        for is_known in (True, False):
            parts = [quantile(times[is_known], part) for part in (0.1, 0.5, 0.9, 0.99)]
            tail = f"{greatest:.3f} ({chance:.3f})   {alike}" if is_known else ""
            print(f"{name:9} {'has one' if is_known else 'has none':>8} " + " ".join(f"{part:7.2f}" for part in parts) + f"   {tail}", flush=True)
        rows.append({"question": name, "known": times[True], "unknown": times[False], "distance": greatest, "chance": chance, "answers": alike})
    if options.json:
        with open(options.json, "w") as target:
            json.dump(rows, target)


if __name__ == "__main__":
    main()
