"""The plan of every statement of the rides service, among a million rides that have not left and five million requests for seats.

One person has driven 10,000 of them; another one has ridden along 10,000 times.
"""

import datetime
import sys
import time
import urllib.parse

import plans
import plans_people
import plans_use
import rides_fill

REQUESTS, PAST = 5, 10_000
FROM, TO = {"latitude": 35.28, "longitude": -120.66}, {"latitude": 37.77, "longitude": -122.42}

# What must have been seen, as patterns; whoever adds a statement to the service adds its use here.
STATEMENTS = [
    r"FROM rides WHERE driver = .* AND state IN \('open', 'departed'\)",
    r"^INSERT INTO rides",
    r"^UPDATE rides SET state",
    r"^INSERT INTO seat_requests",
    r"^UPDATE seat_requests SET",
    r"AS is_late FROM rides",
    r"FROM ride_regions WHERE region",
    r"^WITH RECURSIVE names AS",
    r"FROM rides WHERE due_at <=",
    r"FROM seat_requests WHERE due_at <=",
    r"FROM seat_requests WHERE remind_at <=",
    r"FROM rides WHERE regions_due <=",
    r"FROM rides WHERE doors_until <=",
    r"FROM saved_rides WHERE person",
    r"^INSERT INTO saved_rides",
    r"^DELETE FROM saved_rides",
    r"AS waiting WHERE ride",
    r"state = 'pending' AND boards_at <",
    r"AS place, id, ride, id AS seat FROM seat_requests",
    r"AS place, id, id AS ride, NULL::uuid AS seat FROM rides",
    r"^SELECT suspensions.person FROM suspensions",
    r"AS partners FROM",
    r"^WITH own AS MATERIALIZED",
    r"^INSERT INTO calendar_entries",
]


def run(stack):
    rides_fill.fill(stack, stack.rides)
    people = enter(stack)
    fill(stack, people)
    plans.look(
        stack, ("rides",), STATEMENTS, before=lambda: None, use=lambda mode: use(stack, people), wait=lambda: wait(stack))
    return []


def enter(stack):
    """A driver and a rider with accounts: (id, email), the same each time."""
    people = []
    for name in ("driver", "rider"):
        email = f"ride-plans-{name}@example.org"
        account = {"email": email, "password": plans_use.PASSWORD}
        try:
            session = stack.ask("POST", "/v1/sessions", account)
        except OSError:
            session = stack.ask("POST", "/v1/accounts", account | {"name": f"Regular {name}"})
        people.append((session["person"]["id"], email))
    return people


def fill(stack, people):
    """What years leave behind, where it is not there already."""
    have = stack.psql("SELECT count(*) FROM rides.seat_requests WHERE message = 'bench'")
    if have.strip() == str(REQUESTS * stack.rides):
        return
    print(f"   filling: {REQUESTS * stack.rides:,} requests for seats", file=sys.stderr, flush=True)
    (driver, _), (rider, _) = people
    stack.psql(FILL.format(driver=driver, rider=rider, requests=REQUESTS, past=PAST, drivers=rides_fill.DRIVERS))
    for table in ("rides", "seat_requests"):
        stack.psql(f"VACUUM ANALYZE rides.{table}")
    stack.psql("CHECKPOINT")


def wait(stack, seconds=60):
    """Until people are served again."""
    end = time.monotonic() + seconds
    while True:
        try:
            stack.ask("GET", f"/v1/rides/search?from={FROM['latitude']},{FROM['longitude']}&to={TO['latitude']},{TO['longitude']}")
            return
        except OSError:
            if time.monotonic() > end:
                raise
        time.sleep(0.2)


def use(stack, people, rounds=7):
    """Seven times: PostgreSQL plans the first five with the values that it is given, and may take one plan for all from then on."""
    keeper = plans_people.moderator(stack, plans_use.sign_up, plans_use.signed_in)
    for number in range(rounds):
        driver, rider = (plans_use.signed_in(stack, email)["accessToken"] for _, email in people)
        look(stack, people[0][0], driver, rider)
        drive(stack, keeper, driver, rider, number)
        commute(stack, driver, rider, number)
        for token in (driver, rider):
            plans_people.subscribe(stack, call, token)
    # What comes by itself, and what is due.
    stack.psql(DUE.format(driver=people[0][0]))
    time.sleep(8)


def call(stack, *request, **more):
    return plans_use.call(stack, *request, **more)


def look(stack, driver, *tokens):
    """Regions, lists, searches, what is one's own."""
    regions = call(stack, "GET", "/v1/regions")["items"]
    ends = f"from={FROM['latitude']},{FROM['longitude']}&to={TO['latitude']},{TO['longitude']}"
    paths = ["/v1/rides", f"/v1/rides?by={driver}", f"/v1/rides/search?{ends}", f"/v1/rides/search?{ends}&onlyFree=true&noDetour=true&seats=2"]
    paths += [f"/v1/rides?region={urllib.parse.quote(regions[0]['region'])}&direction={way}" for way in ("from", "to")]
    own = [f"/v1/my/rides?tab={tab}" for tab in ("current", "past", "saved", "pending")]
    own += [f"/v1/seat-requests{query}" for query in ("", "?role=driver", "?role=rider", "?state=rode", "?role=rider&state=accepted")] + ["/v1/ride-series"]
    for token in (None, *tokens):
        for path in paths + (own if token else []):
            page = call(stack, "GET", path, token=token)
            if page.get("next"):
                call(stack, "GET", f"{path}{'&' if '?' in path else '?'}cursor={page['next']}", token=token)


def draft(number, day, **more):
    leaves = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0) + datetime.timedelta(days=day, minutes=20 * number)
    stops = [{"name": "Town", "position": FROM}, {"name": "Middle", "position": {"latitude": 36.6, "longitude": -121.6}}, {"name": "City", "position": TO}]
    return {"stops": stops, "departsAt": leaves.strftime("%Y-%m-%dT%H:%M:%SZ"), "zone": "UTC", "seats": 1, "maxDetour": 9000} | more


def drive(stack, keeper, driver, rider, number):
    """One whose seat is asked for, refused, waited for, given, kept and left; one both ways; one that is removed."""
    back = {"returnRide": {"departsAt": draft(number, 72)["departsAt"]}}
    one, both, gone = (call(stack, "POST", "/v1/rides", draft(number, 70 + 3 * step, **more), driver) for step, more in ((2, {}), (0, back), (4, {})))
    call(stack, "POST", "/v1/rides/quote", draft(number, 70), driver)
    call(stack, "PATCH", f"/v1/rides/{one['id']}", {"notes": "By the coast."}, driver)
    call(stack, "GET", f"/v1/rides/{one['id']}", token=rider)
    call(stack, "PUT", f"/v1/saved-rides/{one['id']}", {}, rider, empty=True)
    call(stack, "DELETE", f"/v1/saved-rides/{one['id']}", token=rider, empty=True)
    act = lambda seat, name, token, **more: call(stack, "POST", f"/v1/seat-requests/{seat['id']}/{name}", more, token)
    ask = lambda ride, token, **more: call(stack, "POST", f"/v1/rides/{ride['id']}/requests", {"seats": 1} | more, token)
    call(stack, "POST", f"/v1/rides/{one['id']}/seat-quote", {}, rider)
    act(ask(one, rider), "reject", driver)
    waiter = plans_use.sign_up(stack, "Waiter")["session"]["accessToken"]
    seat = ask(one, rider)
    act(seat, "accept", driver)
    act(ask(one, waiter, waitlist=True), "approve", driver)
    call(stack, "GET", f"/v1/seat-requests/{seat['id']}/contact", token=rider)
    call(stack, "GET", f"/v1/rides/{one['id']}/requests", token=driver)
    act(seat, "leave", rider)
    pair = ask(both, rider, together={})
    act(pair, "accept", driver)
    act(pair, "leave", rider)
    call(stack, "DELETE", f"/v1/rides/{both['id']}", {"withOther": True}, driver, empty=True)
    ask(gone, rider)
    call(stack, "DELETE", f"/v1/rides/{gone['id']}", {"reason": "The car does not start."}, driver, empty=True)
    call(stack, "DELETE", f"/v1/rides/{one['id']}", {}, driver, empty=True)
    call(stack, "GET", "/v1/seat-requests?disputed=true", token=keeper)


def commute(stack, driver, rider, number):
    series = {"ride": draft(number, 1, maxDetour=0), "weekdays": ["monday", "wednesday"], "until": (datetime.date.today() + datetime.timedelta(days=40)).isoformat()}
    call(stack, "POST", "/v1/ride-series/quote", series, driver)
    made = call(stack, "POST", "/v1/ride-series", series, driver)
    path = f"/v1/ride-series/{made['id']}"
    call(stack, "GET", path, token=driver)
    call(stack, "GET", f"/v1/rides?series={made['id']}", token=rider)
    call(stack, "PATCH", path, {"weekdays": ["wednesday"]}, driver)
    call(stack, "DELETE", path, {}, driver, empty=True)


# Requests that are over, of rides that have not left: so the triggers have nothing to add up. Each is of one of those who drive, but not of that ride. What the driver has driven, and the rider has ridden along in,
# are copies of some of these rides, one for each hour of fourteen months until seventy days before.
FILL = """
    SET search_path = rides, public; SET session_replication_role = replica; SET synchronous_commit = off;
    DELETE FROM seat_requests WHERE message LIKE 'bench%';
    DELETE FROM rides WHERE notes = 'bench past';
    INSERT INTO rides (id, driver, posted_at, state, stop_names, stop_addresses, stop_latitudes, stop_longitudes, stop_regions, stop_at, departs_at, leaves_by, arrives_at,
        zone, seats, cost, currency, max_detour, luggage, accepts, notes, changed_at, campus, changed_in)
    SELECT gen_random_uuid(), '{driver}', posted_at, 'completed', stop_names, stop_addresses, stop_latitudes, stop_longitudes, stop_regions, stop_at,
        departs_at - ago, leaves_by - ago, arrives_at - ago, zone, seats, cost, currency, max_detour, luggage, accepts,
        'bench past', posted_at, '', pg_current_xact_id()
    FROM (SELECT *, interval '70 days' + interval '1 hour' * row_number() OVER (ORDER BY id DESC) AS ago FROM rides WHERE notes = 'bench' ORDER BY id DESC LIMIT {past}) AS copied;
    INSERT INTO seat_requests (id, ride, driver, rider, seats, riders, board_at, board_stop, leave_at, leave_stop, detour, boards_at, leaves_at, cost, message,
        asked_at, answer_within, confirmed, approved, state, changed_at)
    SELECT gen_random_uuid(), rides.id, driver, CASE WHEN notes = 'bench' THEN ('01930000-0000-7000-8000-' || lpad(to_hex(
            1 + (('x' || right(driver::text, 12))::bit(48)::bigint + (hashtextextended(rides.id::text, n) & 131071)) % {drivers}), 12, '0'))::uuid ELSE '{rider}' END,
        1, '{{}}', 0, 0, stop_at[cardinality(stop_at)], cardinality(stop_at) - 1, 0, departs_at, arrives_at, 0, notes,
        posted_at - interval '1 day' * (n % 700), 86400, true, false, (ARRAY['rode', 'rode', 'rejected', 'withdrawn', 'expired', 'left'])[1 + n % 6], posted_at
    FROM rides CROSS JOIN generate_series(1, {requests}) AS n WHERE notes = 'bench' OR notes = 'bench past' AND n = 1;"""

DUE = """
    SET search_path = rides, public;
    UPDATE rides SET due_at = now(), doors_until = now() WHERE driver = '{driver}' AND id IN (SELECT id FROM rides WHERE driver = '{driver}' ORDER BY id LIMIT 50);
    UPDATE seat_requests SET due_at = now(), remind_at = now(), talk_until = now()
    WHERE id IN (SELECT id FROM seat_requests WHERE driver = '{driver}' ORDER BY id LIMIT 50);"""
