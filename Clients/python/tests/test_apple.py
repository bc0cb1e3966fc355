"""Apple's own library against the store."""

import sys

import pytest
from appstoreserverlibrary.models.Status import Status


@pytest.mark.parametrize("environment", ["Production", "Sandbox"])
def test_the_client_calls_the_store_and_the_verifier_trusts_it(store, notifications, environment):
    store = store if environment == "Production" else store.sandbox
    bought = store.customer().buy("pro.monthly")
    verifier = store.apple_verifier()
    [group] = store.apple_client().get_all_subscription_statuses(bought.id).data
    [last] = group.lastTransactions
    assert last.status == Status.ACTIVE
    told = verifier.verify_and_decode_signed_transaction(last.signedTransactionInfo)
    assert told.transactionId == bought.id
    came = notifications.wait_for("SUBSCRIBED")
    assert verifier.verify_and_decode_notification(came.signed).notificationUUID == came.uuid


def test_the_fixtures_are_of_production(store, apple_client, apple_verifier):
    bought = store.customer().buy("coins")
    info = apple_client.get_transaction_info(bought.id)
    decoded = apple_verifier.verify_and_decode_signed_transaction(info.signedTransactionInfo)
    assert decoded.productId == "coins"


def test_forgeries_are_made_of_a_purchase(store, customer, apple_verifier):
    bought = customer.buy("pro.monthly")
    forgeries = store.forgeries("transaction", of=bought)
    assert {one["mustBe"] for one in forgeries} == {"accepted", "refused"}
    assert all(one["about"] == "transaction" and one["why"] for one in forgeries)


def test_without_the_library_it_is_said_how_to_install_it(store, monkeypatch):
    monkeypatch.delitem(sys.modules, "perennial_testing.apple", raising=False)
    monkeypatch.delattr("perennial_testing.apple", raising=False)
    monkeypatch.setitem(sys.modules, "appstoreserverlibrary.api_client", None)
    with pytest.raises(ImportError, match=r"pip install 'perennial-testing\[apple\]'"):
        store.apple_client()
