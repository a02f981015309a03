"""What newcomers, moderators and those who go have the services run: archives, erasures, reports, cases, acts, notices, the audit log."""

import subprocess
import time
import urllib.request

# What must have been seen, as in `plans_use`.
STATEMENTS = [
    r"^SELECT count\(\*\) AS count, min\(reported_at\) AS oldest FROM reports",
    r"AS is_told FROM cases",
    r"^INSERT INTO cases",
    r"^INSERT INTO reports",
    r"FROM reports WHERE case_id",
    r"FROM reports JOIN cases",
    r"FROM cases WHERE id",
    r"FROM cases WHERE decided_at IS NULL",
    r"FROM cases WHERE decided_at IS NOT NULL",
    r"^UPDATE cases SET version",
    r"^INSERT INTO hidden_subjects",
    r"^DELETE FROM hidden_subjects",
    r"^SELECT hidden_at, reason FROM hidden_subjects",
    r"^INSERT INTO audit_log",
    r"FROM audit_log WHERE",
    r"^UPDATE accounts SET suspended_at",
    r"^INSERT INTO notices",
    r"FROM notices WHERE person = .* AND read_at IS NULL",
    r"^UPDATE notices SET read_at",
    r"^INSERT INTO exports",
    r"^UPDATE export_parts SET due_at = .*, attempts",
    r"^INSERT INTO export_pages",
    r"FROM exports JOIN export_pages",
    r"^DELETE FROM exports WHERE expires_at",
    r"FROM spots WHERE posted_by = .* ORDER BY id DESC LIMIT",
    r"FROM spots WHERE claimed_by = .* ORDER BY id DESC LIMIT",
    r"FROM observations WHERE person",
    r"FROM identities WHERE person",
    r"^DELETE FROM accounts",
    r"^INSERT INTO erasures",
    r"^UPDATE erasure_parts",
    r"FROM erasure_photos AS left_over",
    r"^DELETE FROM erasures",
    r"^DELETE FROM revoked_sessions",
    r"^UPDATE spots SET posted_by",
    r"^DELETE FROM observations WHERE person",
    # What the foreign keys of an account do when it goes.
    *(rf'^DELETE FROM ONLY "auth"."{table}" WHERE' for table in (
        "sessions", "friendships", "blocks", "encounters", "reviews", "notices", "cases", "identities", "exports", "export_parts", "export_pages")),
    r'^UPDATE ONLY "auth"."reports" SET "reporter"',
]


def moderator(stack, sign_up, signed_in):
    """Somebody who keeps order, with a token that says so."""
    account = sign_up(stack, "Keeper")
    subprocess.run([stack.home / "bin/kampong", "moderators", "grant", account["person"]["id"], "--stack", stack.home / "run/stack.json"],
                   capture_output=True, check=True)
    return signed_in(stack, account["email"])["accessToken"]


def subscribe(stack, call, token):
    """Reads the calendar that somebody has elsewhere."""
    feed = call(stack, "POST", "/v1/me/calendar-feed", {}, token)["path"]
    call(stack, "GET", f"/v1/calendar.ics?token={feed.removeprefix('/calendar/').removesuffix('.ics')}", empty=True)


def order(stack, call, keeper, poster, spot, newcomer):
    """A newcomer reports a spot and its owner; the keeper hides and shows the one, warns and suspends another newcomer."""
    token, other = newcomer()["session"]["accessToken"], newcomer()
    them = other["person"]["id"]
    for kind, id in (("spot", spot["id"]), ("person", poster["person"]["id"]), ("person", them)):
        call(stack, "POST", "/v1/reports", {"subject": {"kind": kind, "id": id}, "reason": "other", "text": "Look at this."}, token)
    for state in ("open", "decided"):
        page = call(stack, "GET", f"/v1/moderation/cases?state={state}&limit=50", token=keeper)
        if page.get("next"):
            call(stack, "GET", f"/v1/moderation/cases?state={state}&limit=50&cursor={page['next']}", token=keeper)
    decide(stack, call, keeper, spot["id"], "hide", "restore")
    decide(stack, call, keeper, poster["person"]["id"], "dismiss")
    decide(stack, call, keeper, them, "warn")
    for notice in call(stack, "GET", "/v1/me/notices", token=other["session"]["accessToken"])["items"]:
        call(stack, "PUT", f"/v1/me/notices/{notice['id']}/read", token=other["session"]["accessToken"], empty=True)
    call(stack, "POST", "/v1/reports", {"subject": {"kind": "person", "id": them}, "reason": "spam"}, token)
    decide(stack, call, keeper, them, "suspend", "reinstate")
    for query in ("limit=50", f"person={poster['person']['id']}"):
        page = call(stack, "GET", f"/v1/moderation/audit?{query}", token=keeper)
        if page.get("next"):
            call(stack, "GET", f"/v1/moderation/audit?{query}&cursor={page['next']}", token=keeper)


def decide(stack, call, keeper, subject, *acts):
    case, cursor = None, ""
    # The newest is the last of them.
    while case is None:
        page = call(stack, "GET", f"/v1/moderation/cases?state=open&limit=100{cursor}", token=keeper)
        case = next((one for one in page["items"] if one["subject"]["id"] == subject), None)
        cursor = f"&cursor={page.get('next')}"
    for act in acts:
        version = call(stack, "GET", f"/v1/moderation/cases/{case['id']}", token=keeper)["about"]["version"]
        draft = {"act": act, "reason": "As one would expect.", "version": version} | ({"days": 1} if act == "suspend" else {})
        call(stack, "POST", f"/v1/moderation/cases/{case['id']}/acts", draft, keeper)


def archive(stack, call, token):
    """Everything that is kept about somebody."""
    call(stack, "POST", "/v1/me/export", token=token)
    end = time.monotonic() + 120
    while "readyAt" not in call(stack, "GET", "/v1/me/export", token=token):
        if time.monotonic() > end:
            raise RuntimeError("an archive was not ready after two minutes")
        time.sleep(0.2)
    request = urllib.request.Request(f"http://127.0.0.1:{stack.port}/v1/me/export/archive", headers={"Authorization": f"Bearer {token}"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        answer.read()


def farewell(stack, call, token, password, wait=False):
    call(stack, "GET", "/v1/me/identities", token=token)
    receipt = call(stack, "DELETE", "/v1/me", {"password": password}, token)["id"]
    end = time.monotonic() + 60
    while wait and "completedAt" not in call(stack, "GET", f"/v1/erasures/{receipt}"):
        if time.monotonic() > end:
            raise RuntimeError("an erasure was not complete after a minute")
        time.sleep(0.5)
