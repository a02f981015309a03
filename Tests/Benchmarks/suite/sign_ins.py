"""Sign-ins through the door against what the machine can hash at all, while others read at a steady rate."""

import concurrent.futures
import http.client
import json
import threading
import time

from figures import alone, compare, interleaved

# Twice as many as auth hashes at once: one is always waiting at the gate.
CROWD, CONCURRENCY = 8, 2
READS, CONNECTIONS = 300, 32


def run(stack):
    stack.fill()
    people = stack.people()
    paths = "\n".join(f"/v1/spots/{spot}" for spot in stack.ids()) + "\n"
    cost = dict(zip(("memory", "passes"), stack.psql("SELECT argon2_memory / 1024, argon2_operations FROM auth.keystone").strip().split("|")))
    seconds = max(5, stack.seconds)
    hashes = lambda: stack.measured(*stack.benchmarks(
        "hashes", "--concurrency", CONCURRENCY, "--memory", cost["memory"], "--passes", cost["passes"], "--seconds", seconds))
    read = lambda: reads(stack, paths, seconds)
    sign_in(stack, len(people), 2)
    read()
    results = interleaved(
        stack.rounds, library=hashes, kampong=lambda: sign_in(stack, len(people), seconds), quiet=read,
        both=lambda: together(lambda: sign_in(stack, len(people), seconds + 1), read))
    beside = [result[0] for result in results["both"]]
    figures = compare(
        "sign-ins, nothing else asked", "1/s", {"kampong": results["kampong"], "Argon2id alone": results["library"]}, "perSecond",
        ["Argon2id alone"], reach="≥ 0.8×", aim="≥ 0.95×")
    figures += compare(
        f"sign-ins beside {READS} reads a second", "1/s", {"kampong": beside, "Argon2id alone": results["library"]}, "perSecond",
        ["Argon2id alone"])
    figures.append(alone("  a sign-in: p50", "ms", beside, "p50"))
    reading = {"kampong": [result[1] for result in results["both"]], "without sign-ins": results["quiet"]}
    for field in ("p50", "p99", "p999"):
        limit = {"reach": "≤ 2×"} if field == "p99" else {}
        figures += compare(f"spot by id at {READS}/s beside sign-ins: {field}", "ms", reading, field, ["without sign-ins"], **limit)
    return figures


def reads(stack, paths, seconds):
    result = stack.measured(stack.home / "peers/openloop", stack.port, READS, seconds, CONNECTIONS, input=paths)
    if result["errors"]:
        raise RuntimeError(f"{result['errors']} of {result['count']} reads were refused")
    return result | {key: result[key] / 1000 for key in ("p50", "p99", "p999")}


def together(*sides):
    with concurrent.futures.ThreadPoolExecutor(len(sides)) as pool:
        return [future.result() for future in [pool.submit(side) for side in sides]]


def sign_in(stack, people, seconds):
    """Each of the crowd signs somebody in as soon as the one before has an answer. Python is busy for half a millisecond of the twenty and
    more that each takes."""
    times, begin = [], time.monotonic()
    end, turn, lock = begin + seconds, iter(range(1 << 30)), threading.Lock()

    def walk():
        door = http.client.HTTPConnection("127.0.0.1", stack.port, timeout=30)
        while (start := time.monotonic()) < end:
            with lock:
                number = next(turn) % people
            body = json.dumps({"email": f"bench{number}@example.org", "password": "a walk along the harbour"})
            door.request("POST", "/v1/sessions", body, {"Content-Type": "application/json"})
            answer = door.getresponse()
            text = answer.read()
            if answer.status != 200:
                raise RuntimeError(f"a sign-in was refused: {answer.status} {text[:200]}")
            times.append(time.monotonic() - start)
        door.close()

    with concurrent.futures.ThreadPoolExecutor(CROWD) as pool:
        for done in [pool.submit(walk) for _ in range(CROWD)]:
            done.result()
    taken = sorted(times)
    return {"perSecond": len(taken) / (time.monotonic() - begin), "p50": taken[len(taken) // 2] * 1000}
