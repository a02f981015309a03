// Browsing, searching and renting things on Express and node-postgres, two workers: the same statements, the same transaction, the same answer.
// No bus, no session check (the access token is the person's id), no event stream, no ETag of its own making.
"use strict";
const crypto = require("crypto");

const [port] = process.argv.slice(2);
if (require("./two_workers")()) return;

const express = require("express");
const { Pool, types } = require("pg");
// bigint: prices and moments are well below what a double tells apart.
types.setTypeParser(20, Number);
// Where the database is comes by PGHOST and its kin. Words are found by bitmaps, and nothing else is, as in the service.
const pool = new Pool({ max: 8, options: "-c search_path=listings,public -c enable_bitmapscan=off" });
const searching = new Pool({ max: 8, options: "-c search_path=listings,public" });
let statements = 0;
const names = new Map();
/** Named, hence prepared once for each connection. */
const run = (client, text, values) => {
  if (!names.has(text)) names.set(text, `s${statements++}`);
  return client.query({ name: names.get(text), text, values });
};

const COLUMNS = `id, kind, owner, posted_at, state, title, description, brand, model, plate, size, region, place, address, latitude, longitude, photos,
  available_from, available_until, price, currency, unit, longest, cancellation, is_instant, zone, hidden_at, hidden_reason, withheld`;
const PEOPLE = "SELECT id, name, photo, campus, rating, reviews FROM people WHERE id = ANY($1)";
const ORDERS = { newest: "newness DESC, id DESC", price: "price, id", "-price": "price DESC, id DESC", region: "quarter, id", nearest: "chord, id" };

/** The statement of a page for somebody who is not signed in, and whether its plan depends on its values. */
function page(kind, query) {
  const values = [];
  const bind = (value) => `$${values.push(value)}`;
  const globe = () => {
    const [latitude, longitude] = query.near.split(",").map(Number);
    return `ll_to_earth(${bind(latitude)}, ${bind(longitude)})::cube`;
  };
  const order = query.sort || "newest";
  const now = bind(new Date());
  const distance = query.near && order !== "nearest" ? `, globe <-> ${globe()} AS chord, sec_to_gc(globe <-> ${globe()}) AS ground` : "";
  let where = `listed AND kind = ${bind(kind)}`;
  if (query.region) where += ` AND quarter = ${bind(query.region)}`;
  if (query.brand) where += ` AND kind = 'car' AND brand = ${bind(query.brand)}`;
  if (query.highestPrice) where += ` AND price <= ${bind(Number(query.highestPrice))}`;
  const words = (query.q || "").split(/\s+/).filter(Boolean).join(" ");
  if (words) {
    const search = (isRest) => `thing_search(${bind([kind])}::text[], ${bind(words)}, ${isRest})`;
    where += ` AND words @@ ${search(false)} AND (words @@ ${search(true)}) IS NOT FALSE`;
  }
  if (query.from) {
    const from = bind(`${query.from}T00:00:00`);
    const last = new Date(Date.parse(query.until) + 86400e3).toISOString().slice(0, 10);
    const until = bind(`${last}T00:00:00`);
    where += ` AND NOT EXISTS (SELECT FROM occupied WHERE occupied.thing = things.id AND occupied.period && tstzrange(
      ${from}::text::timestamp AT TIME ZONE zone, ${until}::text::timestamp AT TIME ZONE zone))
      AND (available_from IS NULL OR available_from <= ${from}::text::timestamp)
      AND (available_until IS NULL OR ${until}::text::timestamp <= available_until + 1)`;
  }
  if (order === "nearest") where += " AND globe IS NOT NULL";
  const key = order === "nearest" ? `globe <-> ${globe()}` : ORDERS[order];
  const found = `FROM things WHERE ${where} ORDER BY ${key} FETCH FIRST 21 ROWS`;
  const inner = order === "nearest"
    ? `SELECT ${COLUMNS}, quarter, newness, chord, sec_to_gc(chord) AS ground FROM (
        SELECT * FROM (SELECT id, globe <-> ${globe()} AS chord ${found} WITH TIES) AS tied ORDER BY chord, id FETCH FIRST 21 ROWS ONLY
      ) AS nearest JOIN things USING (id)`
    : `SELECT ${COLUMNS}, quarter, newness ${distance} ${found} ONLY`;
  const text = `SELECT page.*, (EXISTS (SELECT FROM occupied WHERE occupied.thing = page.id AND occupied.period @> ${now}::timestamptz)
    OR CASE WHEN page.available_until IS NOT NULL THEN page.available_until < (${now}::timestamptz AT TIME ZONE page.zone)::date ELSE false END) AS is_taken
    FROM (${inner}) AS page ORDER BY ${ORDERS[order]}`;
  const isFiltered = Boolean(query.region || query.brand || query.highestPrice || query.from || words);
  return { text, values, isFiltered, client: words ? searching : pool };
}

const middle = (degrees) => Math.round((Math.floor(degrees / 0.005) * 0.005 + 0.0025) * 1e4) / 1e4;
const money = (row, units = 1) => (row.currency ? { amount: row.price * units, currency: row.currency } : undefined);
const terms = (row) => ({
  price: money(row), unit: row.unit, longest: row.longest || undefined, cancellation: row.cancellation, isInstant: row.is_instant, zone: row.zone,
});
const summary = (row) => ({ id: row.id, name: row.name, photo: row.photo || undefined });

async function people(client, ids) {
  const found = await run(client, PEOPLE, [[...new Set(ids)]]);
  const known = new Map(found.rows.map((row) => [row.id, summary(row)]));
  return (id) => known.get(id) || { id, name: "Someone" };
}

const answer = (row, names) => ({
  id: row.id, kind: row.kind, state: row.state, title: row.title, description: row.description || undefined, brand: row.brand || undefined,
  model: row.model || undefined, size: row.size || undefined, region: row.region || undefined, place: row.place || undefined,
  position: row.latitude === null ? undefined : { latitude: middle(row.latitude), longitude: middle(row.longitude) }, isExact: false, photos: row.photos,
  terms: terms(row), owner: names(row.owner), postedAt: row.posted_at.toISOString(), distance: row.ground === undefined ? undefined : Math.round(row.ground),
  mine: false, action: row.is_taken ? "unavailable" : "rent",
});

const app = express();
app.disable("x-powered-by");
app.use(express.json());

const KINDS = { cars: "car", spaces: "space", "private-parking": "parking" };
for (const [path, kind] of Object.entries(KINDS)) {
  app.get(`/v1/${path}`, async (request, response, next) => {
    try {
      const { text, values, isFiltered, client } = page(kind, request.query);
      const found = isFiltered ? await client.query(text, values) : await run(client, text, values);
      const rows = found.rows.slice(0, 20);
      const names = await people(pool, rows.map((row) => row.owner));
      response.json({ items: rows.map((row) => answer(row, names)), next: found.rows.length > 20 ? rows[19].id : undefined });
    } catch (error) { next(error); }
  });
  app.post(`/v1/${path}/:id/rentals`, async (request, response, next) => {
    let client;
    try {
      client = await pool.connect();
      const person = request.get("authorization").slice(7);
      const [status, reply] = await rent(client, person, request.params.id, request.body);
      client.release();
      response.status(status).json(reply);
    } catch (error) {
      if (client) client.release(error);
      next(error);
    }
  });
}

function version7(now) {
  const bytes = crypto.randomBytes(16);
  bytes.writeUIntBE(now, 0, 6);
  bytes[6] = (bytes[6] & 0x0f) | 0x70;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = bytes.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

const LOCK = "SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || '/' || $1::text, 0))";
const REQUEST = `SELECT digest, reply, false AS refused FROM requests WHERE caller = $1 AND id = $2
  UNION ALL SELECT digest, refusal, true FROM refusals WHERE caller = $1 AND id = $2 AND until > $3`;
const SUSPENDED = "SELECT EXISTS (SELECT FROM suspensions WHERE suspensions.person = $1 AND suspensions.until > $2) AS suspended";
const HOLDINGS = `SELECT (SELECT count(*) FROM things WHERE owner = $1 AND state <> 'withdrawn') AS things,
  (SELECT count(*) FROM rentals WHERE renter = $1 AND state = 'requested') AS waiting`;
const THING = `SELECT page.*, running.id AS rental, running.state AS rental_state FROM things AS page LEFT JOIN LATERAL (
    SELECT rentals.id, rentals.state FROM rentals WHERE rentals.thing = page.id AND rentals.renter = $2
      AND rentals.state IN ('requested', 'accepted', 'handedOver', 'disputed') ORDER BY rentals.state = 'requested', rentals.id DESC LIMIT 1) AS running ON true
  WHERE page.id = $1 AND (page.owner = $2 OR running.id IS NOT NULL
    OR page.listed AND NOT EXISTS (SELECT FROM blocks WHERE blocks.person = $2 AND other = page.owner OFFSET 0))`;
const FREE = "SELECT NOT EXISTS (SELECT FROM occupied WHERE thing = $1 AND period && tstzrange($2, $3)) AS is_free";
const INSERT = `INSERT INTO rentals (id, thing, kind, title, photo, owner, renter, starts, until, zone, starts_at, ends_at, units, price, currency, unit, longest, cancellation,
    is_instant, message, requested_at, answer_by, state, changed_at, changed_by, reason, share, holds, due_at, remind_at, talk_until, accepted_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, NULL, $26, $27, $28, $29, NULL, $30)`;
const PARTNERS = `SELECT ${COLUMNS}, ARRAY(
    SELECT rentals.renter FROM rentals WHERE rentals.thing = things.id AND rentals.state IN ('requested', 'accepted', 'handedOver', 'disputed')
    UNION SELECT rentals.renter FROM rentals WHERE rentals.thing = things.id AND rentals.talk_until > $2 ORDER BY renter) AS partners
  FROM things WHERE id = ANY($1) ORDER BY id`;
const ANSWERED = "INSERT INTO requests (caller, id, digest, reply) VALUES ($1, $2, $3, $4)";
const EVENTS = `INSERT INTO outbox (header, payload) SELECT header, payload FROM unnest($1::jsonb[], $2::jsonb[]) WITH ORDINALITY AS event (header, payload, number)
  ORDER BY number`;

/** Days of Singapore, which has no summer time. */
async function rent(client, person, id, draft) {
  const now = new Date();
  const [request, caller] = [version7(now.getTime()), `gateway/${person}`];
  await people(client, [person]);
  await client.query("BEGIN");
  const refuse = async (status, code) => {
    await client.query("ROLLBACK");
    return [status, { code }];
  };
  await run(client, LOCK, [`${caller}/${request}`]);
  await run(client, REQUEST, [caller, request, now]);
  if ((await run(client, SUSPENDED, [person, now])).rows[0].suspended) return refuse(403, "suspended");
  await run(client, LOCK, [person]);
  await run(client, HOLDINGS, [person]);
  await run(client, "SELECT FROM things WHERE id = $1 FOR NO KEY UPDATE", [id]);
  const thing = (await run(client, THING, [id, person])).rows[0];
  if (!thing) return refuse(404, "not_found");
  const startsAt = new Date(`${draft.from}T00:00:00+08:00`);
  const endsAt = new Date(Date.parse(`${draft.until}T00:00:00+08:00`) + 86400e3);
  const units = Math.round((endsAt - startsAt) / 86400e3);
  if (!(await run(client, FREE, [id, startsAt, endsAt])).rows[0].is_free) return refuse(409, "overlaps");
  const state = thing.is_instant ? "accepted" : "requested";
  const rental = version7(now.getTime());
  try {
    await run(client, INSERT, [
      rental, id, thing.kind, thing.title, thing.photos[0], thing.owner, person, draft.from, draft.until, thing.zone, startsAt, endsAt, units, thing.price,
      thing.currency, thing.unit, thing.longest, thing.cancellation, thing.is_instant, draft.message, now, new Date(now.getTime() + 86400e3), state, now, null, 100,
      thing.is_instant, new Date(endsAt.getTime() + 86400e3), new Date(startsAt.getTime() - 86400e3), thing.is_instant ? now : null,
    ]);
  } catch (error) {
    if (error.constraint === "occupied_once") return refuse(409, "overlaps");
    throw error;
  }
  const names = await people(client, [thing.owner, person]);
  const partners = (await run(client, PARTNERS, [[id], now])).rows[0].partners;
  const news = { id: rental, thing: id, kind: thing.kind, title: thing.title, owner: names(thing.owner), renter: names(person), state, from: draft.from, until: draft.until, startsAt, endsAt };
  const names2 = await people(client, [thing.owner, person]);
  const cost = money(thing, units);
  const reply = {
    id: rental, thing: { id, kind: thing.kind, title: thing.title, photo: thing.photos[0], address: thing.address, position: { latitude: thing.latitude, longitude: thing.longitude } },
    owner: names2(thing.owner), renter: names2(person), role: "renter", state, from: draft.from, until: draft.until, zone: thing.zone, startsAt, endsAt, units,
    terms: terms(thing), cost, owed: cost, message: draft.message, requestedAt: now, changedAt: now, evidence: [], possible: ["cancel"],
  };
  const header = (type, aggregate, audience) => JSON.stringify({ id: version7(now.getTime()), type, aggregate, audience, occurredAt: now });
  const told = { people: { _0: [thing.owner, person] } };
  await run(client, ANSWERED, [caller, request, crypto.createHash("sha256").update(JSON.stringify(draft)).digest(), Buffer.from(JSON.stringify(reply))]);
  await run(client, EVENTS, [
    [header("rentalRequested", `rental/${rental}`, told), header("rentalAnswered", `rental/${rental}`, told), header("roomSubjectChanged", `subject/${id}`, { nobody: {} })],
    [JSON.stringify({ rental: news }), JSON.stringify({ rental: news }),
      JSON.stringify({ subject: { kind: "thing", id }, facts: { title: thing.title, photo: thing.photos[0], owner: thing.owner, partners, isOpen: true } })],
  ]);
  await client.query("COMMIT");
  return [201, reply];
}

// Node closes connections that rest for five seconds; those who ask keep theirs.
app.listen(Number(port), "127.0.0.1", 1024).keepAliveTimeout = 3_600_000;
