"""A running store."""

import json
import os
import subprocess
import tempfile
import time
import uuid
from contextlib import contextmanager
from pathlib import Path

import pytest
from appstoreserverlibrary.models.Environment import Environment

ROOT = Path(__file__).resolve().parent.parent
BINARY = Path(os.environ.get("PERENNIAL_BINARY", ROOT / ".build" / "debug" / "perennial"))
CATALOGUE = ROOT / "Examples" / "Garden.storekit"
PAPER = ROOT / "Examples" / "Paper.storekit"
START = "2026-01-31T00:00:00Z"
BOTH = [Environment.PRODUCTION, Environment.SANDBOX]
BACKENDS = ["SQLite", "PostgreSQL"]
POSTGRES = os.environ.get("PERENNIAL_TEST_POSTGRES")


@contextmanager
def database(backend):
    """The URL of a database that is there for a while; nothing where the store keeps a file."""
    if backend == "SQLite":
        yield None
        return
    if not POSTGRES:
        pytest.skip("PERENNIAL_TEST_POSTGRES names no server")
    name = f"conformance_{uuid.uuid4().hex[:12]}"
    psql(f"CREATE DATABASE {name}")
    try:
        yield f"{POSTGRES.rsplit('/', 1)[0]}/{name}"
    finally:
        psql(f"DROP DATABASE {name}")


def psql(statement):
    subprocess.run(["psql", "-q", "-c", statement, POSTGRES], check=True, capture_output=True)


class Perennial:
    """`perennial serve` on free ports, in memory unless a database is given by its URL, with a
    clock that stands still."""

    def __init__(self, *options, at=START, catalogue=CATALOGUE, database=None):
        if not BINARY.exists():
            raise FileNotFoundError(f"{BINARY}: `make build` makes it, PERENNIAL_BINARY names another")
        self._folder = tempfile.TemporaryDirectory(prefix="perennial-conformance-")
        folder = Path(self._folder.name)
        self._log = folder / "log"
        ready_file = folder / "ready.json"
        place = ["--ephemeral"]
        if database:
            place = ["--data", folder / "data", "--database-url", database]
        command = [
            BINARY, "serve", catalogue, *place, "--clock", "frozen", "--at", at,
            "--port", "0", "--sandbox-port", "0", "--ready-file", ready_file,
            # In the order of what happened, also where it happened to several subscriptions.
            "--deliveries-at-once", "1", *options,
        ]
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [str(word) for word in command], stdin=subprocess.DEVNULL, stdout=log,
                stderr=subprocess.STDOUT, cwd=folder)
        self.ready = self._wait_for(ready_file)
        self.bundle_id = self.ready["bundleId"]
        self.app_apple_id = self.ready["appAppleId"]
        self.private_key = Path(self.ready["privateKeyFile"]).read_bytes()
        self.root_certificate = Path(self.ready["rootCertificateFile"]).read_bytes()

    def url(self, environment):
        return self.ready[environment.value.lower()]["url"].rstrip("/")

    @property
    def process_id(self):
        return self._process.pid

    def log(self):
        """What it has printed and logged so far."""
        return self._log.read_text()

    def terminate(self):
        if self._process.poll() is None:
            self._process.terminate()
            self._process.wait(timeout=30)

    def stop(self):
        self.terminate()
        self._folder.cleanup()
        assert self._process.returncode == 0, f"the store ended with {self._process.returncode}"

    def _wait_for(self, ready_file):
        give_up_at = time.monotonic() + 120
        while not ready_file.exists():
            if self._process.poll() is not None or time.monotonic() > give_up_at:
                self._process.kill()
                raise RuntimeError(f"the store did not start:\n{self.log()}")
            time.sleep(0.02)
        return json.loads(ready_file.read_text())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
