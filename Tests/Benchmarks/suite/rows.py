"""Single rows: the libpq wrapper beside pgbench and asyncpg, eight connections each over TCP."""

import pathlib
import re
import sys
import tempfile

import machine
from figures import compare, interleaved

CONNECTIONS, DEPTH, DATABASE = 8, 64, "bench_rows"
SELECT = "\\set aid random(1, 100000)\nSELECT abalance FROM pgbench_accounts WHERE aid = :aid;\n"
INSERT = "INSERT INTO inserted (worker, content) VALUES (:client_id, 'a row of some length');\n"


def fill(stack):
    stack.make_database(DATABASE)
    if stack.psql("SELECT to_regclass('pgbench_accounts') IS NULL", DATABASE).strip() == "t":
        machine.output(stack.postgres / "pgbench", "-iq", "-s", "1", stack.admin_url(DATABASE))


def run(stack):
    fill(stack)
    stack.psql(
        "CREATE TABLE IF NOT EXISTS inserted (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, worker int, content text)",
        DATABASE)
    with tempfile.TemporaryDirectory() as folder:
        scripts = pathlib.Path(folder)
        pipelined = lambda text, times: "\\startpipeline\n" + text * times + "\\endpipeline\n"
        (scripts / "select").write_text(SELECT)
        (scripts / "selects").write_text(pipelined(SELECT, DEPTH))
        (scripts / "insert").write_text(INSERT)
        pgbench = lambda name, times=1: bench(stack, scripts / name, times)
        ours = lambda command, depth: stack.measured(*stack.benchmarks(
            command, "--url", stack.admin_url(DATABASE), "--connections", CONNECTIONS, "--depth", depth, "--seconds",
            stack.seconds))
        asyncpg = lambda mode: stack.measured(
            sys.executable, stack.peers / "asyncpg_rows.py", stack.admin_url(DATABASE), mode, CONNECTIONS, stack.seconds)

        select = interleaved(
            stack.rounds, kampong=lambda: ours("select-rows", 1), pgbench=lambda: pgbench("select"),
            asyncpg=lambda: asyncpg("select"))
        selects = interleaved(
            stack.rounds, kampong=lambda: ours("select-rows", DEPTH), pgbench=lambda: pgbench("selects", DEPTH))
        insert = interleaved(
            stack.rounds, kampong=lambda: ours("insert-rows", 1), pgbench=lambda: pgbench("insert"),
            asyncpg=lambda: asyncpg("insert"))
        inserts = interleaved(
            stack.rounds, kampong=lambda: ours("insert-rows", DEPTH), pgbench=lambda: pgbench("insert"))
        stack.psql("TRUNCATE inserted", DATABASE)
        both = ["pgbench", "asyncpg"]
        return (
            compare("select by key, unpipelined", "rows/s", select, "perSecond", both, reach="≥ 0.9×", aim="≥ 1.0×")
            + compare("select by key, pipelined", "rows/s", selects, "perSecond", ["pgbench"])
            + compare("durable insert, unpipelined", "rows/s", insert, "perSecond", both)
            + compare("durable insert, pipelined, against unpipelined", "rows/s", inserts, "perSecond", ["pgbench"]))


def bench(stack, script, times):
    text = machine.output(
        stack.postgres / "pgbench", "-n", "-M", "prepared", "-c", CONNECTIONS, "-j", "1", "-T", stack.seconds, "-f",
        script, stack.admin_url(DATABASE))
    return {"perSecond": float(re.search(r"^tps = ([\d.]+)", text, re.M)[1]) * times}
