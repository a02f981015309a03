// The same three requests on Express and node-postgres, two workers: the same statements, the same transaction, the same answer.
// No bus, no session check (X-Person says who asks), no event stream, no ETag of its own making.
"use strict";
const crypto = require("crypto");
const fs = require("fs");
const path = require("path");

const [port] = process.argv.slice(2);
if (require("./two_workers")()) return;

const express = require("express");
const { Pool } = require("pg");
const texts = JSON.parse(fs.readFileSync(path.join(__dirname, "statements.json"), "utf8"));
// Where the database is comes by PGHOST and its kin.
const pool = new Pool({ max: 8, options: "-c search_path=listings,public" });
// Named, hence prepared once for each connection.
const run = (client, name, values) => client.query({ name, text: texts[name], values });

function version7(now) {
  const bytes = crypto.randomBytes(16);
  bytes.writeUIntBE(now, 0, 6);
  bytes[6] = (bytes[6] & 0x0f) | 0x70;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = bytes.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

const person = (row) => (row.photo ? { id: row.id, name: row.name, photo: row.photo } : { id: row.id, name: row.name });

async function people(client, ids) {
  const found = await run(client, "people", [[...new Set(ids)]]);
  return new Map(found.rows.map((row) => [row.id, person(row)]));
}

function answer(row, names, viewer, now) {
  const point = `${Number(row.latitude.toFixed(6))},${Number(row.longitude.toFixed(6))}`;
  return {
    id: row.id, name: row.name, position: { latitude: row.latitude, longitude: row.longitude }, kind: row.kind,
    state: row.state, photo: row.photo || undefined, price: row.price ? { amount: +row.price, currency: row.currency } : undefined,
    postedBy: names.get(row.posted_by) || { id: row.posted_by, name: "Someone" }, postedAt: row.posted_at.toISOString(),
    expiresAt: row.expires_at.toISOString(), age: Math.max(0, Math.floor((now - row.posted_at) / 1000)),
    directions: `geo:${point}?q=${point}(${encodeURIComponent(row.name)})`,
    observations: { there: row.there, gone: row.gone }, likelyGone: row.gone > row.there, mine: viewer === row.posted_by,
  };
}

const app = express();
app.disable("x-powered-by");
app.use(express.json());

app.get("/v1/spots/:id", async (request, response, next) => {
  try {
    const found = await run(pool, "spot", [request.params.id]);
    if (found.rows.length === 0) return response.status(404).end();
    const names = await people(pool, [found.rows[0].posted_by]);
    response.json(answer(found.rows[0], names, undefined, Date.now()));
  } catch (error) { next(error); }
});

app.get("/v1/spots", async (request, response, next) => {
  try {
    const [west, south, east, north] = request.query.bbox.split(",").map(Number);
    const found = await run(pool, "box", [new Date(), west, south, east, north]);
    const rows = found.rows.slice(0, 20);
    const names = await people(pool, rows.map((row) => row.posted_by));
    const now = Date.now();
    response.json({ items: rows.map((row) => answer(row, names, undefined, now)), next: found.rows.length > 20 ? rows[19].id : undefined });
  } catch (error) { next(error); }
});

async function post(client, viewer, draft) {
  const now = new Date();
  const request = version7(now.getTime());
  const caller = `gateway/${viewer}`;
  await client.query("BEGIN");
  await run(client, "lockRequest", [caller, request]);
  await run(client, "findRequest", [caller, request]);
  await run(client, "lockPerson", [viewer]);
  await run(client, "holdings", [viewer, now, new Date(now - 7200e3)]);
  const { latitude, longitude } = draft.position;
  const row = {
    id: version7(now.getTime()), posted_by: viewer, posted_at: now, name: draft.name, kind: "street", latitude, longitude,
    expires_at: new Date(now.getTime() + 1800e3), state: "free", there: 0, gone: 0,
  };
  await run(client, "insertSpot", [row.id, viewer, now, row.name, row.kind, latitude, longitude, row.expires_at, now.getTime()]);
  const names = await people(client, [viewer]);
  const reply = answer(row, names, viewer, now);
  const header = { id: version7(now.getTime()), type: "spotAdded", aggregate: `spot/${row.id}`, audience: { everyone: {} }, occurredAt: now, position: draft.position };
  const digest = crypto.createHash("sha256").update(JSON.stringify(draft)).digest();
  await run(client, "insertRequest", [caller, request, digest, Buffer.from(JSON.stringify(reply))]);
  await run(client, "insertEvent", [[JSON.stringify(header)], [JSON.stringify({ spot: reply })]]);
  await client.query("COMMIT");
  return reply;
}

app.post("/v1/spots", async (request, response, next) => {
  try {
    const client = await pool.connect();
    try {
      response.status(201).json(await post(client, request.get("x-person"), request.body));
      client.release();
    } catch (error) {
      client.release(error);
      throw error;
    }
  } catch (error) { next(error); }
});

// Node closes connections that rest for five seconds; those who ask keep theirs.
app.listen(Number(port), "127.0.0.1", 1024).keepAliveTimeout = 3_600_000;
