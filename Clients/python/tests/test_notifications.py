"""Notifications come to a listener, and on to the server under test."""

import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest


def test_notifications_are_returned_once_and_in_order(customer, advance, notifications):
    bought = customer.buy("pro.monthly")
    advance("P2M")
    assert notifications.names == ["SUBSCRIBED/INITIAL_BUY", "DID_RENEW", "DID_RENEW"]
    first, second = notifications.wait_for("DID_RENEW"), notifications.wait_for("DID_RENEW")
    assert first.signed_at == bought.expires == first.transaction.expires.replace(
        month=2, day=28)
    assert first.uuid != second.uuid and second.renewal["autoRenewProductId"] == "pro.monthly"
    with pytest.raises(AssertionError, match="No DID_RENEW came within 0.05 seconds"):
        notifications.wait_for("DID_RENEW", timeout=0.05)


def test_one_of_several_subscriptions_is_waited_for(store, notifications):
    ada, ben = (store.customer(name).buy("pro.monthly") for name in ("ada", "ben"))
    assert notifications.wait_for("SUBSCRIBED", about=ben).transaction.id == ben.id
    with pytest.raises(AssertionError, match=f"about {ben.id}"):
        notifications.wait_for("SUBSCRIBED", about=ben, timeout=0)
    assert notifications.wait_for("SUBSCRIBED", about=ada).transaction.id == ada.id


def test_what_comes_later_is_waited_for(store, notifications):
    threading.Timer(0.2, store.connect, (
        "POST", f"/apps/{store.bundle_id}/test-notification")).start()
    assert notifications.wait_for("TEST").transaction is None


def test_the_message_says_what_came_instead(customer, advance, notifications):
    customer.buy("pro.monthly")
    customer.payment_method("decline")
    advance("P1M")
    notifications.wait_for("SUBSCRIBED")
    with pytest.raises(AssertionError) as missing:
        notifications.wait_for("DID_RENEW", "BILLING_RECOVERY", timeout=0)
    head, title, *came = str(missing.value).splitlines()
    assert head == "No DID_RENEW/BILLING_RECOVERY came within 0 seconds."
    assert title == "These came, with the answers that they got:"
    assert [line.split()[2:] for line in came] == [
        ["SUBSCRIBED/INITIAL_BUY", "200", "pro.monthly", "(returned", "by", "wait_for)"],
        ["DID_FAIL_TO_RENEW", "200", "pro.monthly"]]


def test_the_message_says_what_the_store_has_and_why_it_did_not_arrive(
        store, customer, advance, notifications):
    store.send_notifications_to("")
    customer.buy("pro.monthly")
    store.send_notifications_to(notifications.url)
    lost = store.faults.lose("DID_RENEW", count=1)
    dropped = store.faults.drop("DID_CHANGE_RENEWAL_STATUS")
    advance("P1M")
    customer.cancel()
    with pytest.raises(AssertionError) as missing:
        notifications.wait_for("DID_RENEW", timeout=0)
    [_, nothing, _, unsent, first, second] = str(missing.value).splitlines()
    assert nothing == "None came."
    assert unsent.endswith("there was no URL to send it to")
    assert f"loseNotifications (rule {lost}), attempt: SUCCESS" in first
    assert f"dropNotifications (rule {dropped}), attempt: " in second
    assert "next attempt 2026-02-28T11:00:00Z" in second


@contextmanager
def somebodys_server(status):
    taken = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            taken.append(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(status)
            self.end_headers()

        def log_message(self, *_):
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/hook", taken
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("status, arrivals", [(204, 1), (500, 2)])
def test_a_server_gets_them_and_its_answer_counts(
        customer, advance, notifications, status, arrivals):
    with somebodys_server(status) as (url, taken):
        notifications.forward_to(url)
        customer.buy("pro.monthly")
        assert notifications.wait_for("SUBSCRIBED").answer == status
        advance("PT2H")
    assert len(taken) == len(notifications.all) == arrivals


def test_a_server_that_is_not_there_is_answered_for(customer, advance, notifications):
    notifications.forward_to("http://127.0.0.1:9/nobody")
    customer.buy("pro.monthly")
    assert notifications.wait_for("SUBSCRIBED").answer == 502
    advance("PT2H")
    assert notifications.names == ["SUBSCRIBED/INITIAL_BUY"] * 2
