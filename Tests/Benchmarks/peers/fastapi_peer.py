"""The same three requests on FastAPI and asyncpg, two uvicorn workers: the same statements, the same transaction, the same answer.

No bus, no session check (X-Person says who asks), no event stream, no ETag.
"""

import contextlib
import datetime
import hashlib
import json
import os
import pathlib
import urllib.parse
import uuid

import asyncpg
import fastapi

TEXTS = json.loads(pathlib.Path(__file__).with_name("statements.json").read_text())
state = {}


@contextlib.asynccontextmanager
async def lifespan(_):
    # Where the database is comes by PGHOST and its kin. asyncpg keeps what it has prepared, by its text.
    settings = {"search_path": "listings,public"}
    async with asyncpg.create_pool(min_size=1, max_size=8, server_settings=settings) as pool:
        state["pool"] = pool
        yield


app = fastapi.FastAPI(lifespan=lifespan, openapi_url=None)


def version7(now):
    value = int(now.timestamp() * 1000) << 80 | int.from_bytes(os.urandom(10), "big")
    value = value & ~(0xF << 76) | 0x7 << 76
    return uuid.UUID(int=value & ~(0x3 << 62) | 0x2 << 62)


async def people(connection, ids):
    rows = await connection.fetch(TEXTS["people"], list(set(ids)))
    return {row["id"]: person(row["id"], row["name"], row["photo"]) for row in rows}


def person(identity, name, photo=None):
    return {"id": str(identity), "name": name, **({"photo": photo} if photo else {})}


def time(moment):
    return moment.astimezone(datetime.timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def answer(row, names, viewer, now):
    point = f"{round(row['latitude'], 6)},{round(row['longitude'], 6)}"
    spot = {
        "id": str(row["id"]), "name": row["name"],
        "position": {"latitude": row["latitude"], "longitude": row["longitude"]}, "kind": row["kind"],
        "state": row["state"], "postedBy": names.get(row["posted_by"]) or person(row["posted_by"], "Someone"),
        "postedAt": time(row["posted_at"]), "expiresAt": time(row["expires_at"]),
        "age": max(0, int((now - row["posted_at"]).total_seconds())),
        "directions": f"geo:{point}?q={point}({urllib.parse.quote(row['name'])})",
        "observations": {"there": row["there"], "gone": row["gone"]}, "likelyGone": row["gone"] > row["there"],
        "mine": viewer == row["posted_by"],
    }
    if row["photo"]:
        spot["photo"] = row["photo"]
    if row["price"]:
        spot["price"] = {"amount": row["price"], "currency": row["currency"]}
    return spot


def reply(value, status=200):
    # As bytes: FastAPI's own encoder would walk through it once more.
    return fastapi.Response(json.dumps(value, separators=(",", ":")), status, media_type="application/json")


def utcnow():
    return datetime.datetime.now(datetime.timezone.utc)


@app.get("/v1/spots/{identity}")
async def spot(identity: uuid.UUID):
    async with state["pool"].acquire() as connection:
        row = await connection.fetchrow(TEXTS["spot"], identity)
        if row is None:
            return fastapi.Response(status_code=404)
        names = await people(connection, [row["posted_by"]])
    return reply(answer(row, names, None, utcnow()))


@app.get("/v1/spots")
async def spots(bbox: str):
    now = utcnow()
    async with state["pool"].acquire() as connection:
        found = await connection.fetch(TEXTS["box"], now, *map(float, bbox.split(",")))
        rows = found[:20]
        names = await people(connection, [row["posted_by"] for row in rows])
    page = {"items": [answer(row, names, None, now) for row in rows]}
    if len(found) > 20:
        page["next"] = str(rows[-1]["id"])
    return reply(page)


@app.post("/v1/spots")
async def post(request: fastapi.Request):
    draft = json.loads(await request.body())
    viewer = uuid.UUID(request.headers["x-person"])
    now = utcnow()
    identity, caller = version7(now), f"gateway/{viewer}"
    at = draft["position"]
    async with state["pool"].acquire() as connection:
        async with connection.transaction():
            await connection.fetch(TEXTS["lockRequest"], caller, identity)
            await connection.fetch(TEXTS["findRequest"], caller, identity)
            await connection.fetch(TEXTS["lockPerson"], str(viewer))
            await connection.fetch(TEXTS["holdings"], viewer, now, now - datetime.timedelta(hours=2))
            row = {
                "id": version7(now), "posted_by": viewer, "posted_at": now, "name": draft["name"], "kind": "street",
                "latitude": at["latitude"], "longitude": at["longitude"], "photo": None, "price": None, "there": 0,
                "expires_at": now + datetime.timedelta(minutes=30), "state": "free", "gone": 0,
            }
            await connection.execute(
                TEXTS["insertSpot"], row["id"], viewer, now, row["name"], row["kind"], row["latitude"],
                row["longitude"], row["expires_at"], float(int(now.timestamp() * 1000)))
            names = await people(connection, [viewer])
            value = answer(row, names, viewer, now)
            header = {
                "id": str(version7(now)), "type": "spotAdded", "aggregate": f"spot/{row['id']}",
                "audience": {"everyone": {}}, "occurredAt": time(now), "position": at,
            }
            stored = json.dumps(value).encode()
            digest = hashlib.sha256(await request.body()).digest()
            await connection.execute(TEXTS["insertRequest"], caller, identity, digest, stored)
            await connection.execute(TEXTS["insertEvent"], [json.dumps(header)], [json.dumps({"spot": value})])
    return reply(value, 201)
