"""What schemathesis needs to know of Kampong: how one is signed in. Loaded by it, not by pytest."""

import os

import schemathesis

from hostile import Person

# Calls that may end the session they are made with.
ENDING = {"signOut", "endAllSessions", "endSession", "changePassword"}

if not os.environ.get("KAMPONG_ANONYMOUS"):

    @schemathesis.auth(refresh_interval=None)
    class Session:
        """One person for the whole run; another for each call that would leave that one outside."""

        def __init__(self):
            self.person = Person("Schema Thesis")

        def get(self, case, context):
            if case.operation.definition.raw.get("operationId") in ENDING:
                return Person("Passing By").token
            return self.person.fresh()

        def set(self, case, data, context):
            case.headers = {**(case.headers or {}), "Authorization": f"Bearer {data}"}
