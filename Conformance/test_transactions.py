"""The endpoints about one transaction or one order."""

import uuid

import pytest
from appstoreserverlibrary.api_client import APIException
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.models.InAppOwnershipType import InAppOwnershipType
from appstoreserverlibrary.models.OrderLookupStatus import OrderLookupStatus
from appstoreserverlibrary.models.TransactionReason import TransactionReason
from appstoreserverlibrary.models.Type import Type
from appstoreserverlibrary.models.UpdateAppAccountTokenRequest import UpdateAppAccountTokenRequest

SEEDS, ALMANAC = "com.example.garden.seeds.100", "com.example.garden.almanac"
ESTATE = "com.example.garden.estate.monthly"


def test_transaction_info_is_the_transaction_that_was_bought(garden):
    bought = garden.customer(storefront="DEU").buys(SEEDS, quantity=3)
    reply = garden.developer.get_transaction_info(bought.transactionId)
    info = garden.developer.transaction(reply.signedTransactionInfo)
    assert info.transactionId == info.originalTransactionId == bought.transactionId
    assert (info.productId, info.type, info.quantity) == (SEEDS, Type.CONSUMABLE, 3)
    assert (info.price, info.currency, info.storefront) == (3 * 1990, "EUR", "DEU")
    assert info.environment == garden.environment
    assert info.inAppOwnershipType == InAppOwnershipType.PURCHASED
    assert info.transactionReason == TransactionReason.PURCHASE
    assert info.purchaseDate == info.originalPurchaseDate == garden.operator.now()
    assert info.expiresDate is None and info.subscriptionGroupIdentifier is None


def test_transaction_info_is_not_the_latest_of_the_chain(garden):
    customer = garden.customer()
    first = customer.buys(ESTATE)
    garden.operator.wait(garden.month)
    reply = garden.developer.get_transaction_info(first.transactionId)
    info = garden.developer.transaction(reply.signedTransactionInfo)
    assert info.transactionId == first.transactionId
    assert info.expiresDate == first.expiresDate <= garden.operator.now()
    assert len(customer.transactions()) == 2


def test_app_transaction_is_the_device_s(garden):
    customer = garden.customer()
    bought = customer.buys(SEEDS)
    own = customer.app_transaction
    for identifier in [bought.transactionId, own.appTransactionId]:
        reply = garden.developer.get_app_transaction_info(identifier)
        found = garden.developer.app_transaction(reply.signedAppTransactionInfo)
        assert found.appTransactionId == own.appTransactionId == bought.appTransactionId
        assert found.receiptType == garden.environment
        assert found.appAppleId == (None if garden.is_sandbox else garden.server.app_apple_id)


def test_finishing_takes_a_transaction_off_the_device_s_queue(garden):
    customer = garden.customer()
    first, second = customer.buys(SEEDS), customer.buys(ALMANAC)
    assert customer.unfinished() == [first.transactionId, second.transactionId]
    for _ in range(2):
        assert garden.developer.finish_transaction(first.transactionId) is None
        assert customer.unfinished() == [second.transactionId]


def test_an_account_token_is_set_on_a_purchase(garden):
    bought = garden.customer().buys(ALMANAC)
    assert bought.appAccountToken is None
    token = str(uuid.uuid4())
    request = UpdateAppAccountTokenRequest(appAccountToken=token.upper())
    assert garden.developer.set_app_account_token(bought.originalTransactionId, request) is None
    reply = garden.developer.get_transaction_info(bought.transactionId)
    assert garden.developer.transaction(reply.signedTransactionInfo).appAccountToken == token


def test_an_account_token_stays_with_a_subscription(garden):
    customer = garden.customer()
    first = customer.buys(ESTATE)
    garden.operator.wait(garden.month)
    token = str(uuid.uuid4())
    garden.developer.set_app_account_token(
        first.transactionId, UpdateAppAccountTokenRequest(appAccountToken=token))
    garden.operator.wait(garden.month)
    tokens = [one["transaction"].appAccountToken for one in customer.transactions()]
    assert tokens[0] is None and tokens[1] == token and set(tokens[2:]) == {token}
    statuses = garden.developer.get_all_subscription_statuses(first.transactionId)
    newest = statuses.data[0].lastTransactions[0]
    assert garden.developer.renewal_info(newest.signedRenewalInfo).appAccountToken == token


def test_an_order_is_looked_up_in_production_only(garden):
    customer = garden.customer()
    bought = customer.buys(SEEDS)
    order = customer.transactions()[0]["orderId"]
    if garden.environment == Environment.SANDBOX:
        with pytest.raises(APIException) as refusal:
            garden.developer.look_up_order_id(order)
        assert refusal.value.http_status_code == 404
        return
    reply = garden.developer.look_up_order_id(order)
    assert reply.status == OrderLookupStatus.VALID
    assert [garden.developer.transaction(one).transactionId for one in reply.signedTransactions] == [
        bought.transactionId]
    unknown = garden.developer.look_up_order_id("MZZZZZZZZZ")
    assert unknown.status == OrderLookupStatus.INVALID and unknown.signedTransactions is None


def test_environments_share_nothing(garden, server):
    from apple import Developer
    bought = garden.customer().buys(SEEDS)
    [other] = [one for one in (Environment.PRODUCTION, Environment.SANDBOX) if one != garden.environment]
    with pytest.raises(APIException) as refusal:
        Developer(server, other).get_transaction_info(bought.transactionId)
    assert refusal.value.raw_api_error == 4040010
