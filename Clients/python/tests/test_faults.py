"""What goes wrong on purpose."""

import time

import pytest
from appstoreserverlibrary.api_client import APIError, APIException


def test_what_is_lost_never_comes(customer, advance, notifications, faults):
    faults.lose("SUBSCRIBED", "INITIAL_BUY")
    customer.buy("pro.monthly")
    advance("P10D")
    assert notifications.names == []


def test_what_is_dropped_comes_with_the_next_attempt(customer, advance, notifications, faults):
    faults.drop(count=1)
    customer.buy("pro.monthly")
    assert notifications.names == []
    advance("PT1H")
    assert notifications.names == ["SUBSCRIBED/INITIAL_BUY"]


def test_what_is_repeated_is_the_same_notification(customer, notifications, faults):
    faults.repeat(times=2)
    customer.buy("pro.monthly")
    assert len(notifications.all) == 3 and len({one.uuid for one in notifications.all}) == 1


def test_what_is_late_is_overtaken(customer, advance, notifications, faults):
    faults.delay("SUBSCRIBED", by="PT5M")
    bought = customer.buy("pro.monthly")
    customer.cancel(bought)
    assert notifications.names == ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED"]
    advance("PT5M")
    assert notifications.names[1:] == ["SUBSCRIBED/INITIAL_BUY"]


def test_order_is_lost_by_chance_and_the_same_for_a_seed(store, advance, notifications, faults):
    faults.reorder("SUBSCRIBED", by="PT1H", seed="autumn")
    accounts = [store.customer(f"gardener-{number}") for number in range(8)]
    bought = [customer.buy("pro.monthly").id for customer in accounts]
    assert notifications.names == []
    advance("PT1H")
    came = [one.transaction.id for one in notifications.all]
    assert sorted(came) == sorted(bought) and came != bought


def test_rules_end_when_they_are_cleared(customer, notifications, faults):
    faults.lose()
    faults.clear()
    customer.buy("pro.monthly")
    assert notifications.names == ["SUBSCRIBED/INITIAL_BUY"]


def test_calls_fail_and_are_limited(customer, apple_client, faults):
    bought = customer.buy("pro.monthly")
    faults.fail_calls(count=1)
    faults.limit_calls("getTransactionInfo", count=1)
    faults.fail_calls(operation="getTransactionHistory")
    for expected in (APIError.GENERAL_INTERNAL_RETRYABLE, APIError.RATE_LIMIT_EXCEEDED):
        with pytest.raises(APIException) as failed:
            apple_client.get_transaction_info(bought.id)
        assert failed.value.api_error == expected
    apple_client.get_transaction_info(bought.id)


def test_calls_are_slow(customer, apple_client, faults):
    bought = customer.buy("pro.monthly")
    faults.slow_calls("PT1S", count=1)
    began = time.monotonic()
    apple_client.get_transaction_info(bought.id)
    assert time.monotonic() - began >= 1
