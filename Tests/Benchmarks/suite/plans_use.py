"""Uses a stack through its door until the services have run each of their statements."""

import json
import subprocess
import time
import urllib.error
import urllib.request
import uuid

import plans_people
import plans_places
import plans_rentals

# What must have been seen, as patterns; whoever adds a statement to a service adds its use here.
STATEMENTS = [
    r"^DELETE FROM sessions",
    r"^DELETE FROM attempts WHERE at",
    r"^DELETE FROM requests",
    r"^DELETE FROM dead_letters",
    r"^INSERT INTO accounts",
    r"^INSERT INTO refusals",
    r"UNION ALL SELECT digest, refusal",
    r"^INSERT INTO spots",
    r"^UPDATE spots SET name",
    r"^UPDATE spots SET state = 'claimed'",
    r"^SELECT \(SELECT count\(\*\) FROM spots WHERE posted_by",
    r"spots WHERE state = 'free' AND expires_at <=",
    r"map <@ cube",
    r"globe <@ earth_box",
    r"^SELECT state FROM observations",
    r"^WITH next AS MATERIALIZED",
    r"^WITH oldest AS",
    r"^WITH forgiven AS",
    r"LEFT JOIN LATERAL",
    r"FROM people WHERE id = ANY",
    r"^SELECT mine.key",
    r"^WITH free AS MATERIALIZED",
    r"^SELECT username FROM accounts",
    r"^SELECT id, name, photo, campus, rating_sum, rating_count, since FROM",
    r"^INSERT INTO encounters",
    r"^SELECT kind, subject, low, high, title, completed_at FROM \(",
    r"^SELECT kind, subject, low, high, title, completed_at FROM encounters WHERE",
    r"^INSERT INTO reviews",
    r"^UPDATE reviews SET published_at",
    r"^UPDATE reviews SET reply",
    r"^UPDATE accounts SET rating_sum",
    r"FROM reviews WHERE about = .* AND published_at IS NOT NULL.* ORDER",
    r"FROM reviews WHERE published_at IS NULL AND opens_at",
    r"FROM spots WHERE claimed_by IS NOT NULL AND claimed_at <=",
    r"^WITH mutual AS MATERIALIZED",
    r"^INSERT INTO friendships",
    r"^UPDATE friendships",
    r"^DELETE FROM friendships",
    r"FROM friendships WHERE low = .* AS friends",
    r"^SELECT id, name, photo, campus, rating_sum, rating_count FROM accounts",
    r"^SELECT blocker, blocked, since FROM blocks",
    r"^SELECT count\(\*\) AS blocks FROM blocks",
    r"^INSERT INTO blocks \(blocker",
    r"^DELETE FROM blocks WHERE blocker",
    r"FROM \(SELECT blocked, since FROM blocks",
    r"^SELECT person FROM \( \(SELECT blocked AS person FROM blocks",
    r"FROM blocks WHERE \(least\(blocker, blocked\), greatest",
    r"map <@ cube.* posted_by NOT IN \(SELECT other FROM blocks",
    r"globe <@ earth_box.* posted_by NOT IN \(SELECT other FROM blocks",
    r"^SELECT other AS id",
    r"^INSERT INTO blocks \(person",
    r"^DELETE FROM blocks WHERE person",
    r"^UPDATE sessions SET generation",
    *plans_people.STATEMENTS,
    *plans_places.STATEMENTS,
    *plans_rentals.STATEMENTS,
]

PASSWORD = "a walk along the harbour"
TOWN = (60.17, 24.94)


def enter(stack):
    """Two people with accounts: (id, email)."""
    return [(account["person"]["id"], account["email"]) for account in (sign_up(stack, f"Regular {number}") for number in (1, 2))]


def sign_up(stack, name):
    email = f"plans-{uuid.uuid4().hex[:12]}@example.org"
    account = stack.ask("POST", "/v1/accounts", {"email": email, "password": PASSWORD, "name": name})
    token = account["session"]["accessToken"]
    # The first event and the first answer that `plans_fill` multiplies.
    post(stack, token)
    return account | {"email": email}


def wait(stack, seconds=30):
    """Until people are served again."""
    end = time.monotonic() + seconds
    while True:
        try:
            stack.ask("GET", "/v1/spots?near=60,25")
            stack.ask("POST", "/v1/sessions", {"email": "nobody@example.org", "password": "x"})
        except urllib.error.HTTPError as problem:
            if problem.code in (401, 422):
                return
        except OSError:
            pass
        if time.monotonic() > end:
            raise RuntimeError("the stack did not come back")
        time.sleep(0.2)


def wait_for_events(stack, seconds=20):
    """Until the first events have their positions: they are what is multiplied."""
    end = time.monotonic() + seconds
    while stack.psql("SELECT EXISTS (SELECT FROM listings.outbox WHERE position IS NOT NULL) AND EXISTS (SELECT FROM listings.offsets)") != "t\n":
        if time.monotonic() > end:
            raise RuntimeError("no event got its position")
        time.sleep(0.2)


def use(stack, people, rounds=7):
    """Seven times: PostgreSQL plans the first five with the values that it is given, and may take one plan for all from then on."""
    keeper = plans_people.moderator(stack, sign_up, signed_in)
    for number in range(rounds):
        poster, driver = (signed_in(stack, email) for _, email in people)
        places(stack, poster, driver)
        own_data(stack, keeper, poster, is_last=number == rounds - 1)
        accounts(stack, poster, driver)
        plans_places.use(stack)
        plans_rentals.use(stack, call, keeper, poster, driver)
    operator(stack)
    # The sweep, the sequencer and house-keeping come by themselves.
    time.sleep(12)


def signed_in(stack, email):
    return stack.ask("POST", "/v1/sessions", {"email": email, "password": PASSWORD})


def post(stack, token, name="Planned street"):
    draft = {"name": name, "kind": "street", "position": {"latitude": TOWN[0], "longitude": TOWN[1]}}
    return call(stack, "POST", "/v1/spots", draft, token)


def call(stack, method, path, body=None, token=None, empty=False):
    try:
        return stack.ask(method, path, body, token)
    except json.JSONDecodeError:
        if not empty:
            raise


def refused(stack, method, path, token):
    """What is turned down leaves its trace, too."""
    try:
        call(stack, method, path, token=token, empty=True)
    except urllib.error.HTTPError as problem:
        if problem.code == 409:
            return
        raise
    raise RuntimeError(f"{method} {path} was not refused")


def places(stack, poster, driver):
    ours, theirs = poster["accessToken"], driver["accessToken"]
    one, two, three = (post(stack, ours) for _ in range(3))
    draft = {"name": "Moved", "kind": "street", "position": {"latitude": TOWN[0], "longitude": TOWN[1]}, "price": {"amount": 200, "currency": "EUR"}}
    call(stack, "PUT", f"/v1/spots/{one['id']}", draft, ours)
    for said in ("there", "gone"):
        call(stack, "POST", f"/v1/spots/{one['id']}/observations", {"state": said}, theirs)
    call(stack, "POST", f"/v1/spots/{two['id']}/claim", {}, theirs)
    refused(stack, "DELETE", f"/v1/spots/{two['id']}", ours)
    west, south, east, north = TOWN[1] - 0.01, TOWN[0] - 0.005, TOWN[1] + 0.01, TOWN[0] + 0.005
    for query in (f"bbox={west},{south},{east},{north}", "bbox=-180,-90,180,90", "bbox=170,50,-170,70", f"near={TOWN[0]},{TOWN[1]}&radius=1000",
                  f"near={TOWN[0]},{TOWN[1]}&radius=50000", "of=posted", "of=claimed", f"by={poster['person']['id']}"):
        page = call(stack, "GET", f"/v1/spots?{query}&limit=50", token=theirs if "claimed" in query else ours)
        if page.get("next"):
            call(stack, "GET", f"/v1/spots?{query}&limit=50&cursor={page['next']}", token=ours)
    call(stack, "GET", f"/v1/spots/{one['id']}", token=ours)
    reviews(stack, poster, driver, two)
    call(stack, "DELETE", f"/v1/spots/{two['id']}/claim", token=theirs)
    for spot in (one, two, three):
        call(stack, "DELETE", f"/v1/spots/{spot['id']}", token=ours, empty=True)


def own_data(stack, keeper, poster, is_last):
    """Newcomers report, are looked at, take everything along and go; one who was there all along takes everything along, once."""
    newcomer = lambda: sign_up(stack, "Newcomer")
    spot = post(stack, poster["accessToken"])
    plans_people.order(stack, call, keeper, poster, spot, newcomer)
    call(stack, "DELETE", f"/v1/spots/{spot['id']}", token=poster["accessToken"], empty=True)
    leaver = signed_in(stack, newcomer()["email"])
    token = leaver["accessToken"]
    # They have met somebody, so that reviews go with them.
    spot = post(stack, poster["accessToken"])
    call(stack, "POST", f"/v1/spots/{spot['id']}/claim", {}, token)
    reviews(stack, poster, leaver, spot)
    for who in [token] + [poster["accessToken"]] * is_last:
        plans_people.archive(stack, call, who)
    plans_people.farewell(stack, call, token, PASSWORD, wait=is_last)


def accounts(stack, poster, driver):
    token = poster["accessToken"]
    call(stack, "GET", "/v1/me", token=token)
    call(stack, "PATCH", "/v1/me", {"name": f"Regular {uuid.uuid4().hex[:6]}"}, token)
    call(stack, "GET", f"/v1/people/{driver['person']['id']}", token=token)
    for name in ("regular", "nobody_yet"):
        call(stack, "GET", f"/v1/usernames/{name}", token=token)
    friends(stack, poster, driver)
    blocks(stack, poster)
    renewed = call(stack, "POST", "/v1/sessions/refresh", {"refreshToken": driver["refreshToken"]})
    sessions = call(stack, "GET", "/v1/sessions", token=token)["items"]
    other = next(session["id"] for session in sessions if not session["current"])
    call(stack, "DELETE", f"/v1/sessions/{other}", token=token, empty=True)
    call(stack, "DELETE", "/v1/sessions/current", token=renewed["accessToken"], empty=True)
    fresh = sign_up(stack, "Newcomer")
    call(stack, "DELETE", "/v1/sessions", token=fresh["session"]["accessToken"], empty=True)


def reviews(stack, poster, driver, spot):
    """The driver has parked; both say what it was like, once auth has heard of it."""
    ours, theirs = poster["accessToken"], driver["accessToken"]
    call(stack, "POST", f"/v1/spots/{spot['id']}/observations", {"state": "there"}, theirs)
    while not call(stack, "GET", f"/v1/encounters?with={poster['person']['id']}", token=theirs)["items"]:
        time.sleep(0.1)
    page = call(stack, "GET", "/v1/encounters?limit=1", token=ours)
    if page["next"]:
        call(stack, "GET", f"/v1/encounters?limit=50&cursor={page['next']}", token=ours)
    draft = {"subject": {"kind": "spot", "id": spot["id"]}, "rating": 4, "text": "As one would expect."}
    for about, token in ((poster, theirs), (driver, ours)):
        review = call(stack, "POST", f"/v1/people/{about['person']['id']}/reviews", draft, token)
    call(stack, "GET", f"/v1/reviews/{review['id']}", token=ours)
    call(stack, "PUT", f"/v1/reviews/{review['id']}/reply", {"text": "Thank you."}, theirs)
    page = call(stack, "GET", f"/v1/people/{poster['person']['id']}/reviews?limit=50", token=theirs)
    call(stack, "GET", f"/v1/people/{poster['person']['id']}/reviews?limit=50&cursor={page['next']}", token=theirs)


def friends(stack, one, other):
    ours, theirs = one["accessToken"], other["accessToken"]
    us, them = (f"/v1/friends/{account['person']['id']}" for account in (one, other))
    call(stack, "PUT", them, token=ours)
    for state in ("asked", "waiting"):
        call(stack, "GET", f"/v1/friends?state={state}", token=ours)
    call(stack, "PUT", us, token=theirs)
    page = call(stack, "GET", "/v1/friends?limit=100", token=ours)
    call(stack, "GET", f"/v1/friends?limit=100&cursor={page['next']}", token=ours)
    call(stack, "GET", them, token=ours)
    page = call(stack, "GET", f"/v1/people/{other['person']['id']}/mutual-friends?limit=100", token=ours)
    call(stack, "GET", f"/v1/people/{other['person']['id']}/mutual-friends?limit=100&cursor={page['next']}", token=ours)
    call(stack, "DELETE", f"{them}?state=friends", token=ours, empty=True)


def blocks(stack, one):
    """Somebody new is blocked and unblocked by one who has blocked a thousand; who listens is asked about."""
    token, fresh = one["accessToken"], sign_up(stack, "Blocked")
    path = f"/v1/blocks/{fresh['person']['id']}"
    call(stack, "PUT", path, token=token)
    page = call(stack, "GET", "/v1/blocks?limit=100", token=token)
    call(stack, "GET", f"/v1/blocks?limit=100&cursor={page['next']}", token=token)
    request = urllib.request.Request(f"http://127.0.0.1:{stack.port}/v1/stream", headers={"Authorization": f"Bearer {token}"})
    with urllib.request.urlopen(request, timeout=10) as stream:
        stream.readline()
    call(stack, "DELETE", path, token=token, empty=True)


def operator(stack):
    """Dead letters as an operator handles them."""
    kampong, service = stack.home / "bin/kampong", ("--service", "listings", "--stack", stack.home / "run/stack.json")
    lines = subprocess.run([kampong, "dead-letters", "list", *service], capture_output=True, text=True, check=True).stdout
    event = lines.split()[0]
    subprocess.run([kampong, "dead-letters", "discard", *service, event], capture_output=True, check=True)
    subprocess.run([kampong, "dead-letters", "replay", *service], capture_output=True, check=True)
