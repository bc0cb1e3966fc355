"""Get All Subscription Statuses, through every state that a subscription can be in."""

import pytest
from appstoreserverlibrary.models.AutoRenewStatus import AutoRenewStatus
from appstoreserverlibrary.models.ExpirationIntent import ExpirationIntent
from appstoreserverlibrary.models.Status import Status

ESTATE, DOCTOR = "com.example.garden.estate.monthly", "com.example.garden.doctor.monthly"


@pytest.fixture(autouse=True)
def sixteen_days_of_grace(garden):
    garden.operator.configure(gracePeriod="SIXTEEN_DAYS", sandboxGracePeriod="SIXTEEN_DAYS")


def status(garden, transaction_id, *filters):
    """Status and renewal info of each subscription, by product."""
    reply = garden.developer.get_all_subscription_statuses(transaction_id, list(filters) or None)
    assert reply.environment == garden.environment
    assert reply.bundleId == garden.server.bundle_id
    assert reply.appAppleId == (None if garden.is_sandbox else garden.server.app_apple_id)
    found = {}
    for group in reply.data:
        for item in group.lastTransactions:
            transaction = garden.developer.transaction(item.signedTransactionInfo)
            renewal = garden.developer.renewal_info(item.signedRenewalInfo)
            assert transaction.originalTransactionId == item.originalTransactionId
            assert transaction.subscriptionGroupIdentifier == group.subscriptionGroupIdentifier
            assert renewal.originalTransactionId == item.originalTransactionId
            found[transaction.productId] = (item.status, renewal)
    return found


def test_a_new_subscription_is_active(garden):
    bought = garden.customer().buys(ESTATE)
    [(state, renewal)] = status(garden, bought.transactionId).values()
    assert state == Status.ACTIVE
    assert renewal.autoRenewStatus == AutoRenewStatus.ON
    assert renewal.autoRenewProductId == renewal.productId == ESTATE
    assert renewal.renewalDate == bought.expiresDate
    assert (renewal.renewalPrice, renewal.currency) == (9990, "USD")
    assert renewal.expirationIntent is None and renewal.isInBillingRetryPeriod is None


def test_a_cancelled_subscription_expires_voluntarily(garden):
    customer = garden.customer()
    bought = customer.buys(ESTATE)
    customer.turns_renewal(False, bought.transactionId)
    [(state, renewal)] = status(garden, bought.transactionId).values()
    assert (state, renewal.autoRenewStatus) == (Status.ACTIVE, AutoRenewStatus.OFF)
    garden.operator.wait(garden.month)
    [(state, renewal)] = status(garden, bought.transactionId).values()
    assert (state, renewal.autoRenewStatus) == (Status.EXPIRED, AutoRenewStatus.OFF)
    assert renewal.expirationIntent == ExpirationIntent.CUSTOMER_CANCELLED
    assert customer.entitlements() == []


def test_a_declined_renewal_goes_through_grace_and_retry_to_its_end(garden):
    customer, operator = garden.customer(), garden.operator
    bought = customer.buys(ESTATE)
    operator.payments(customer.account, "decline")
    operator.wait(garden.month)
    [(state, renewal)] = status(garden, bought.transactionId).values()
    assert state == Status.BILLING_GRACE_PERIOD
    assert renewal.isInBillingRetryPeriod
    assert renewal.gracePeriodExpiresDate > operator.now()
    assert customer.entitlements() == [ESTATE]

    operator.wait("PT5M" if garden.is_sandbox else "P17D")
    [(state, renewal)] = status(garden, bought.transactionId).values()
    assert state == Status.BILLING_RETRY
    assert renewal.isInBillingRetryPeriod
    assert renewal.expirationIntent == ExpirationIntent.BILLING_ERROR
    assert customer.entitlements() == []

    operator.wait("PT6M" if garden.is_sandbox else "P60D")
    [(state, renewal)] = status(garden, bought.transactionId).values()
    assert state == Status.EXPIRED
    assert renewal.isInBillingRetryPeriod is False
    assert renewal.expirationIntent == ExpirationIntent.BILLING_ERROR


def test_a_new_card_ends_grace_at_once(garden):
    customer, operator = garden.customer(), garden.operator
    bought = customer.buys(ESTATE)
    operator.payments(customer.account, "decline", count=1000)
    operator.wait(garden.month)
    operator.payments(customer.account, "approve")
    [(state, renewal)] = status(garden, bought.transactionId).values()
    assert state == Status.ACTIVE
    # Access never stopped, so the billing date stays.
    assert len(customer.transactions()) == 2
    assert customer.transactions()[1]["transaction"].purchaseDate >= bought.expiresDate


def test_filters_keep_the_states_that_were_asked_for(garden):
    customer = garden.customer()
    ended = customer.buys(DOCTOR)
    customer.turns_renewal(False, ended.transactionId)
    garden.operator.wait(garden.month)
    running = customer.buys(ESTATE)
    every = {ESTATE: Status.ACTIVE, DOCTOR: Status.EXPIRED}

    def states(*filters):
        found = status(garden, running.transactionId, *filters)
        return {product: state for product, (state, _) in found.items()}

    assert states() == every
    assert states(Status.ACTIVE) == {ESTATE: Status.ACTIVE}
    assert states(Status.EXPIRED) == {DOCTOR: Status.EXPIRED}
    assert states(Status.ACTIVE, Status.EXPIRED) == every
    assert states(Status.BILLING_RETRY, Status.REVOKED) == {}


def test_a_customer_without_subscriptions_has_an_empty_list(garden):
    bought = garden.customer().buys("com.example.garden.seeds.100")
    assert garden.developer.get_all_subscription_statuses(bought.transactionId).data == []
