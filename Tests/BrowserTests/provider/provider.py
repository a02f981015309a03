"""A real identity provider for the tests: Canaille, with one client and the people that a test names.

Runs in an environment of its own (requirements.txt beside it), with a database in the folder that it is started in: the one that Canaille keeps in memory takes
anybody's consent and anybody's code for the one that is looked for. The one argument is a file of JSON: port, client, people.
"""

import datetime
import json
import os
import pathlib
import secrets
import sys

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "true"  # on this machine only

from canaille import create_app  # noqa: E402
from canaille.app import models  # noqa: E402
from canaille.backends import Backend  # noqa: E402
from canaille.oidc import provider  # noqa: E402

DATABASE = pathlib.Path("college.sqlite").absolute()


# Its own access tokens say nothing but who and when to the second: who signs in twice in a second gets the same one, and its database keeps none twice.
provider.generate_access_token = lambda *_, **__: secrets.token_urlsafe(48)


def configuration(port):
    return {
        "SECRET_KEY": os.urandom(24).hex(),
        "SERVER_NAME": f"127.0.0.1:{port}",
        "PREFERRED_URL_SCHEME": "http",
        "CANAILLE": {
            "NAME": "Hill College", "DATABASE": "sql", "JAVASCRIPT": False, "TIMEZONE": "UTC",
            "ACL": {"DEFAULT": {"PERMISSIONS": ["edit_self", "use_oidc"], "READ": ["user_name"], "WRITE": ["photo"]}},
        },
        "CANAILLE_SQL": {"DATABASE_URI": f"sqlite:///{DATABASE}", "PASSWORD_SCHEMES": "plaintext"},
        # Nobody is trusted: people are asked whether they agree.
        "CANAILLE_OIDC": {"TRUSTED_DOMAINS": []},
    }


def fill(backend, client, people):
    known = models.Client(
        client_id=client["id"], client_secret=client["secret"], client_name="Kampong", client_uri="https://kampong.example.org",
        redirect_uris=[client["redirect"]], grant_types=["authorization_code"], response_types=["code"],
        scope=["openid", "profile", "email"], token_endpoint_auth_method="client_secret_basic", id_token_signed_response_alg="RS256",
        client_id_issued_at=datetime.datetime.now(datetime.timezone.utc))
    backend.save(known)
    known.audience = [known]
    backend.save(known)
    for person in people:
        given, family = person["name"].split(" ", 1)
        backend.save(models.User(
            user_name=person["username"], formatted_name=person["name"], given_name=given, family_name=family,
            display_name=person["username"], emails=[person["email"]], password=person["password"],
            photo=pathlib.Path(person["photo"]).read_bytes() if person.get("photo") else None))


def main():
    told = json.loads(pathlib.Path(sys.argv[1]).read_text())
    DATABASE.unlink(missing_ok=True)
    app = create_app(config=configuration(told["port"]))
    with app.app_context(), Backend.instance.session():
        fill(Backend.instance, told["client"], told["people"])
    app.run(host="127.0.0.1", port=told["port"], threaded=True, use_reloader=False)


if __name__ == "__main__":
    main()
