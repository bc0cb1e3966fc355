"""The library's asynchronous client: the same endpoints over another HTTP stack."""

import asyncio

from appstoreserverlibrary.api_client import APIError, APIException, GetTransactionHistoryVersion
from appstoreserverlibrary.models.NotificationHistoryRequest import NotificationHistoryRequest
from appstoreserverlibrary.models.OrderLookupStatus import OrderLookupStatus
from appstoreserverlibrary.models.Status import Status
from appstoreserverlibrary.models.TransactionHistoryRequest import TransactionHistoryRequest
from appstoreserverlibrary.models.UpdateAppAccountTokenRequest import UpdateAppAccountTokenRequest

ESTATE, TOKEN = "com.example.garden.estate.monthly", "0d3c7d4e-52a9-4c0c-9c7a-2c8c0c1f8a55"


def test_every_endpoint_answers_the_asynchronous_client(garden):
    customer = garden.customer()
    bought = customer.buys(ESTATE)
    order = customer.transactions()[0]["orderId"]
    now = garden.operator.now()

    async def everything(client):
        identifier, check = bought.transactionId, garden.developer.check
        info = await client.get_transaction_info(identifier)
        check(info)
        assert garden.developer.transaction(info.signedTransactionInfo).productId == ESTATE
        for version in GetTransactionHistoryVersion:
            page = await client.get_transaction_history(
                identifier, None, TransactionHistoryRequest(revoked=False), version)
            check(page)
            assert len(page.signedTransactions) == 1 and not page.hasMore
        statuses = await client.get_all_subscription_statuses(identifier, [Status.ACTIVE])
        check(statuses)
        assert statuses.data[0].lastTransactions[0].status == Status.ACTIVE
        check(await client.get_app_transaction_info(identifier))
        await client.set_app_account_token(
            identifier, UpdateAppAccountTokenRequest(appAccountToken=TOKEN))
        await client.finish_transaction(identifier)
        sent = await client.request_test_notification()
        garden.operator.settle()
        check(await client.get_test_notification_status(sent.testNotificationToken))
        past = await client.get_notification_history(
            None, NotificationHistoryRequest(startDate=now - 1000, endDate=now + 1000))
        check(past)
        assert past.notificationHistory
        if not garden.is_sandbox:
            found = await client.look_up_order_id(order)
            check(found)
            assert found.status == OrderLookupStatus.VALID
        try:
            await client.get_transaction_info("1")
        except APIException as refusal:
            assert refusal.api_error == APIError.TRANSACTION_ID_NOT_FOUND
        else:
            raise AssertionError("nothing was refused")

    async def run():
        client = garden.developer.asynchronous()
        try:
            await everything(client)
        finally:
            await client.async_close()

    asyncio.run(run())
    assert customer.unfinished() == []
    assert customer.transactions()[0]["transaction"].appAccountToken == TOKEN
