// Restaurants with a deliverer now, and accepting an offer, on Express and node-postgres, two workers: the tables, triggers, constraints, locks and statements of the service,
// one transaction. No bus, no session check (the access token is the person's id), no event stream, no subscribers, no sealed words, no ETag of its own making.
"use strict";
const crypto = require("crypto");

const [port] = process.argv.slice(2);
if (require("./two_workers")()) return;

const express = require("express");
const { Pool, types } = require("pg");
types.setTypeParser(20, Number);
// Where the database is comes by PGHOST and its kin.
const pool = new Pool({ max: 8, options: "-c search_path=matching,public" });
let statements = 0;
const names = new Map();
/** Named, hence prepared once for each connection. */
const run = (client, text, values) => {
  if (!names.has(text)) names.set(text, `s${statements++}`);
  return client.query({ name: names.get(text), text, values });
};

const app = express();
app.disable("x-powered-by");
app.use(express.json());
const handle = (work) => async (request, response, next) => {
  try { await work(request, response); } catch (error) { next(error); }
};
const caller = (request) => request.get("authorization").slice(7);
const place = (id, name, address, latitude, longitude) => ({ place: id || undefined, name, address: address || undefined, position: { latitude, longitude } });
const money = (amount, currency) => (amount === null ? undefined : { amount, currency });

// MARK: Restaurants

const RESTAURANTS = `SELECT * FROM (
    SELECT restaurants.*, globe <-> ll_to_earth($1::float8, $2::float8)::cube AS chord, here.* FROM restaurants
    CROSS JOIN LATERAL (
      SELECT count(*) AS deliverers, max(until) AS last, (array_agg(DISTINCT drop_name))[:3] AS drop_offs FROM availabilities
      WHERE restaurant = restaurants.id AND state = 'available' AND taken < capacity AND is_listed AND availabilities.until > $3::timestamptz
        AND availabilities.person <> $4::uuid AND availabilities.person NOT IN (SELECT other FROM blocks WHERE person = $4::uuid)
        AND NOT EXISTS (SELECT FROM suspensions WHERE suspensions.person = availabilities.person AND suspensions.until > $3::timestamptz OFFSET 0)
    ) AS here
    WHERE restaurants.until > $3::timestamptz AND here.deliverers > 0
    ORDER BY chord FETCH FIRST 21 ROWS WITH TIES
  ) AS found ORDER BY chord, id LIMIT 21`;

function metres(north, east, latitude, longitude) {
  const radians = Math.PI / 180;
  const rise = Math.sin(((latitude - north) * radians) / 2);
  const turn = Math.sin(((longitude - east) * radians) / 2);
  const half = rise * rise + Math.cos(north * radians) * Math.cos(latitude * radians) * turn * turn;
  return 2 * 6378168 * Math.asin(Math.min(1, Math.sqrt(half)));
}

app.get("/v1/restaurants", handle(async (request, response) => {
  const near = request.query.near.split(",").map(Number);
  const found = await run(pool, RESTAURANTS, [...near, new Date(), caller(request)]);
  response.json({
    items: found.rows.slice(0, 20).map((row) => ({
      restaurant: place(row.id, row.name, row.address, row.latitude, row.longitude), deliverers: row.deliverers, dropOffs: row.drop_offs, until: row.last,
      distance: Math.round(metres(...near, row.latitude, row.longitude)),
    })),
  });
}));

// MARK: Accepting

const LOCK = "SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || '/' || $1::text, 0))";
const REQUEST = `SELECT digest, reply, false AS refused FROM requests WHERE caller = $1 AND id = $2
  UNION ALL SELECT digest, refusal, true FROM refusals WHERE caller = $1 AND id = $2 AND digest = $3 AND until > $4`;
const SUSPENDED = "SELECT EXISTS (SELECT FROM suspensions WHERE suspensions.person = $1 AND suspensions.until > $2) AS suspended";
// Who holds the availability counts its hands one after another.
const AVAILABILITY = "SELECT * FROM availabilities WHERE id IN (SELECT availability FROM matches WHERE id = ANY($1)) ORDER BY id FOR NO KEY UPDATE";
const ORDER = `SELECT * FROM orders WHERE id IN (SELECT "order" FROM matches WHERE id = ANY($1)) ORDER BY id FOR NO KEY UPDATE`;
const MATCH = "SELECT * FROM matches WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE";
const MAY_MEET = `SELECT (NOT EXISTS (SELECT FROM blocks WHERE blocks.person = $1 AND other = $2::uuid OFFSET 0)
    AND NOT EXISTS (SELECT FROM suspensions WHERE suspensions.person = $2::uuid AND suspensions.until > $3 OFFSET 0)
    AND NOT EXISTS (SELECT FROM suspensions WHERE suspensions.person = $1::uuid AND suspensions.until > $3 OFFSET 0)) AS may`;
// The triggers count the hands: one that was full with the offer is full with the delivery.
const ACCEPT = `UPDATE matches SET state = 'accepted', accepted_at = $2::timestamptz, expected_at = $3, changed_at = $2::timestamptz, changed_by = $4, reason = NULL,
    due_at = $2::timestamptz + interval '3 hours', remind_at = $2::timestamptz + interval '30 minutes' WHERE id = $1`;
const MATCHED = "UPDATE orders SET state = 'matched', changed_at = $2, due_at = NULL WHERE id = $1";
const PEOPLE = "SELECT id, name, photo, campus, rating, reviews FROM people WHERE id = ANY($1)";
const ANSWERED = "INSERT INTO requests (caller, id, digest, reply) VALUES ($1, $2, $3, $4)";
const EVENTS = "INSERT INTO outbox (header, payload) SELECT header, payload FROM unnest($1::jsonb[], $2::jsonb[]) AS event (header, payload)";

function version7(now) {
  const bytes = crypto.randomBytes(16);
  bytes.writeUIntBE(now, 0, 6);
  bytes[6] = (bytes[6] & 0x0f) | 0x70;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = bytes.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

/** What every command begins and ends with. */
async function command(request, work) {
  const client = await pool.connect();
  try {
    const [now, person] = [new Date(), caller(request)];
    const [id, owner] = [version7(now.getTime()), `gateway/${person}`];
    const digest = crypto.createHash("sha256").update(request.path + JSON.stringify(request.body)).digest();
    await client.query("BEGIN");
    await run(client, LOCK, [`request/${owner}/${id}`]);
    await run(client, REQUEST, [owner, id, digest, now]);
    await run(client, LOCK, [`person/${person}`]);
    if ((await run(client, SUSPENDED, [person, now])).rows[0].suspended) throw Object.assign(new Error("suspended"), { status: 403 });
    const { status, reply, events } = await work(client, person, now);
    if (status >= 400) {
      await client.query("ROLLBACK");
    } else {
      // Of types that nobody listens to: what they say is what the service's do.
      const header = (type) => JSON.stringify({ id: version7(now.getTime()), type, aggregate: `match/${reply.id}`, audience: { nobody: {} }, occurredAt: now });
      await run(client, ANSWERED, [owner, id, digest, Buffer.from(JSON.stringify(reply))]);
      await run(client, EVENTS, [events.map(header), events.map(() => JSON.stringify(reply))]);
      await client.query("COMMIT");
    }
    client.release();
    return [status, reply];
  } catch (error) {
    client.release(error);
    throw error;
  }
}

async function people(client, ids) {
  const found = await run(client, PEOPLE, [ids]);
  const known = new Map(found.rows.map((row) => [row.id, { id: row.id, name: row.name, photo: row.photo || undefined }]));
  return (id) => known.get(id) || { id, name: "Someone" };
}

function answer(match, names) {
  const at = (prefix, id) => place(match[id], match[`${prefix}_name`], match[`${prefix}_address`], match[`${prefix}_latitude`], match[`${prefix}_longitude`]);
  return {
    id: match.id, order: match.order, state: match.state, orderer: names(match.orderer), deliverer: names(match.deliverer), role: "deliverer",
    restaurant: at("restaurant", "restaurant"), items: match.items, dropOff: at("drop", "drop_place"), destination: at("goes", "goes_place"),
    terms: { fee: money(match.fee, match.currency), limit: money(match.spend_limit, match.currency), paidBy: match.paid_by, isPrepaid: match.is_prepaid },
    detour: match.detour, detourSeconds: match.detour_seconds ?? undefined, isTurn: match.is_turn, offeredAt: match.offered_at, acceptedAt: match.accepted_at,
    expectedAt: match.expected_at, isShared: match.is_shared, changedAt: match.changed_at, changedBy: names(match.changed_by), statements: match.statements,
    possible: ["cancel", "pickUp", "giveUp", "postpone"],
  };
}

app.post("/v1/matches/:id/accept", handle(async (request, response) => {
  const [status, reply] = await command(request, async (client, person, now) => {
    const ids = [[request.params.id]];
    await run(client, AVAILABILITY, ids);
    const order = (await run(client, ORDER, ids)).rows[0];
    const match = (await run(client, MATCH, ids)).rows[0];
    if (!match || match.deliverer !== person) return { status: 404, reply: { code: "not_found" } };
    if (match.state !== "offered" || match.expires_at <= now) return { status: 409, reply: { code: "offer_gone" } };
    if (!(await run(client, MAY_MEET, [match.deliverer, match.orderer, now])).rows[0].may) return { status: 409, reply: { code: "offer_gone" } };
    const expected = new Date(now.getTime() + (Number(request.body.minutes || 0) * 60 + match.walk) * 1000);
    await run(client, ACCEPT, [match.id, now, expected, person]);
    await run(client, MATCHED, [order.id, now]);
    const names = await people(client, [match.orderer, match.deliverer]);
    const accepted = { ...match, state: "accepted", accepted_at: now, expected_at: expected, changed_at: now, changed_by: person };
    return { status: 200, reply: answer(accepted, names), events: ["benchAccepted", "benchRoom"] };
  });
  response.status(status).json(reply);
}));

// Node closes connections that rest for five seconds; those who ask keep theirs.
app.listen(Number(port), "127.0.0.1", 1024).keepAliveTimeout = 3_600_000;
