"""Uses things and agreements until listings has run each of its statements about them, among a million of the one and five million of the other.

One regular has shared as much as one may, with thousands of agreements about the first of it; the other has rented thousands of times.
"""

import datetime
import urllib.parse

import plans_people
import rentals_fill

# What must have been seen, as patterns.
STATEMENTS = [
    r"FROM things WHERE listed .* ORDER BY newness DESC",
    r"FROM things WHERE listed .* ORDER BY price, id",
    r"FROM things WHERE listed .* ORDER BY price DESC",
    r"FROM things WHERE listed .* ORDER BY quarter, id",
    r"FROM things WHERE owner = .* ORDER BY newness DESC",
    r"WITH TIES\) AS tied ORDER BY chord",
    r"words LIKE",
    r"@@ to_tsquery",
    r"^WITH RECURSIVE clocks AS",
    r"occupied.period && tstzrange",
    r"^SELECT occupied.id",
    r"^SELECT NOT EXISTS \( SELECT FROM occupied",
    r"^SELECT \(SELECT count\(\*\) FROM things WHERE owner",
    r"^INSERT INTO things",
    r"^UPDATE things SET posted_at",
    r"^DELETE FROM things WHERE id",
    r"^INSERT INTO rentals",
    r"^INSERT INTO occupied",
    r"^DELETE FROM occupied USING things",
    r"^UPDATE rentals SET state",
    r"^INSERT INTO rental_evidence",
    r"FROM \(\(SELECT .* FROM rentals WHERE owner = .* UNION ALL",
    r"FROM rentals WHERE renter = .* AND state = .* ORDER BY id DESC",
    r"^WITH own AS MATERIALIZED",
    r"^INSERT INTO calendar_entries",
    r"SELECT thing FROM rentals WHERE due_at <=",
    r"SELECT thing FROM rentals WHERE remind_at <=",
    r"SELECT thing FROM rentals WHERE talk_until <=",
    r"^SELECT suspensions.person FROM suspensions WHERE",
    r"AS partners FROM things",
    r"^UPDATE rentals SET owner",
    r"^UPDATE rentals SET renter",
]


def fill(stack, rows, people):
    rentals_fill.fill(stack, rows, 5 * rows)
    poster, driver = (id for id, _ in people)
    stack.psql(f"""
        SET search_path = listings, public;
        UPDATE rentals SET owner = '{poster}' WHERE owner = '{rentals_fill.person(rentals_fill.KEEPER)}';
        UPDATE things SET owner = '{poster}' WHERE owner = '{rentals_fill.person(rentals_fill.KEEPER)}' AND id NOT IN (
            SELECT id FROM things WHERE owner = '{rentals_fill.person(rentals_fill.KEEPER)}' ORDER BY id DESC LIMIT 20);
        UPDATE rentals SET renter = '{driver}' WHERE renter = '{rentals_fill.person(rentals_fill.DRIVER)}' AND owner <> '{driver}';
        ANALYZE things; ANALYZE rentals""")


def use(stack, call, keeper, poster, driver):
    ours, theirs = poster["accessToken"], driver["accessToken"]
    browse(stack, call, theirs)
    draft = {"title": "Store room", "region": "Bedok", "place": "Lorong 1", "address": "2 Lorong 1", "size": 4}
    one = call(stack, "POST", "/v1/spaces", draft, ours)
    path = f"/v1/spaces/{one['id']}"
    call(stack, "PUT", path, draft | {"description": "Dry and cool."}, ours)
    call(stack, "PATCH", path, {"region": "Sentosa"}, ours)
    begun = call(stack, "POST", "/v1/spaces", {"isComplete": False, "title": "Begun"}, ours)
    call(stack, "DELETE", f"/v1/spaces/{begun['id']}", token=ours, empty=True)
    agree(stack, call, keeper, path, ours, theirs)
    block = call(stack, "POST", f"{path}/date-blocks", {"from": day(30), "until": day(33)}, ours)
    call(stack, "GET", f"{path}/calendar?from={day(0)}&until={day(300)}", token=theirs)
    call(stack, "GET", f"{path}/quote?from={day(31)}&until={day(31)}", token=theirs)
    call(stack, "DELETE", f"/v1/date-blocks/{block['id']}", token=ours, empty=True)
    lists(stack, call, ours, theirs)
    for token in (ours, theirs):
        plans_people.subscribe(stack, call, token)
    call(stack, "GET", path, token=theirs)
    call(stack, "DELETE", path, token=ours, empty=True)


def day(ahead):
    return (datetime.datetime.now(datetime.timezone.utc).date() + datetime.timedelta(days=ahead)).isoformat()


def browse(stack, call, token):
    near = f"{rentals_fill.SOUTH + rentals_fill.HEIGHT / 2},{rentals_fill.WEST + rentals_fill.WIDTH / 2}"
    questions = [{}, {"sort": "price"}, {"sort": "-price"}, {"sort": "region"}, {"sort": "nearest", "near": near}, {"near": near}, {"region": "Sentosa"}, {"region": "Nowhere"},
                 {"region": "Sentosa", "sort": "price"}, {"brand": "Toyota"}, {"brand": "Saab", "sort": "price"}, {"brand": "Saab", "sort": "nearest", "near": near},
                 {"brand": "Trabant", "sort": "price"}, {"brand": "Toyota", "model": "Sienta"}, {"highestPrice": 3000}, {"from": day(25), "until": day(28)},
                 {"sort": "nearest", "near": near, "from": day(25), "until": day(28)}]
    questions += [{"q": typed} for typed in ("t", "to", "zq", "toyota", "brera", "petrol", "beekeeping", "qqzzx", "room 123", "toyota petrol lift")]
    questions += [{"q": "toyota", "sort": "nearest", "near": near}, {"q": "brera", "sort": "price"}]
    for question in questions:
        kinds = ("cars",) if "brand" in question else ("cars", "spaces", "private-parking")
        for kind in kinds:
            for who in (None, token):
                path = f"/v1/{kind}?{urllib.parse.urlencode(question, quote_via=urllib.parse.quote)}"
                page = call(stack, "GET", path, token=who)
                if page.get("next"):
                    call(stack, "GET", f"{path}{'&' if question else '?'}cursor={urllib.parse.quote(page['next'])}", token=who)


def agree(stack, call, keeper, path, ours, theirs):
    """One that takes its whole way to a moderator, one that is declined, one that is called off."""
    act = lambda rental, name, token, **more: call(stack, "POST", f"/v1/rentals/{rental['id']}/{name}", more, token)
    ask = lambda first, last: call(stack, "POST", f"{path}/rentals", {"from": day(first), "until": day(last)}, theirs)
    # Days of Singapore: tomorrow's begin within a day, wherever this runs.
    rental = ask(1, 2)
    act(rental, "accept", ours)
    call(stack, "GET", f"/v1/rentals/{rental['id']}", token=theirs)
    call(stack, "GET", f"/v1/rentals/{rental['id']}/contact", token=theirs)
    act(rental, "hand-over", ours)
    act(rental, "hand-over", theirs)
    act(rental, "return", theirs)
    act(rental, "dispute", ours, reason="A dent.")
    act(rental, "explain", theirs, reason="It was there before.")
    call(stack, "GET", "/v1/rentals?disputed=true", token=keeper)
    act(rental, "settle", keeper, reason="It was there before.", share=50)
    act(ask(5, 6), "decline", ours)
    act(ask(5, 6), "cancel", theirs)


def lists(stack, call, ours, theirs):
    for token in (ours, theirs):
        for query in ("", "?role=owner", "?role=renter", "?state=requested", "?role=owner&state=returned", "?role=renter&state=accepted"):
            page = call(stack, "GET", f"/v1/rentals{query}", token=token)
            if page.get("next"):
                call(stack, "GET", f"/v1/rentals{query}{'&' if query else '?'}cursor={page['next']}", token=token)
        page = call(stack, "GET", "/v1/things?mine=true&limit=50", token=token)
        for thing in page["items"][-1:]:
            call(stack, "GET", f"/v1/rentals?thing={thing['id']}", token=token)
