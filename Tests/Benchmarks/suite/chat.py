"""Two thousand people who are connected and write to each other, at a rising rate, beside prosody with its archive on the same PostgreSQL.

A message is stored before it is sent on, on both sides: by Kampong in a room, by prosody (`mod_mam`) in the archive of each of the two. Both have all
their people connected all the time, and are asked in turns.
"""

import concurrent.futures
import contextlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import urllib.error

import machine
from figures import Figure

PEOPLE, RATES = 2000, (50, 100, 200, 300, 400, 500, 600, 800, 1000)
# A rate is held where each message is seen, none is refused, and one in a hundred takes no longer.
HELD = 1000
PASSWORD = "a walk along the harbour"
# At this rate both sides are compared by what a message costs: what a service does while nothing is asked is in it.
COMPARED = 100


def run(stack):
    people, pairs = crowd(stack)
    with contextlib.ExitStack() as ends:
        folder = pathlib.Path(ends.enter_context(tempfile.TemporaryDirectory()))
        folder.chmod(0o755)
        gateway = stack.process("gateway")
        prosody = Prosody(stack, folder, ends)
        sides, memory = {}, {}
        for name, port, root, process, known in (
            ("kampong", stack.port, stack.supervisor, gateway, [{"token": token} for _, token in people]),
            ("prosody", prosody.port, prosody.pid, prosody.pid, [{"token": PASSWORD}] * PEOPLE),
        ):
            before = machine.resident(process)[0]
            sides[name] = (connect(stack, folder, ends, name, port, known, pairs), root)
            memory[name] = (machine.resident(process)[0] - before) / PEOPLE
        results = rise(stack, sides, prosody)
    return [*table(results), Figure("memory per connected person", "kB", memory["kampong"], "prosody", memory["prosody"])]


def connect(stack, folder, ends, name, port, people, pairs):
    file = folder / f"{name}.json"
    file.write_text(json.dumps({"people": people, "pairs": pairs}))
    client = ends.enter_context(machine.running(
        sys.executable, stack.peers / "chatters.py", name, port, file, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True))
    if client.stdout.readline().strip() != "ready":
        raise RuntimeError(f"not everybody could connect to {name}")
    return client


def rise(stack, sides, prosody):
    """{side: {rate: rounds}}: rates rise until one is not held; in turns, so that what else the machine does falls on both."""
    results, going = {name: {} for name in sides}, list(sides)
    seconds = max(10, stack.seconds)
    for name in going:
        step(stack, *sides[name], 50, 5)
    stored = {"kampong": messages(stack), "prosody": prosody.messages()}
    for rate in RATES:
        for number in range(stack.rounds):
            for name in going[number % len(going):] + going[:number % len(going)] if going else []:
                results[name].setdefault(rate, []).append(step(stack, *sides[name], rate, seconds))
        for name in list(going):
            rounds = results[name][rate]
            print("   " + f"{name} at {rate}/s: " + "; ".join(
                f"p50 {round['p50'] or 0:.1f}, p99 {round['p99'] or 0:.1f} ms, {round['lost']} lost, {round['refused']} refused {round['complaint']}"
                for round in rounds), file=sys.stderr, flush=True)
            if not all(map(is_held, rounds)):
                going.remove(name)
        if not going:
            break
    # Whatever else: what was acknowledged and seen is there.
    for name, after in (("kampong", messages(stack)), ("prosody", prosody.messages())):
        seen = sum(round["seen"] for rounds in results[name].values() for round in rounds)
        if after - stored[name] < seen:
            raise RuntimeError(f"{name} has stored {after - stored[name]} of {seen} messages that were seen")
    return results


def is_held(result):
    return not result["lost"] and not result["refused"] and result["p99"] is not None and result["p99"] <= HELD


def step(stack, client, root, rate, seconds):
    """PostgreSQL's own work is counted once: it may stand within the supervisor's tree, or beside it."""
    own, database = machine.CPU(root, without=stack.postmaster), machine.CPU(stack.postmaster)
    client.stdin.write(f"{rate} {seconds}\n")
    client.stdin.flush()
    line = client.stdout.readline()
    if not line:
        raise RuntimeError("those who write have ended")
    result = json.loads(line)
    scale = 1000 / max(1, result["seen"])
    result["own"] = own.seconds() * scale
    result["cpu"] = result["own"] + database.seconds() * scale
    return result


def table(results):
    middle = lambda name, rate, field: sorted(round[field] or 0 for round in results[name][rate])[len(results[name][rate]) // 2]
    held = {name: max((rate for rate, rounds in rates.items() if all(map(is_held, rounds))), default=0) for name, rates in results.items()}
    figures = [Figure("messages a second that are held", "1/s", held["kampong"], "prosody", held["prosody"], reach="≥ 1×")]
    for rate, rounds in results["kampong"].items():
        beside = rate in results["prosody"]
        for field, unit, name in (("p50", "ms", "sent → seen, p50"), ("p99", "ms", "  p99"), ("cpu", "ms", "  CPU per message"),
                                  ("own", "ms", "  … without PostgreSQL")):
            figures.append(Figure(
                f"{rate}/s: {name}" if field == "p50" else name, unit, middle("kampong", rate, field), "prosody" if beside else "",
                middle("prosody", rate, field) if beside else None, reach="≤ 1×" if beside and rate == COMPARED else "",
                rounds={name: [round[field] for round in results[name].get(rate, [])] for name in results}))
    return figures


def messages(stack):
    return int(stack.psql("SELECT count(*) FROM chat.messages WHERE text LIKE 'k%x %'"))


# People


def crowd(stack):
    """(id, access token) of each, and the room of each pair: made once, signed in anew for each run."""
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        people = list(pool.map(lambda number: enter(stack, number), range(PEOPLE)))
        # Chat hears of them by events.
        pairs = list(pool.map(lambda number: pair(stack, people, 2 * number, 2 * number + 1), range(PEOPLE // 2)))
    return people, pairs


def enter(stack, number):
    account = {"email": f"chatter{number}@example.org", "password": PASSWORD}
    try:
        token = patiently(lambda: stack.ask("POST", "/v1/sessions", account), {503})["accessToken"]
    except urllib.error.HTTPError:
        account |= {"name": f"Chatter {number}"}
        token = patiently(lambda: stack.ask("POST", "/v1/accounts", account), {503})["session"]["accessToken"]
    return patiently(lambda: stack.ask("GET", "/v1/me", token=token), {503})["id"], token


def pair(stack, people, one, other):
    draft = {"subject": {"kind": "person", "id": people[other][0]}, "with": people[other][0]}
    # Nobody is known to chat before it has heard of them.
    room = patiently(lambda: stack.ask("POST", "/v1/rooms", draft, people[one][1]), {404, 503})
    return {"people": [one, other], "room": room["id"]}


def patiently(ask, passing, patience=30):
    """Asks again where the answer is one of those that pass: thousands are signed in at once."""
    end = time.monotonic() + patience
    while True:
        try:
            return ask()
        except urllib.error.HTTPError as problem:
            if problem.code not in passing or time.monotonic() > end:
                raise
            time.sleep(0.5)


# The other one


class Prosody:
    """Debian's prosody from the folder that deploy/bench unpacked it to, on a port of 127.0.0.1, with a database of its own."""

    def __init__(self, stack, folder, ends):
        self.stack = stack
        self.port = machine.free_port()
        unpacked = pathlib.Path(os.environ["KAMPONG_PROSODY"])
        stack.make_database("bench_prosody")
        stack.psql("DROP TABLE IF EXISTS prosodyarchive, prosody", "bench_prosody")
        data = folder / "prosody"
        accounts = data / "localhost/accounts"
        accounts.mkdir(parents=True)
        for number in range(PEOPLE):
            (accounts / f"u{number}.dat").write_text(f'return {{ ["password"] = "{PASSWORD}"; }};\n')
        (folder / "prosody.cfg.lua").write_text(self.settings(data))
        program = folder / "prosody.lua"
        text = (unpacked / "usr/bin/prosody").read_text()
        for name, value in (("SOURCEDIR", unpacked / "usr/lib/prosody"), ("PLUGINDIR", unpacked / "usr/lib/prosody/modules/"), ("DATADIR", data),
                            ("CONFIGDIR", folder)):
            default = next(line for line in text.splitlines() if line.startswith(f"CFG_{name}="))
            text = text.replace(default, f"CFG_{name}='{value}';")
        program.write_text(text)
        log = ends.enter_context(open(folder / "prosody.log", "w"))
        process = ends.enter_context(machine.running("lua5.4", program, "-F", "--config", folder / "prosody.cfg.lua", stdout=log, stderr=log))
        self.pid = process.pid
        try:
            machine.wait_for_port(self.port)
        except RuntimeError as problem:
            raise RuntimeError(f"{problem}: {(folder / 'prosody.log').read_text()[-1500:]}") from None

    def settings(self, data):
        return f"""
            run_as_root = true; daemonize = false; pidfile = "{data}/prosody.pid"; data_path = "{data}"
            interfaces = {{ "127.0.0.1" }}; c2s_ports = {{ {self.port} }}; c2s_direct_tls_ports = {{ }}; s2s_ports = {{ }}; http_ports = {{ }}; https_ports = {{ }}
            modules_enabled = {{ "saslauth", "mam" }}; modules_disabled = {{ "s2s", "tls", "offline" }}
            c2s_require_encryption = false; allow_unencrypted_plain_auth = true; authentication = "internal_plain"
            storage = {{ archive = "sql" }}; archive_expires_after = "never"; default_archive_policy = true
            sql = {{ driver = "PostgreSQL", host = "127.0.0.1", port = {self.stack.postgres_port}, database = "bench_prosody", username = "postgres",
                password = "{self.stack.settings['postgres.password']}" }}
            log = {{ warn = "*console" }}
            VirtualHost "localhost"
            """

    def messages(self):
        """Each is in the archive of both."""
        return int(self.stack.psql("SELECT count(*) FROM prosodyarchive", "bench_prosody")) // 2
