// Finding rides and asking for seats on Express and node-postgres, two workers: the statement that anybody would write for the search (an index on time, the sum of both
// distances, a sort), the tables, transactions and constraints of the service for the rest. No bus, no session check (the access token is the person's id), no event
// stream, no ETag of its own making.
"use strict";
const crypto = require("crypto");

const [port] = process.argv.slice(2);
if (require("./two_workers")()) return;

const express = require("express");
const { Pool, types } = require("pg");
types.setTypeParser(20, Number);
// Where the database is comes by PGHOST and its kin.
const pool = new Pool({ max: 8, options: "-c search_path=rides,public" });
let statements = 0;
const names = new Map();
/** Named, hence prepared once for each connection. */
const run = (client, text, values) => {
  if (!names.has(text)) names.set(text, `s${statements++}`);
  return client.query({ name: names.get(text), text, values });
};

const COLUMNS = `id, driver, posted_at, state, stop_names, stop_latitudes, stop_longitudes, stop_regions, stop_at, departs_at, leaves_by, zone, seats, cost, currency,
  max_detour, detour_used, luggage, accepts, notes, marks, load`;
const GRID = (degrees) => `floor(${degrees} / 0.005) * 0.005 + 0.0025`;
// The haversine in place: with `earth_distance` of the extension the search took half as long again.
const FAR = (latitude, longitude, stop) => {
  const [north, east] = [GRID(`stop_latitudes[${stop}]`), GRID(`stop_longitudes[${stop}]`)];
  return `2 * 6378168 * asin(least(1, sqrt(power(sind((${north} - ${latitude}) / 2), 2)
    + cosd(${north}) * cosd(${latitude}) * power(sind((${east} - ${longitude}) / 2), 2))))`;
};
const PASSED = "departs_at + make_interval(secs => least(stop_at[a], 10000) * 0.12 + greatest(0, stop_at[a] - 10000) * 0.045)";
// Each stop but the last to get in, where it is passed within a day of that time; each later one to get out.
// Nobody drives for longer than 21 hours here.
const SEARCH = `SELECT ${COLUMNS}, way.extra FROM rides CROSS JOIN LATERAL (
    SELECT min(${FAR("$1", "$2", "a")} + ${FAR("$3", "$4", "b")}) AS extra
    FROM generate_series(1, cardinality(stop_at) - 1) AS a, generate_series(a + 1, cardinality(stop_at)) AS b
    WHERE ${PASSED} BETWEEN $5::timestamptz - interval '24 hours' AND $5::timestamptz + interval '24 hours') AS way
  WHERE listed AND departs_at BETWEEN $5::timestamptz - interval '45 hours' AND $5::timestamptz + interval '24 hours'
    AND arrives_at >= $5::timestamptz - interval '24 hours' AND leaves_by > now() AND way.extra IS NOT NULL
  ORDER BY way.extra, departs_at, id LIMIT 21`;
const BROWSE = `SELECT ${COLUMNS} FROM rides JOIN (
    SELECT ride FROM ride_regions WHERE region = $1 AND direction = $2 AND departs_at > now() - interval '6 hours' AND leaves_by > now() ORDER BY departs_at, ride LIMIT 21
  ) AS found ON found.ride = id ORDER BY departs_at, id`;
const PEOPLE = "SELECT id, name, photo, campus, rating, reviews FROM people WHERE id = ANY($1)";

const middle = (degrees) => Math.round((Math.floor(degrees / 0.005) * 0.005 + 0.0025) * 1e4) / 1e4;
const seconds = (way) => Math.min(way, 10_000) * 0.12 + Math.max(0, way - 10_000) * 0.045;
const money = (amount, currency) => (amount > 0 ? { amount, currency } : undefined);

async function people(client, ids) {
  const found = await run(client, PEOPLE, [[...new Set(ids)]]);
  const known = new Map(found.rows.map((row) => [row.id, { id: row.id, name: row.name, photo: row.photo || undefined }]));
  return (id) => known.get(id) || { id, name: "Someone" };
}

function answer(row, names) {
  const time = (at) => new Date(row.departs_at.getTime() + seconds(at) * 1000);
  const most = (from, to) => row.marks.reduce((most, mark, number) => (mark < to && (row.marks[number + 1] ?? Infinity) > from ? Math.max(most, row.load[number]) : most), 0);
  return {
    id: row.id, state: row.state, driver: names(row.driver), departsAt: row.departs_at, arrivesAt: time(row.stop_at.at(-1)), zone: row.zone, seats: row.seats,
    stops: row.stop_names.map((name, number) => ({
      name, position: { latitude: middle(row.stop_latitudes[number]), longitude: middle(row.stop_longitudes[number]) }, isExact: false, region: row.stop_regions[number],
      at: row.stop_at[number], time: time(row.stop_at[number]),
    })),
    free: row.stop_at.slice(1).map((to, number) => row.seats - most(row.stop_at[number], to)), cost: money(row.cost, row.currency), length: row.stop_at.at(-1),
    maxDetour: row.max_detour, detourLeft: row.max_detour - row.detour_used, luggage: row.luggage, accepts: row.accepts, notes: row.notes || undefined, passengers: [],
    postedAt: row.posted_at, mine: false, isSaved: false, action: "ask", possible: [],
  };
}

const app = express();
app.disable("x-powered-by");
app.use(express.json());
const handle = (work) => async (request, response, next) => {
  try { await work(request, response); } catch (error) { next(error); }
};

app.get("/v1/rides/search", handle(async (request, response) => {
  const [from, to] = [request.query.from, request.query.to].map((text) => text.split(",").map((part) => middle(Number(part))));
  const found = await run(pool, SEARCH, [...from, ...to, request.query.at]);
  const rows = found.rows.slice(0, 20);
  const names = await people(pool, rows.map((row) => row.driver));
  response.json({ items: rows.map((row) => ({ ride: answer(row, names), extra: Math.round(row.extra) })) });
}));

app.get("/v1/rides", handle(async (request, response) => {
  const found = await run(pool, BROWSE, [request.query.region, request.query.direction]);
  const rows = found.rows.slice(0, 20);
  const names = await people(pool, rows.map((row) => row.driver));
  response.json({ items: rows.map((row) => answer(row, names)) });
}));

function version7(now) {
  const bytes = crypto.randomBytes(16);
  bytes.writeUIntBE(now, 0, 6);
  bytes[6] = (bytes[6] & 0x0f) | 0x70;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = bytes.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

const LOCK = "SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || '/' || $1::text, 0))";
const REQUEST = "SELECT digest, reply FROM requests WHERE caller = $1 AND id = $2";
const SUSPENDED = "SELECT EXISTS (SELECT FROM suspensions WHERE suspensions.person = $1 AND suspensions.until > $2) AS suspended";
const DRIVING = "SELECT id, departs_at, stop_latitudes, stop_longitudes FROM rides WHERE driver = $1 AND state IN ('open', 'departed')";
const POST = `INSERT INTO rides (id, driver, posted_at, state, stop_names, stop_addresses, stop_latitudes, stop_longitudes, stop_regions, stop_at, departs_at, leaves_by, arrives_at,
    zone, seats, cost, currency, max_detour, luggage, accepts, notes, changed_at, due_at)
  VALUES ($1, $2, $3, 'open', $4, $5, $6, $7, $8, $9, $10, $10, $11, $12, $13, $14, $15, $16, 'small', 'nobody', $17, $3, $10)`;
const RIDE = `SELECT ${COLUMNS} FROM rides WHERE id = $1 AND listed AND NOT EXISTS (SELECT FROM blocks WHERE blocks.person = $2 AND other = driver OFFSET 0)`;
const OPEN = "SELECT count(*) AS open FROM seat_requests WHERE rider = $1 AND state IN ('pending', 'waiting')";
const OVERLAPS = `SELECT ride FROM seat_requests WHERE rider = $1 AND state = 'accepted' AND boards_at < $3 AND leaves_at > $2
  UNION ALL SELECT id FROM rides WHERE driver = $1 AND state IN ('open', 'departed') AND departs_at < $3 AND arrives_at > $2 LIMIT 1`;
const SEAT = `INSERT INTO seat_requests (id, ride, driver, rider, seats, riders, board_at, board_stop, leave_at, leave_stop, detour, boards_at, leaves_at, cost, currency, message,
    asked_at, answer_within, confirmed, approved, state, changed_at)
  VALUES ($1, $2, $3, $4, $5, '{}', 0, 0, $6, $7, 0, $8, $9, $10, $11, $12, $13, 86400, true, false, 'accepted', $13)`;
const ANSWERED = "INSERT INTO requests (caller, id, digest, reply) VALUES ($1, $2, $3, $4)";
const EVENTS = "INSERT INTO outbox (header, payload) SELECT header, payload FROM unnest($1::jsonb[], $2::jsonb[]) AS event (header, payload)";

/** What every command begins and ends with. */
async function command(request, work) {
  const client = await pool.connect();
  try {
    const [now, person] = [new Date(), request.get("authorization").slice(7)];
    const [id, caller] = [version7(now.getTime()), `gateway/${person}`];
    await client.query("BEGIN");
    await run(client, LOCK, [`${caller}/${id}`]);
    await run(client, REQUEST, [caller, id]);
    await run(client, LOCK, [person]);
    if ((await run(client, SUSPENDED, [person, now])).rows[0].suspended) throw Object.assign(new Error("suspended"), { status: 403 });
    const { status, reply, events } = await work(client, person, now);
    if (status >= 400) {
      await client.query("ROLLBACK");
    } else {
      const header = (type) => JSON.stringify({ id: version7(now.getTime()), type, aggregate: `ride/${reply.id}`, audience: { nobody: {} }, occurredAt: now });
      await run(client, ANSWERED, [caller, id, crypto.createHash("sha256").update(JSON.stringify(request.body)).digest(), Buffer.from(JSON.stringify(reply))]);
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

app.post("/v1/rides", handle(async (request, response) => {
  const [status, reply] = await command(request, async (client, person, now) => {
    await run(client, DRIVING, [person]);
    const draft = request.body;
    const [start, end] = draft.stops.map((stop) => stop.position);
    const radians = Math.PI / 180;
    const rise = Math.sin(((end.latitude - start.latitude) * radians) / 2);
    const turn = Math.sin(((end.longitude - start.longitude) * radians) / 2);
    const half = rise * rise + Math.cos(start.latitude * radians) * Math.cos(end.latitude * radians) * turn * turn;
    const way = Math.round(2 * 6378168 * Math.asin(Math.sqrt(half)));
    const leaves = new Date(draft.departsAt);
    const id = version7(now.getTime());
    await run(client, POST, [id, person, now, draft.stops.map((stop) => stop.name), [null, null], [start.latitude, end.latitude], [start.longitude, end.longitude], [null, null],
      [0, way], leaves, new Date(leaves.getTime() + seconds(way) * 1000), "UTC", draft.seats, 0, null, 5000, draft.notes]);
    const row = (await run(client, `SELECT ${COLUMNS} FROM rides WHERE id = $1`, [id])).rows[0];
    return { status: 201, reply: answer(row, await people(client, [person])), events: ["benchPosted", "benchRoom"] };
  });
  response.status(status).json(reply);
}));

app.post("/v1/rides/:id/requests", handle(async (request, response) => {
  const [status, reply] = await command(request, async (client, person, now) => {
    await run(client, "SELECT FROM rides WHERE id = $1 FOR NO KEY UPDATE", [request.params.id]);
    const ride = (await run(client, RIDE, [request.params.id, person])).rows[0];
    if (!ride) return { status: 404, reply: { code: "not_found" } };
    await run(client, OPEN, [person]);
    const [last, seats] = [ride.stop_at.at(-1), request.body.seats];
    const arrives = new Date(ride.departs_at.getTime() + seconds(last) * 1000);
    if ((await run(client, OVERLAPS, [person, ride.departs_at, arrives])).rows[0]) return { status: 409, reply: { code: "overlaps" } };
    const id = version7(now.getTime());
    try {
      await run(client, SEAT, [id, ride.id, ride.driver, person, seats, last, ride.stop_at.length - 1, ride.departs_at, arrives, ride.cost * seats,
        ride.cost > 0 ? ride.currency : null, request.body.message, now]);
    } catch (error) {
      if (error.constraint === "rides_never_overfull") return { status: 409, reply: { code: "sold_out" } };
      if (error.constraint === "requests_one_each") return { status: 409, reply: { code: "already_asked" } };
      throw error;
    }
    const after = (await run(client, `SELECT ${COLUMNS} FROM rides WHERE id = $1`, [ride.id])).rows[0];
    const names = await people(client, [person, ride.driver]);
    return {
      status: 201, reply: { id, ride: answer(after, names), driver: names(ride.driver), rider: names(person), state: "accepted", seats, askedAt: now },
      events: ["benchAsked", "benchChanged", "benchRoom", "benchNotice"],
    };
  });
  response.status(status).json(reply);
}));

// Node closes connections that rest for five seconds; those who ask keep theirs.
app.listen(Number(port), "127.0.0.1", 1024).keepAliveTimeout = 3_600_000;
