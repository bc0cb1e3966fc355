"""What the tests share: a running store, a listening developer, people."""

import itertools

import apple
import pytest
from appstoreserverlibrary.models.Environment import Environment
from apple import Developer
from listener import Listener
from perennial import BOTH, Perennial
from story import Customer, Operator


class Garden:
    """One running store with a developer who listens, seen from one environment."""

    _numbers = itertools.count(1)

    def __init__(self, server, listener, environment):
        self.server = server
        self.listener = listener
        self.environment = environment
        self.developer = Developer(server, environment)
        self.operator = Operator(server, self.developer)

    @property
    def is_sandbox(self):
        return self.environment == Environment.SANDBOX

    @property
    def month(self):
        """At least a month and never two: as it goes in this environment."""
        return "PT5M" if self.is_sandbox else "P31D"

    def customer(self, account=None, **details):
        """A customer; without a name, one that nobody has met."""
        account = account or f"gardener-{next(self._numbers)}"
        return Customer(self.server, self.developer, account, **details)

    def arrivals(self):
        """The notifications that came since the last call, decoded."""
        self.operator.settle()
        return [
            self.developer.notification(signed)
            for signed in self.listener.take_arrivals(self.environment)
        ]

    def news(self, of=None):
        """The names of the notifications that came since the last call: `DID_RENEW`.

        Given a transaction, only those about its subscription, or about itself."""
        return [name(notification) for notification in self.arrivals_of(of)]

    def arrivals_of(self, transaction=None):
        """The same, decoded."""
        arrivals = self.arrivals()
        if transaction is None:
            return arrivals
        return [one for one in arrivals if self.told(one).originalTransactionId ==
                transaction.originalTransactionId]

    def told(self, notification):
        """The transaction in a notification about a purchase."""
        return self.developer.transaction(notification.data.signedTransactionInfo)

    def days(self, count):
        """So many days as they last for a monthly plan: in Sandbox a month is five minutes."""
        return f"PT{10 * count}S" if self.is_sandbox else f"P{count}D"

    @property
    def answer_time(self):
        """How long a developer may take to tell about consumption."""
        return "PT5S" if self.is_sandbox else "PT12H"


def name(notification):
    """Type and subtype: `SUBSCRIBED/INITIAL_BUY`."""
    parts = [notification.rawNotificationType, notification.rawSubtype]
    return "/".join(part for part in parts if part)


@pytest.fixture(scope="module")
def listener():
    listener = Listener()
    yield listener
    listener.close()


@pytest.fixture(scope="module")
def server(listener):
    with Perennial() as server:
        operator = Operator(server, Developer(server, Environment.PRODUCTION))
        operator.listen(listener, *BOTH)
        yield server


@pytest.fixture(scope="module", params=BOTH, ids=lambda environment: environment.value)
def garden(request, server, listener):
    return Garden(server, listener, request.param)


@pytest.fixture
def quiet(garden):
    """The same environment of a store of its own, where nobody else's renewals interfere."""
    with Perennial() as server:
        quiet = Garden(server, garden.listener, garden.environment)
        quiet.operator.listen(garden.listener, *BOTH)
        garden.arrivals()
        yield quiet
        garden.listener.answer()


# What is signed for developers: a whole run verifies some of each, in both environments.
SIGNED = {"signedTransactionInfo", "signedRenewalInfo", "signedAppTransactionInfo", "signedPayload"}


def pytest_addoption(parser):
    parser.addoption(
        "--whole", action="store_true",
        help="all files run: fail where not every kind of signed text was verified on the way")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """A file's tests share stores, so that one process runs them, or one for each database; those
    of the schema-driven tester take longest, and each has a store of its own. xdist reads the
    marks in this same hook, so that they must be there first."""
    for item in items:
        parts = [item.path.name]
        if item.path.name == "test_contract.py":
            parts.append(item.name)
        elif hasattr(item, "callspec") and "backend" in item.callspec.params:
            parts.append(item.callspec.params["backend"])
        item.add_marker(pytest.mark.xdist_group("-".join(parts)))


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    """One of the processes has run its files, or died."""
    for environment, member, count in getattr(node, "workeroutput", {}).get("verified", []):
        apple.verified[environment, member] += count


def pytest_sessionfinish(session):
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["verified"] = [
            [*key, count] for key, count in apple.verified.items()]
    elif session.config.getoption("whole") and unverified():
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def unverified():
    """What a whole run has verified too little of."""
    missing = [
        f"no {member} in {environment.value}" for environment in BOTH for member in sorted(SIGNED)
        if not apple.verified[environment.value, member]]
    for environment in BOTH:
        count = sum(
            count for (name, _), count in apple.verified.items() if name == environment.value)
        if count <= 100:
            missing.append(f"only {count} in {environment.value}")
    return missing


def pytest_terminal_summary(terminalreporter, config):
    terminalreporter.section("verified by Apple's own verifier")
    for (environment, member), count in sorted(apple.verified.items()):
        terminalreporter.write_line(f"{count:6} {member} in {environment}")
    if config.getoption("whole"):
        for one in unverified():
            terminalreporter.write_line(f"FAILED: verified {one}", red=True)
