"""A server of 2012 that meets both environments, as App Review lets it: the two ways of session 308."""

import pytest
from apple import Developer
from appstoreserverlibrary.models.Environment import Environment
from legacy import LegacyServer
from perennial import BACKENDS, BOTH, Perennial, database
from story import Customer, Operator

ESTATE = "com.example.garden.estate.monthly"
ALMANAC = "com.example.garden.almanac"
SEASON = "com.example.garden.season.summer"
PRODUCTION, SANDBOX = BOTH


@pytest.fixture(scope="module", params=BACKENDS)
def server(request):
    with database(request.param) as url, Perennial(database=url) as server:
        yield server


@pytest.fixture
def customers(server, request):
    """Who bought a subscription in each environment."""
    customers = {}
    for environment in BOTH:
        one = Customer(
            server, Developer(server, environment), f"reviewer-{request.node.name}", device="phone")
        one.buys(ESTATE)
        customers[environment] = one
    return customers


def test_who_reacts_asks_production_and_goes_where_it_is_sent(server, customers, tmp_path):
    with LegacyServer(server, tmp_path) as legacy:
        for environment, asked in [
            (PRODUCTION, [("Production", 0)]), (SANDBOX, [("Production", 21007), ("Sandbox", 0)]),
        ]:
            # Which version it is says nothing to a server that reacts.
            for version in ("1.0", "1.1"):
                status, answer = legacy.takes(
                    environment.value, customers[environment].receipt(), version=version)
                assert status == 200 and answer["environment"] == environment.value
                assert list(answer["access"]) == [ESTATE]
                assert legacy.asked() == asked


def test_who_decides_sends_what_is_not_sold_yet_to_sandbox(server, customers, tmp_path):
    with LegacyServer(server, tmp_path, "--strategy", "smart", "--newest-sold", "1.9") as legacy:
        for environment, version, asked in [
            (PRODUCTION, "1.9", [("Production", 0)]), (SANDBOX, "1.10", [("Sandbox", 0)]),
        ]:
            status, answer = legacy.takes(
                environment.value, customers[environment].receipt(), version=version)
            assert status == 200 and answer["environment"] == environment.value
            assert legacy.asked() == asked
        # Whoever lets in what is sold gives nothing for what was bought in Sandbox, and a version
        # in review has nothing of Production.
        for environment, version, asked in [
            (SANDBOX, "1.9", ("Production", 21007)), (PRODUCTION, "2.0", ("Sandbox", 21008)),
        ]:
            status, answer = legacy.takes(
                "somebody", customers[environment].receipt(), version=version)
            assert (status, answer) == (422, {"status": asked[1]})
            assert legacy.asked() == [asked]
        assert legacy.looks("somebody")[0] == 404


def test_what_is_no_receipt_gives_nothing(server, customers, tmp_path):
    with LegacyServer(server, tmp_path) as legacy:
        receipt = customers[PRODUCTION].receipt()
        for wrong, status in [("AAAA", 21002), (receipt[:-8], 21002)]:
            assert legacy.takes("mallory", wrong) == (422, {"status": status})
        for body in [{}, {"receipt": 7}, {"version": 1}]:
            assert legacy.takes(**{"account": "mallory", "receipt": receipt, **body})[0] == (
                200 if not body else 400)
        legacy.asked()


def test_a_store_that_fails_for_a_moment_is_asked_again_later(server, customers, tmp_path):
    operator = Operator(server, Developer(server, PRODUCTION))
    with LegacyServer(server, tmp_path) as legacy:
        receipt = customers[PRODUCTION].receipt()
        operator.adds_fault("failCalls", errorCode=5000001, operation="verifyReceipt", count=1)
        assert legacy.takes("anna", receipt) == (503, {"status": 21100})
        status, answer = legacy.takes("anna", receipt)
        assert status == 200 and list(answer["access"]) == [ESTATE]
        assert legacy.asked() == [("Production", 21100), ("Production", 0)]


def test_refunds_and_what_is_bought_for_ever(server, tmp_path):
    developer = Developer(server, PRODUCTION)
    operator = Operator(server, developer)
    anna = Customer(server, developer, "anna-for-ever", device="phone")
    almanac, season = anna.buys(ALMANAC), anna.buys(SEASON)
    with LegacyServer(server, tmp_path) as legacy:
        _, answer = legacy.takes("anna", anna.receipt())
        assert answer["kept"] == sorted([almanac.transactionId, season.transactionId])
        # A season has no end in its receipt: the server counts three months.
        assert answer["access"] == {ALMANAC: None, SEASON: 1777507200000}
        # Who shows another's receipt gets nothing of it.
        assert legacy.takes("bert", anna.receipt())[1]["access"] == {}
        operator.refunds(almanac.transactionId)
        # Nothing renews in it, so the news come with a new receipt from the app.
        assert legacy.looks("anna")[1]["access"] == {ALMANAC: None, SEASON: 1777507200000}
        assert legacy.takes("anna", anna.receipt())[1]["access"] == {SEASON: 1777507200000}
