"""How a well-behaved person fares while others attack: p50 and p99 with and without each attack, in one run, and the peak of memory.

    KAMPONG_URL=… KAMPONG_HOME=… python3 Tests/HostileTests/measure.py [--seconds 20] [--connections 10000] [--json file] [attack …]

The person asks 40 times a second, whatever the answers do; a latency is counted from when the request was to be sent, so that a stall is
not hidden by the requests that it kept from being sent. Before each attack the same is measured without it."""

import argparse
import http.client
import json
import multiprocessing
import resource
import socket
import sys
import threading
import time

from hostile import HOST, NEIGHBOUR, OUTSIDE, PORT, RUN, Person, Processes, ask
from test_json import NO_JSON
from test_pictures import BOMBS, picture
from test_tokens import forgeries

WHERE = f"Host: {HOST}:{PORT}\r\n"
RATE = 40


class Watcher:
    """Looks at a spot, at the map and at a page, and now and then posts a spot; on two kept connections."""

    def __init__(self):
        self.person = Person("Wim", source=NEIGHBOUR)
        self.spot = self.person.post_spot(f"Watched {RUN}")["id"]
        self.lock = threading.Lock()

    def request(self, number):
        if number % 40 == 39:
            body = json.dumps({"name": f"W{number}", "position": {"latitude": 60.17, "longitude": 24.94}})
            return "POST", "/v1/spots", body
        return "GET", [f"/v1/spots/{self.spot}", "/v1/spots?near=60.17,24.94&radius=2000", f"/spots/{self.spot}", "/v1/about"][number % 4], None

    def work(self, numbers, begin, found):
        line = None
        for number in numbers:
            due = begin + number / RATE
            time.sleep(max(0, due - time.monotonic()))
            method, path, body = self.request(number)
            try:
                line = line or http.client.HTTPConnection(HOST, PORT, timeout=20, source_address=(NEIGHBOUR, 0))
                with self.lock:
                    token = self.person.fresh()
                line.request(method, path, body, {"Authorization": f"Bearer {token}", **({"Content-Type": "application/json"} if body else {})})
                answer = line.getresponse()
                text = answer.read()
                good = answer.status in (200, 201) or answer.status == 409 and b"too_many_spots" in text
            except OSError:
                good, line = False, None
            found.append((time.monotonic() - due, good))

    def watch(self, seconds):
        """Latencies in milliseconds, sorted, and how many requests failed."""
        found, begin, count = [], time.monotonic() + 0.2, int(seconds * RATE)
        threads = [threading.Thread(target=self.work, args=(range(part, count, 4), begin, found)) for part in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return sorted(took * 1000 for took, _ in found), sum(not good for _, good in found)


def quantile(values, share):
    return values[min(len(values) - 1, int(len(values) * share))]


# MARK: Attacks, each in a process of its own that is ended after its time


def every(seconds, body, *workers):
    """Runs `body` over and over in some threads, at most so often."""
    def loop(given):
        while True:
            begin = time.monotonic()
            try:
                body(given)
            except (OSError, AssertionError):
                pass
            time.sleep(max(0, seconds - (time.monotonic() - begin)))

    for worker in workers:
        threading.Thread(target=loop, args=(worker,), daemon=True).start()
    time.sleep(3600)


def gigabyte(_):
    block = b"x" * (1 << 20)

    def pour(chunked):
        with socket.create_connection((HOST, PORT), 20) as line:
            framing = "Transfer-Encoding: chunked" if chunked else "Content-Length: 1073741824"
            line.sendall(f"POST /v1/sessions HTTP/1.1\r\n{WHERE}Content-Type: application/json\r\n{framing}\r\n\r\n".encode())
            for _ in range(1024):
                line.sendall(b"%x\r\n%s\r\n" % (len(block), block) if chunked else block)

    every(0.1, pour, True, False)


def open_lines(count, sources, first):
    lines = []
    for number in range(count):
        line = socket.socket()
        line.bind((sources[number % len(sources)], 0))
        try:
            line.connect((HOST, PORT))
            if first:
                line.send(first)
            line.setblocking(False)
            lines.append(line)
        except OSError:
            line.close()
    return lines


def slow(_):
    """Five hundred heads and five hundred bodies, a byte a second each, opened again when they are cut."""
    heads = f"GET /v1/about HTTP/1.1\r\n{WHERE}X-A: ".encode()
    bodies = f"POST /v1/sessions HTTP/1.1\r\n{WHERE}Content-Type: application/json\r\nContent-Length: 60000\r\n\r\n".encode()
    sets = [(heads, ["127.0.3.1", "127.0.3.2"]), (bodies, ["127.0.3.3", "127.0.3.4"])]
    lines = [(open_lines(500, sources, first), first, sources) for first, sources in sets]
    while True:
        for group, first, sources in lines:
            for place, line in enumerate(group):
                try:
                    line.send(b"x")
                except OSError:
                    line.close()
                    group[place] = (open_lines(1, sources, first) or [line])[0]
            time.sleep(0.5)


def crowd(options):
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    kept = open_lines(options.connections, [f"127.0.5.{n + 1}" for n in range(25)], b"GET /v1/about HT")
    print(f"  {len(kept)} connections are open", file=sys.stderr)
    while True:
        time.sleep(1)


def one_address(options):
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    while True:
        for line in open_lines(options.connections, [OUTSIDE], b""):
            line.close()
        time.sleep(1)


def pictures(_):
    people = [Person(f"Bomber {n}") for n in range(2)]
    junk = [*BOMBS.values(), b"\xff\xd8\xff\xe0" + b"\0" * (11 << 20), picture("JPEG", (6000, 6000))]

    def send(person):
        for data in junk:
            person.ask("POST", "/v1/photos", data, headers={"Content-Type": "image/jpeg"}, timeout=60)

    every(0.5, send, *people)


def nonsense(_):
    person = Person("Nils")

    def send(_):
        for data in NO_JSON.values():
            person.ask("POST", "/v1/spots", data)
            time.sleep(0.01)

    every(0, send, 1, 2)


def tokens(_):
    made = list(forgeries(Person("Mallory"), Person("Victor")).values())

    def send(_):
        for token in made:
            ask("GET", "/v1/me", {"Authorization": f"Bearer {token}"})
            time.sleep(0.01)

    every(0, send, 1, 2)


ATTACKS = {"gigabyte": gigabyte, "slow": slow, "crowd": crowd, "one-address": one_address, "pictures": pictures, "nonsense": nonsense, "tokens": tokens}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--connections", type=int, default=10_000)
    parser.add_argument("--json")
    parser.add_argument("attacks", nargs="*", default=list(ATTACKS))
    options = parser.parse_args()
    processes, watcher, rows = Processes(), Watcher(), []
    print(f"{'attack':12} {'p50 ms':>8} {'p99 ms':>8} {'p50 ms':>8} {'p99 ms':>8} {'ratio':>6} {'failed':>6}   peak MB (gateway, auth, listings)")
    for name in options.attacks or list(ATTACKS):
        quiet, quiet_failed = watcher.watch(options.seconds)
        processes.forget_peaks()
        attack = multiprocessing.Process(target=ATTACKS[name], args=(options,), daemon=True)
        attack.start()
        time.sleep(4 if name == "crowd" else 2)
        loud, failed = watcher.watch(options.seconds)
        attack.terminate()
        attack.join()
        peaks = processes.peaks()
        row = {
            "attack": name, "quiet": [quantile(quiet, 0.5), quantile(quiet, 0.99)], "attacked": [quantile(loud, 0.5), quantile(loud, 0.99)],
            "ratio": quantile(loud, 0.99) / quantile(quiet, 0.99), "failed": failed + quiet_failed, "requests": len(loud), "peaks": peaks,
        }
        rows.append(row)
        print(f"{name:12} {row['quiet'][0]:8.1f} {row['quiet'][1]:8.1f} {row['attacked'][0]:8.1f} {row['attacked'][1]:8.1f} {row['ratio']:6.2f} {row['failed']:6}   "
              f"{peaks['gateway']}, {peaks['auth']}, {peaks['listings']}", flush=True)
        time.sleep(3)
    if options.json:
        with open(options.json, "w") as target:
            json.dump(rows, target, indent=1)


if __name__ == "__main__":
    main()
