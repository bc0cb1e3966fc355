"""What the server must do when the App Store does something."""

import json
import urllib.error
import urllib.request

import pytest

ESTATE = "com.example.garden.estate.monthly"
VEGETABLES = "com.example.garden.vegetables.monthly"


def test_a_renewal_keeps_access(server, ada, advance, notifications):
    first = server.access("ada")
    advance("P1M")
    renewed = notifications.wait_for("DID_RENEW")
    assert renewed.answer == 200
    now = server.access("ada")
    assert now["access"] and now["renews"] and now["until"] > first["until"]


def test_who_cancels_has_access_until_the_end_of_the_period(server, ada, advance, notifications):
    ada.cancel()
    now = server.access("ada")
    assert now["access"] and not now["renews"]
    advance("P1M")
    notifications.wait_for("EXPIRED", "VOLUNTARY")
    assert server.access("ada") == {"access": False}
    assert server.mails("ada") == ["Your subscription has ended."]


def test_a_grace_period_keeps_access_while_the_bank_declines(server, store, ada, notifications):
    store.configure(gracePeriod="SIXTEEN_DAYS")
    ada.payment_method("decline")
    store.advance("P1M")
    notifications.wait_for("DID_FAIL_TO_RENEW", "GRACE_PERIOD")
    now = server.access("ada")
    assert now["access"] and now["problem"] == "payment"
    store.advance("P16D")
    notifications.wait_for("GRACE_PERIOD_EXPIRED")
    assert server.access("ada") == {"access": False}
    ada.payment_method("approve")
    notifications.wait_for("DID_RENEW", "BILLING_RECOVERY")
    now = server.access("ada")
    assert now["access"] and now["problem"] is None


def test_a_refund_ends_access_at_once_and_its_reversal_returns_it(
        server, store, ada, notifications):
    store.refund(ada.bought)
    notifications.wait_for("REFUND")
    assert server.access("ada") == {"access": False}
    store.reverse_refund(ada.bought)
    notifications.wait_for("REFUND_REVERSED")
    assert server.access("ada")["access"]


def test_a_refund_of_last_month_leaves_this_month(server, ada, advance, notifications):
    advance("P1M")
    ada.request_refund(ada.bought)
    advance("P2D")
    refund = notifications.wait_for("REFUND")
    assert refund.transaction.id == ada.bought.id
    assert server.access("ada")["access"]


def test_who_does_not_agree_to_a_price_increase_loses_access(server, store, ada, notifications):
    store.set_price(ESTATE, "19.99", existing="apply")
    store.advance("P4D")
    notifications.wait_for("PRICE_INCREASE", "PENDING")
    assert server.access("ada")["problem"] == "consent"
    assert server.mails("ada") == ["The price of your subscription rises."]
    store.advance("P1M")
    notifications.wait_for("EXPIRED", "PRICE_INCREASE")
    assert server.access("ada") == {"access": False}


def test_a_lost_renewal_is_caught_up_with_as_soon_as_the_api_answers(server, ada, advance, faults):
    faults.lose("DID_RENEW")
    advance("P1M")
    assert server.access("ada") == {"access": False}
    faults.fail_calls(count=1)
    assert server.catch_up() == {"asked": 1, "missed": 1}
    assert server.catch_up() == {"asked": 1, "missed": 0}
    assert server.access("ada")["access"]


def test_a_repeated_notification_writes_one_mail(server, ada, advance, notifications, faults):
    faults.repeat("DID_FAIL_TO_RENEW", times=2)
    ada.payment_method("decline")
    advance("P1M")
    assert notifications.names.count("DID_FAIL_TO_RENEW") == 3
    assert len(server.mails("ada")) == 1


def test_a_late_failure_does_not_undo_the_recovery(server, ada, advance, notifications, faults):
    faults.delay("DID_FAIL_TO_RENEW", by="P2D")
    ada.payment_method("decline")
    advance("P1M")
    advance("P1D")
    ada.payment_method("approve")
    notifications.wait_for("DID_RENEW", "BILLING_RECOVERY")
    advance("P1D")
    assert notifications.names[-2:] == ["DID_RENEW/BILLING_RECOVERY", "DID_FAIL_TO_RENEW"]
    now = server.access("ada")
    assert now["access"] and now["problem"] is None


def test_an_upgrade_counts_at_once_and_a_downgrade_from_the_renewal_on(server, store, advance):
    ben = store.customer("ben")
    server.register("ben", ben.buy(VEGETABLES))
    advance("P1D")
    ben.change_plan(ESTATE)
    assert server.access("ben")["product"] == ESTATE
    ben.change_plan(VEGETABLES)
    assert server.access("ben")["product"] == ESTATE
    advance("P1M")
    assert server.access("ben")["product"] == VEGETABLES


def test_a_family_member_has_access_as_long_as_the_family_shares(
        server, store, ada, notifications):
    ben = store.customer("ben")
    store.family(ada, ben)
    [shared] = ben.transactions()
    server.register("ben", shared)
    assert server.access("ben")["access"]
    ben.leave_family()
    notifications.wait_for("REVOKE", about=shared)
    assert server.access("ben") == {"access": False}
    assert server.access("ada")["access"]


def test_no_forged_notification_is_taken(server, store, ada):
    before = server.access("ada")
    forged = [one for one in store.forgeries("notification", of=ada.bought)
              if one["mustBe"] == "refused" and "difference" not in one]
    assert len(forged) > 20
    for one in forged:
        request = urllib.request.Request(
            f"{server.url}/app-store", json.dumps({"signedPayload": one["text"]}).encode())
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(request, timeout=10)
        assert refused.value.code == 400, one["why"]
    assert server.access("ada") == before
