"""Notifications as they arrive, and the endpoints that tell of them afterwards."""

import socket
import time

import pytest
from appstoreserverlibrary.api_client import APIError, APIException
from appstoreserverlibrary.models.NotificationHistoryRequest import NotificationHistoryRequest
from appstoreserverlibrary.models.NotificationTypeV2 import NotificationTypeV2
from appstoreserverlibrary.models.SendAttemptResult import SendAttemptResult
from appstoreserverlibrary.models.Subtype import Subtype
from conftest import name

SEEDS, ESTATE = "com.example.garden.seeds.100", "com.example.garden.estate.monthly"
FLOWERS, WINDOWBOX = "com.example.garden.flowers.monthly", "com.example.garden.windowbox.monthly"
HOUR = 60 * 60 * 1000
DAY = 24 * HOUR


def history(garden, **filters):
    """All pages of the notification history, each item with its notification decoded."""
    now = garden.operator.now()
    request = NotificationHistoryRequest(
        **{"startDate": now - 20 * DAY, "endDate": now + 1, **filters})
    token, found = None, []
    while True:
        page = garden.developer.get_notification_history(token, request)
        assert len(page.notificationHistory) <= 20
        found += page.notificationHistory
        if not page.hasMore:
            return [(garden.developer.notification(one.signedPayload), one) for one in found]
        assert len(page.notificationHistory) == 20
        token = page.paginationToken


def test_a_test_notification_arrives_and_is_reported(garden):
    garden.arrivals()
    token = garden.developer.request_test_notification().testNotificationToken
    [arrived] = garden.arrivals()
    assert arrived.notificationType == NotificationTypeV2.TEST
    assert arrived.version == "2.0" and arrived.subtype is None
    assert arrived.data.bundleId == garden.server.bundle_id
    assert arrived.data.signedTransactionInfo is None

    status = garden.developer.get_test_notification_status(token)
    assert garden.developer.notification(status.signedPayload) == arrived
    [attempt] = status.sendAttempts
    assert attempt.sendAttemptResult == SendAttemptResult.SUCCESS
    assert attempt.attemptDate == garden.operator.now()


def test_a_subscription_tells_its_life_in_order(garden):
    garden.arrivals()
    customer, operator = garden.customer(), garden.operator
    bought = customer.buys(FLOWERS)
    assert garden.news() == ["SUBSCRIBED/INITIAL_BUY"]
    operator.wait(garden.month)
    assert garden.news() == ["DID_RENEW"]
    customer.buys(ESTATE)
    assert garden.news() == ["DID_CHANGE_RENEWAL_PREF/UPGRADE"]
    customer.buys(WINDOWBOX)
    assert garden.news() == ["DID_CHANGE_RENEWAL_PREF/DOWNGRADE"]
    operator.wait(garden.month)
    assert garden.news() == ["DID_RENEW"]
    operator.payments(customer.account, "decline")
    operator.wait(garden.month)
    assert garden.news() == ["DID_FAIL_TO_RENEW"]
    operator.payments(customer.account, "approve")
    assert garden.news() == ["DID_RENEW/BILLING_RECOVERY"]
    customer.turns_renewal(False, bought.transactionId)
    assert garden.news() == ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED"]
    operator.wait(garden.month)
    assert garden.news() == ["EXPIRED/VOLUNTARY"]
    customer.buys(WINDOWBOX)
    [again] = garden.arrivals()
    assert name(again) == "SUBSCRIBED/RESUBSCRIBE"
    transaction = garden.developer.transaction(again.data.signedTransactionInfo)
    renewal = garden.developer.renewal_info(again.data.signedRenewalInfo)
    assert transaction.originalTransactionId == bought.transactionId
    assert renewal.autoRenewProductId == WINDOWBOX
    customer.turns_renewal(False, bought.transactionId)
    garden.arrivals()


def test_a_single_purchase_is_a_one_time_charge(garden):
    garden.arrivals()
    bought = garden.customer().buys(SEEDS)
    [arrived] = garden.arrivals()
    assert name(arrived) == "ONE_TIME_CHARGE"
    told = garden.developer.transaction(arrived.data.signedTransactionInfo)
    assert told.transactionId == bought.transactionId
    assert arrived.data.signedRenewalInfo is None


def test_history_pages_through_everything_once(garden):
    garden.customer().buys(SEEDS)
    garden.arrivals()
    customer = garden.customer()
    for _ in range(45):
        bought = customer.buys(SEEDS)
    sent = [one.notificationUUID for one in garden.arrivals()]
    assert len(set(sent)) == 45
    found = [told.notificationUUID for told, _ in history(garden, transactionId=bought.transactionId)]
    assert found == sent
    everything = [told.notificationUUID for told, _ in history(garden)]
    assert len(everything) == len(set(everything)) > 45
    assert set(sent) < set(everything)


def test_history_is_filtered_by_type_and_subtype(garden):
    customer = garden.customer()
    bought = customer.buys(ESTATE)
    for on in [False, True, False]:
        customer.turns_renewal(on, bought.transactionId)
    garden.arrivals()

    def names(**filters):
        return {name(told) for told, _ in history(garden, **filters)}

    changed = NotificationTypeV2.DID_CHANGE_RENEWAL_STATUS
    assert names(notificationType=changed) == {
        "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED"}
    assert names(notificationType=changed, notificationSubtype=Subtype.AUTO_RENEW_ENABLED) == {
        "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED"}
    assert names(transactionId=bought.transactionId) == {
        "SUBSCRIBED/INITIAL_BUY", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED",
        "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED"}
    assert names(notificationType=NotificationTypeV2.REVOKE) == set()


def test_history_is_filtered_by_date(garden):
    bought = garden.customer().buys(SEEDS)
    garden.arrivals()
    now = garden.operator.now()
    of_customer = {"transactionId": bought.transactionId}
    assert len(history(garden, startDate=now, endDate=now + 1, **of_customer)) == 1
    assert history(garden, startDate=now - DAY, endDate=now - 1, **of_customer) == []


def test_a_failed_notification_is_tried_again_and_only_in_production(quiet):
    quiet.listener.answer(500, 503)
    bought = quiet.customer().buys(SEEDS)
    [first] = quiet.arrivals()
    failed = {"transactionId": bought.transactionId, "onlyFailures": True}
    [(told, item)] = history(quiet, **failed)
    assert told == first
    assert [one.sendAttemptResult for one in item.sendAttempts] == [
        SendAttemptResult.UNSUCCESSFUL_HTTP_RESPONSE_CODE]

    started = quiet.operator.now()
    quiet.operator.wait("P2D")
    repeated = quiet.arrivals()
    [(_, item)] = history(quiet, transactionId=bought.transactionId)
    attempts = sorted((one.attemptDate - started, one.sendAttemptResult) for one in item.sendAttempts)
    failure = SendAttemptResult.UNSUCCESSFUL_HTTP_RESPONSE_CODE
    if quiet.is_sandbox:
        assert repeated == [] and attempts == [(0, failure)]
        assert len(history(quiet, **failed)) == 1
    else:
        # After one hour, and twelve hours after that.
        assert repeated == [first, first]
        assert attempts == [
            (0, failure), (1 * HOUR, failure), (13 * HOUR, SendAttemptResult.SUCCESS)]
        assert history(quiet, **failed) == []


def test_where_nobody_listens_the_clock_is_not_held_up(quiet, capsys):
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{closed.getsockname()[1]}/"
        quiet.operator.configure(notificationUrl=url, sandboxNotificationUrl=url)
        started = time.perf_counter()
        bought = quiet.customer().buys(SEEDS)
        quiet.operator.wait("P10D")
        took = time.perf_counter() - started
    [(_, item)] = history(quiet, transactionId=bought.transactionId)
    results = [one.sendAttemptResult for one in item.sendAttempts]
    assert results == [SendAttemptResult.SOCKET_ISSUE] * (1 if quiet.is_sandbox else 6)
    with capsys.disabled():
        print(f"\n{len(results)} refused connections: {took:.3f} s")
    # A connection that is refused is an answer: there is nothing to wait for.
    assert took < 5


def test_without_a_url_there_is_nothing_to_test(garden):
    setting = "sandboxNotificationUrl" if garden.is_sandbox else "notificationUrl"
    garden.operator.configure(**{setting: ""})
    try:
        with pytest.raises(APIException) as refusal:
            garden.developer.request_test_notification()
        assert refusal.value.api_error == APIError.SERVER_NOTIFICATION_URL_NOT_FOUND
    finally:
        garden.operator.configure(**{setting: garden.listener.url(garden.environment)})
