"""Get Transaction History, over a life in which everything happens."""

import pytest
from appstoreserverlibrary.api_client import GetTransactionHistoryVersion
from appstoreserverlibrary.models.InAppOwnershipType import InAppOwnershipType
from appstoreserverlibrary.models.OfferDiscountType import OfferDiscountType
from appstoreserverlibrary.models.TransactionHistoryRequest import Order, ProductType
from appstoreserverlibrary.models.TransactionReason import TransactionReason
from appstoreserverlibrary.models.Type import Type

CLUB = "com.example.garden"
CLUB_GROUP, DOCTOR_GROUP = "5C0A11E7", "5C0A22F4"
KINDS = {
    ProductType.AUTO_RENEWABLE: Type.AUTO_RENEWABLE_SUBSCRIPTION,
    ProductType.NON_RENEWABLE: Type.NON_RENEWING_SUBSCRIPTION,
    ProductType.CONSUMABLE: Type.CONSUMABLE,
    ProductType.NON_CONSUMABLE: Type.NON_CONSUMABLE,
}


@pytest.fixture(scope="module")
def ada(garden):
    """Ada's life: a trial, renewals, an upgrade, a downgrade, a card that fails and is replaced,
    a subscription that ends and begins again, and many small purchases."""
    ada, operator, month = garden.customer(), garden.operator, garden.month

    def months(count):
        for _ in range(count):
            operator.wait(month)

    for purchase in [ada.buys(f"{CLUB}.seeds.100") for _ in range(14)][:7]:
        ada.finishes(purchase.transactionId)
    ada.buys(f"{CLUB}.almanac")
    ada.buys(f"{CLUB}.season.summer")

    trial = ada.buys(f"{CLUB}.vegetables.monthly")
    assert trial.offerDiscountType == OfferDiscountType.FREE_TRIAL
    months(4)
    upgrade = ada.buys(f"{CLUB}.estate.monthly")
    assert upgrade.originalTransactionId == trial.transactionId
    months(3)
    assert ada.buys(f"{CLUB}.windowbox.monthly") is None, "a downgrade waits for the renewal"
    months(3)

    operator.payments(ada.account, "decline")
    months(1)
    operator.payments(ada.account, "approve")
    months(2)

    doctor = ada.buys(f"{CLUB}.doctor.monthly", appAccountToken="7e3fb204-2c1d-4ff8-9a5c-6f0f7a3d8b11")
    months(2)
    ada.turns_renewal(False, doctor.transactionId)
    months(2)
    again = ada.buys(f"{CLUB}.doctor.monthly")
    assert again.originalTransactionId == doctor.transactionId
    months(2)

    for quantity in range(1, 8):
        ada.buys(f"{CLUB}.seeds.100", quantity=quantity)
    return ada


@pytest.fixture(scope="module")
def device(ada):
    """What Ada's device knows of it: another way to the same transactions."""
    return [one["transaction"] for one in ada.transactions()]


@pytest.fixture(scope="module")
def anything(ada):
    """Any transaction identifier names the customer."""
    return ada.transactions()[3]["transactionId"]


def ids(transactions):
    return [one.transactionId for one in transactions]


def test_the_life_is_a_varied_one(device):
    assert len(device) >= 40
    assert {one.type for one in device} == set(KINDS.values())
    assert any(one.isUpgraded for one in device)
    assert any(one.transactionReason == TransactionReason.RENEWAL for one in device)
    assert any(one.offerDiscountType == OfferDiscountType.FREE_TRIAL for one in device)
    assert any(one.quantity == 7 for one in device)


def test_all_pages_hold_every_transaction_once(garden, device, anything):
    pages = list(garden.developer.pages(anything))
    assert len(pages) == -(-len(device) // 20) >= 3
    assert all(len(page.signedTransactions) == 20 for page in pages[:-1])
    assert all(page.revision and page.bundleId == garden.server.bundle_id for page in pages)
    assert all(page.environment == garden.environment for page in pages)
    found = ids(garden.developer.history(anything))
    assert len(found) == len(set(found))
    assert set(found) == set(ids(device))


def test_history_and_device_show_the_same_transactions(garden, device, anything):
    def shown(transactions):
        # The time of signing is of the copy, not of the transaction.
        return {one.transactionId: repr(one).split("signedDate=")[0] for one in transactions}

    assert shown(garden.developer.history(anything)) == shown(device)


def test_descending_is_ascending_reversed(garden, anything):
    ascending = ids(garden.developer.history(anything, sort=Order.ASCENDING))
    assert ascending == ids(garden.developer.history(anything))
    assert ascending[::-1] == ids(garden.developer.history(anything, sort=Order.DESCENDING))


@pytest.mark.parametrize("name_of", ["transaction", "original", "app"])
def test_any_identifier_of_the_customer_will_do(garden, ada, device, name_of):
    renewal = next(one for one in device if one.transactionReason == TransactionReason.RENEWAL)
    identifier = {
        "transaction": renewal.transactionId,
        "original": renewal.originalTransactionId,
        "app": ada.app_transaction.appTransactionId,
    }[name_of]
    assert set(ids(garden.developer.history(identifier))) == set(ids(device))


@pytest.mark.parametrize("products", [
    [f"{CLUB}.almanac"],
    [f"{CLUB}.seeds.100", f"{CLUB}.estate.monthly"],
    [f"{CLUB}.never.sold"],
])
def test_products_filter(garden, device, anything, products):
    expected = [one for one in device if one.productId in products]
    found = garden.developer.history(anything, productIds=products)
    assert set(ids(found)) == set(ids(expected))


@pytest.mark.parametrize("types", [
    *([one] for one in ProductType), [ProductType.CONSUMABLE, ProductType.NON_RENEWABLE],
], ids=lambda types: "+".join(one.value for one in types))
def test_types_filter(garden, device, anything, types):
    expected = [one for one in device if one.type in [KINDS[kind] for kind in types]]
    assert expected
    assert set(ids(garden.developer.history(anything, productTypes=types))) == set(ids(expected))


@pytest.mark.parametrize("groups", [[CLUB_GROUP], [DOCTOR_GROUP], [CLUB_GROUP, DOCTOR_GROUP]])
def test_groups_filter(garden, device, anything, groups):
    expected = [one for one in device if one.subscriptionGroupIdentifier in groups]
    assert expected
    found = garden.developer.history(anything, subscriptionGroupIdentifiers=groups)
    assert set(ids(found)) == set(ids(expected))


def test_dates_filter_by_purchase_from_start_up_to_end(garden, device, anything):
    moments = sorted({one.purchaseDate for one in device})
    start, end = moments[2], moments[5]
    history = garden.developer.history
    after = [one for one in device if one.purchaseDate >= start]
    before = [one for one in device if one.purchaseDate < end]
    assert set(ids(history(anything, startDate=start))) == set(ids(after))
    assert set(ids(history(anything, endDate=end))) == set(ids(before))
    between = history(anything, startDate=start, endDate=end)
    assert set(ids(between)) == set(ids(after)) & set(ids(before)) != set()


def test_ownership_and_revocation_filter(garden, device, anything):
    history = garden.developer.history
    everything = set(ids(device))
    assert set(ids(history(anything, inAppOwnershipType=InAppOwnershipType.PURCHASED))) == everything
    assert history(anything, inAppOwnershipType=InAppOwnershipType.FAMILY_SHARED) == []
    assert set(ids(history(anything, revoked=False))) == everything
    assert history(anything, revoked=True) == []


def test_filters_narrow_each_other(garden, device, anything):
    start = sorted({one.purchaseDate for one in device})[4]
    found = garden.developer.history(
        anything, startDate=start, productTypes=[ProductType.AUTO_RENEWABLE],
        subscriptionGroupIdentifiers=[CLUB_GROUP], sort=Order.DESCENDING, revoked=False)
    expected = [
        one for one in device
        if one.purchaseDate >= start and one.subscriptionGroupIdentifier == CLUB_GROUP
    ]
    assert set(ids(found)) == set(ids(expected)) != set()


def test_version_1_leaves_finished_consumables_out(garden, ada, device, anything):
    unfinished = set(ada.unfinished())
    expected = {
        one.transactionId for one in device
        if one.type != Type.CONSUMABLE or one.transactionId in unfinished
    }
    found = ids(garden.developer.history(anything, version=GetTransactionHistoryVersion.V1))
    assert set(found) == expected and len(expected) < len(device)


def test_each_renewal_begins_where_the_period_before_ended(garden, anything):
    found = garden.developer.history(
        anything, productTypes=[ProductType.AUTO_RENEWABLE],
        subscriptionGroupIdentifiers=[DOCTOR_GROUP])
    periods = sorted(found, key=lambda one: one.purchaseDate)
    renewals = [
        (before, after) for before, after in zip(periods, periods[1:])
        if after.transactionReason == TransactionReason.RENEWAL
    ]
    assert renewals
    assert all(before.expiresDate == after.purchaseDate for before, after in renewals)


def test_a_kept_revision_brings_only_what_changed_since(garden, ada, anything):
    *_, last = garden.developer.pages(anything)
    assert garden.developer.history(anything, revision=last.revision) == []
    new = ada.buys(f"{CLUB}.seeds.100")
    since = garden.developer.history(anything, revision=last.revision)
    assert ids(since) == [new.transactionId]
