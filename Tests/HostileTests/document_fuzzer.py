"""A run of schemathesis against the OpenAPI document, beside whatever else is tried meanwhile."""

import os
import pathlib
import subprocess
import sys

from hostile import URL

HERE = pathlib.Path(__file__).parent
EXAMPLES = os.environ.get("KAMPONG_EXAMPLES", "10")
SEED = os.environ.get("KAMPONG_SEED", "1")
WHO = ("signed in", "not signed in")


class Fuzzer:
    def __init__(self, who, folder):
        command = [
            str(pathlib.Path(sys.executable).with_name("schemathesis")), "--config-file", str(HERE / "schemathesis.toml"), "run", f"{URL}/v1/openapi.json", "--url", URL,
            "--checks", "all", "--max-examples", EXAMPLES, "--seed", SEED, "--continue-on-failure", "--request-timeout", "60", "--generation-database", "none",
            # It never ends. test_json.py asks it wrongly, and Tests/GatewayServiceTests read it.
            "--exclude-operation-id", "streamEvents",
        ]
        environment = {
            **os.environ, "PYTHONPATH": str(HERE), "SCHEMATHESIS_HOOKS": "document_hooks", "KAMPONG_ANONYMOUS": "" if who == "signed in" else "1", "COLUMNS": "160",
        }
        self.text = folder / "said"
        # Into a file: nobody reads along, and a pipe that is full would hold it up.
        with self.text.open("wb") as text:
            self.process = subprocess.Popen(command, env=environment, cwd=folder, stdout=text, stderr=subprocess.STDOUT)

    def result(self):
        """How it ended, once it has, and what it said."""
        status = self.process.wait(3600)
        return status, self.text.read_text(encoding="utf-8", errors="replace")

    def end(self):
        """Also where no test has waited for it."""
        self.process.kill()
        self.process.wait()
