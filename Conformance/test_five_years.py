"""Five years of renewals, each told to a developer who listens."""

import time
from datetime import datetime, timezone

from appstoreserverlibrary.models.Environment import Environment
from conftest import Garden, name
from perennial import Perennial


def test_five_years_are_sixty_renewals_in_order(listener, capsys):
    with Perennial("--notify", listener.url(Environment.PRODUCTION)) as server:
        garden = Garden(server, listener, Environment.PRODUCTION)
        customer = garden.customer()
        bought = customer.buys("com.example.garden.estate.monthly")
        assert garden.news() == ["SUBSCRIBED/INITIAL_BUY"]

        started = time.perf_counter()
        changes = garden.operator.wait("P5Y")
        took = time.perf_counter() - started

        arrived = garden.arrivals()
        assert [name(one) for one in arrived] == ["DID_RENEW"] * 60
        assert changes == 60
        renewals = [garden.developer.transaction(one.data.signedTransactionInfo) for one in arrived]
        periods = [bought, *renewals]
        assert [one.purchaseDate for one in renewals] == [one.expiresDate for one in periods[:-1]]
        # From the last day of January: always the last day of the month, never drifting.
        ends = [datetime.fromtimestamp(one.expiresDate / 1000, timezone.utc) for one in periods]
        assert all(end.day >= 28 for end in ends)
        assert [(end.year, end.month) for end in ends] == [
            (2026 + (1 + month) // 12, (1 + month) % 12 + 1) for month in range(61)]
        assert {end.day for end in ends if end.month in (1, 3, 5, 7, 8, 10, 12)} == {31}
        assert all(
            signed.signedDate == renewal.purchaseDate for signed, renewal in zip(arrived, renewals))
        assert len({one.notificationUUID for one in arrived}) == 60
        assert len(customer.transactions()) == 61

    with capsys.disabled():
        print(f"\nfive years, 60 renewals delivered over HTTP: {took:.3f} s")
