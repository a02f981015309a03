"""What of standing searches goes through the door: each form is looked for, found and gone; rides are sought, and seekers invited."""

import datetime
import time
import urllib.error
import urllib.parse

import matching_plans_fill as filled
import ride_plans
from plans_use import call

# The first twenty restaurants are for lists, and at each tenth there is nobody.
FIRST, PATIENCE = 21, 30


def eventually(look, what):
    end = time.monotonic() + PATIENCE
    while True:
        try:
            if found := look():
                return found
        except urllib.error.HTTPError as problem:
            if problem.code != 404:
                raise
        if time.monotonic() > end:
            raise RuntimeError(f"not within {PATIENCE} seconds: {what}")
        time.sleep(0.1)


def refused(*request, **more):
    """Where it may be refused: what is not there is not taken away."""
    try:
        return call(*request, **more)
    except urllib.error.HTTPError as problem:
        if problem.code not in (404, 409, 422):
            raise


def pages(stack, path, token):
    """The first two."""
    page = call(stack, "GET", path, token=token)
    if page.get("next"):
        call(stack, "GET", f"{path}{'&' if '?' in path else '?'}cursor={urllib.parse.quote(page['next'])}", token=token)
    return page


def moment(**ahead):
    return (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(**ahead)).strftime("%Y-%m-%dT%H:%M:%SZ")


def point(latitude, longitude):
    return {"latitude": round(latitude, 6), "longitude": round(longitude, 6)}


def look_for(stack, seeker, driver, number):
    """Each form once; what is looked for appears, is found and is gone."""
    word, near = f"planned{chr(97 + number)}words", point(60.2 + 0.01 * number, 24.6)
    fresh = {"spots": {"near": near, "radius": 250}}
    spot = {"name": "Looked for", "kind": "street", "position": near}
    there = call(stack, "POST", "/v1/spots", spot, driver)
    restaurant = filled.restaurant(FIRST + number)
    queries = [
        fresh, {"things": {"kind": "space", "q": word}}, {"things": {"kind": "car", "brand": "Honda", "highestPrice": 5000}},
        {"rides": {"from": ride_plans.FROM, "to": ride_plans.TO, "after": moment(days=2), "before": moment(days=2, hours=2)}},
        {"deliverers": {"near": point(*restaurant), "radius": 400, "to": point(restaurant[0] + 0.004, restaurant[1])}},
        {"deliverers": {"restaurant": filled.uid(filled.RESTAURANT, FIRST + number)}},
    ]
    searches = []
    for query in queries:
        call(stack, "POST", "/v1/wanted/estimate", {"query": query}, seeker)
        searches.append(call(stack, "POST", "/v1/wanted", {"query": query}, seeker))
    paths = [f"/v1/wanted/{search['id']}" for search in searches]
    found = lambda path, least: eventually(lambda: call(stack, "GET", path, token=seeker)["found"] >= least, f"{path} finds {least}")
    shared = call(stack, "POST", "/v1/spots", spot, driver)
    space = {"title": f"A {word}", "region": "Bedok", "place": "Well Street", "address": "Well Street 4", "size": 4}
    spaces = [f"/v1/spaces/{call(stack, 'POST', '/v1/spaces', space, driver)['id']}" for _ in range(5)]
    for path, least in zip(paths, (1, 5)):
        found(path, least)
        pages(stack, f"{path}/finds?limit=1", seeker)
    # Three are told within an hour. Of the others one is something else then, and one is gone.
    time.sleep(1)
    call(stack, "PATCH", spaces[4], {"title": "Something else"}, driver)
    time.sleep(1)
    call(stack, "GET", f"/v1/wanted/finders?kind=spot&id={shared['id']}", token=seeker)
    for one in (there, shared):
        call(stack, "DELETE", f"/v1/spots/{one['id']}", token=driver, empty=True)
    for path in spaces:
        call(stack, "DELETE", path, token=driver, empty=True)
    own = pages(stack, "/v1/wanted?limit=100", seeker)["items"]
    for search in own:
        if search["id"] == filled.uid(filled.OWN, filled.SEARCHES - filled.LIVE):
            pages(stack, f"/v1/wanted/{search['id']}/finds", seeker)
    version = call(stack, "GET", paths[0], token=seeker)["version"]
    changed = {"spots": {"near": near, "radius": 300}}
    for change in ({"query": changed, "version": version}, {"isPaused": True}, {"isPaused": False}):
        call(stack, "PATCH", paths[0], change, seeker)
    ended = [search for search in own if search["state"] == "ended" and "spots" in search["query"]]
    for path in [paths[1]] + [f"/v1/wanted/{search['id']}" for search in ended[:1]]:
        call(stack, "POST", f"{path}/renew", {}, seeker)
    # Found, or not wanted any more; the one that had ended goes, too.
    for path in paths + [f"/v1/wanted/{search['id']}" for search in ended[:1]]:
        call(stack, "DELETE", path, token=seeker, empty=True)


def seek(stack, seeker, driver, number):
    """Somebody seeks a ride before there is one, and once there is; the driver sees both and invites one of them."""
    draft = ride_plans.draft(number, 20 + 2 * number)
    leaves = datetime.datetime.fromisoformat(draft["departsAt"].replace("Z", "+00:00"))
    around = {name: (leaves + datetime.timedelta(hours=hours)).strftime("%Y-%m-%dT%H:%M:%SZ") for name, hours in (("after", -2), ("before", 2))}
    query = {"rides": {"from": ride_plans.FROM, "to": ride_plans.TO, **around}}
    begin = lambda: call(stack, "POST", "/v1/wanted", {"query": query, "isVisible": True}, seeker)["id"]
    first = begin()
    ride = call(stack, "POST", "/v1/rides", draft, driver)["id"]
    along = lambda: call(stack, "GET", f"/v1/rides/{ride}/seekers", token=driver)["items"]
    eventually(along, "the driver sees who seeks")
    second = begin()
    eventually(lambda: len(along()) > 1, "the driver sees who has begun to seek")
    # Many more have found it.
    stack.psql(FOUND.format(ride=ride))
    pages(stack, f"/v1/rides/{ride}/seekers?limit=1", driver)
    for _ in range(2):
        call(stack, "POST", f"/v1/rides/{ride}/seekers/{first}/invite", {}, driver, empty=True)
    for path in ("/v1/seekers", *(f"/v1/seekers?region=Region%20{1 + number}&direction={way}" for way in ("from", "to"))):
        for token in (seeker, driver):
            pages(stack, f"{path}{'&' if '?' in path else '?'}limit=20", token)
    # A seat is taken, and is free again.
    seat = f"/v1/seat-requests/{call(stack, 'POST', f'/v1/rides/{ride}/requests', {'seats': 1}, seeker)['id']}"
    for act, token in (("accept", driver), ("leave", seeker)):
        call(stack, "POST", f"{seat}/{act}", {}, token)
    lonely(stack, driver, number)
    # Drivers are told within a second or two of who begins.
    time.sleep(2.5)
    for is_visible in (False, True):
        call(stack, "PATCH", f"/v1/wanted/{second}", {"isVisible": is_visible}, seeker)
    if number % 2 == 0:
        call(stack, "DELETE", f"/v1/wanted/{first}", token=seeker, empty=True)
    call(stack, "DELETE", f"/v1/rides/{ride}", {}, driver, empty=True)
    for search in [second] + [first] * (number % 2):
        call(stack, "DELETE", f"/v1/wanted/{search}", token=seeker, empty=True)


def lonely(stack, driver, number):
    """Many rides at once, where nobody looks for any."""
    ends = [{"name": name, "position": {"latitude": -53.2 + step, "longitude": -70.9}} for step, name in enumerate(("South", "North"))]
    every = ["monday", "tuesday", "wednesday", "thursday", "friday"]
    last = (datetime.date.today() + datetime.timedelta(days=20)).isoformat()
    commute = {"ride": ride_plans.draft(number, 1, maxDetour=0, stops=ends), "weekdays": every, "until": last}
    made = call(stack, "POST", "/v1/ride-series", commute, driver)
    time.sleep(1)
    call(stack, "DELETE", f"/v1/ride-series/{made['id']}", {}, driver, empty=True)


def together(stack, seeker, driver, them):
    """What somebody shares while two are apart is found once they are together again."""
    near = point(60.95, 24.6)
    path = f"/v1/wanted/{call(stack, 'POST', '/v1/wanted', {'query': {'spots': {'near': near, 'radius': 250}}}, seeker)['id']}"
    call(stack, "PUT", f"/v1/blocks/{them}", token=seeker)
    time.sleep(1)
    spot = call(stack, "POST", "/v1/spots", {"name": "Shared meanwhile", "kind": "street", "position": near}, driver)
    time.sleep(1)
    call(stack, "DELETE", f"/v1/blocks/{them}", token=seeker, empty=True)
    eventually(lambda: call(stack, "GET", path, token=seeker)["found"], "what was shared meanwhile is found")
    call(stack, "DELETE", f"/v1/spots/{spot['id']}", token=driver, empty=True)
    call(stack, "DELETE", path, token=seeker, empty=True)


FOUND = """
    SET search_path = matching, public;
    INSERT INTO finds (wanted, kind, subject, found_at, is_new)
    SELECT id, 'ride', '{ride}', now(), false FROM wanted WHERE is_visible AND state = 'live' AND seeks_before > now() ORDER BY seeks_before LIMIT 2000 ON CONFLICT DO NOTHING;"""
