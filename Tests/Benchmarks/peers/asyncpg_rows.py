"""Single rows with asyncpg on uvloop: asyncpg_rows.py URL select|insert CONNECTIONS SECONDS"""

import asyncio
import json
import random
import sys
import time

import asyncpg
import uvloop

INSERT = "INSERT INTO inserted (worker, content) VALUES ($1, 'a row of some length')"


async def work(url, mode, worker, begin, end, durations):
    connection = await asyncpg.connect(url)
    text = "SELECT abalance FROM pgbench_accounts WHERE aid = $1" if mode == "select" else INSERT
    statement = await connection.prepare(text)
    while (start := time.perf_counter()) < end:
        if mode == "select":
            await statement.fetchrow(random.randint(1, 100_000))
        else:
            await statement.fetch(worker)
        if start >= begin:
            durations.append(time.perf_counter() - start)
    await connection.close()


async def main(url, mode, connections, seconds):
    begin = time.perf_counter() + 1
    durations = []
    await asyncio.gather(*(work(url, mode, n, begin, begin + seconds, durations) for n in range(connections)))
    durations.sort()
    at = lambda share: durations[int(share * len(durations))] * 1e6
    print(json.dumps({"count": len(durations), "perSecond": len(durations) / seconds, "p50": at(0.5), "p99": at(0.99)}))


uvloop.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4])))
