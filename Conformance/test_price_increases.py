"""Price increases, from the announcement to the renewal at the new price."""

import pytest
from appstoreserverlibrary.models.AutoRenewStatus import AutoRenewStatus
from appstoreserverlibrary.models.ExpirationIntent import ExpirationIntent
from appstoreserverlibrary.models.NotificationTypeV2 import NotificationTypeV2
from appstoreserverlibrary.models.PriceIncreaseStatus import PriceIncreaseStatus
from appstoreserverlibrary.models.Subtype import Subtype
from conftest import name

ESTATE = "com.example.garden.estate.monthly"
OLD, NEW, LITTLE_MORE = 9_990, 19_990, 10_990


class Increase:
    """Somebody subscribed for 9.99, and a new price is live at once."""

    def __init__(self, garden, price):
        self.garden = garden
        self.customer = garden.customer()
        self.bought = self.customer.buys(ESTATE)
        garden.operator.schedules_price(ESTATE, price)
        assert garden.news() == ["SUBSCRIBED/INITIAL_BUY"]
        # The first renewal is 28 days away, or as many shortened ones and two more: 27 before it
        # the customer hears of it.
        garden.operator.wait(garden.days(4))
        [self.announcement] = garden.arrivals()

    def answer(self, answer):
        self.customer.answers_increase(answer, self.bought.originalTransactionId)

    def renewal_info(self, notification=None):
        signed = (notification or self.announcement).data.signedRenewalInfo
        return self.garden.developer.renewal_info(signed)


def test_who_agrees_renews_at_the_new_price(quiet):
    increase = Increase(quiet, NEW)
    assert increase.announcement.notificationType == NotificationTypeV2.PRICE_INCREASE
    assert increase.announcement.subtype == Subtype.PENDING
    assert increase.renewal_info().priceIncreaseStatus == (
        PriceIncreaseStatus.CUSTOMER_HAS_NOT_RESPONDED)
    assert increase.renewal_info().renewalPrice == NEW
    [message] = increase.customer.messages()
    assert message["originalTransactionId"] == increase.bought.originalTransactionId
    assert (message["oldPrice"], message["newPrice"], message["needsConsent"]) == (OLD, NEW, True)

    increase.answer("agree")
    [accepted] = quiet.arrivals()
    assert name(accepted) == "PRICE_INCREASE/ACCEPTED"
    agreed = PriceIncreaseStatus.CUSTOMER_CONSENTED_OR_WAS_NOTIFIED_WITHOUT_NEEDING_CONSENT
    assert increase.renewal_info(accepted).priceIncreaseStatus == agreed
    assert increase.customer.messages() == []

    quiet.operator.wait(quiet.month)
    [renewed] = quiet.arrivals()
    assert name(renewed) == "DID_RENEW"
    assert quiet.told(renewed).price == NEW
    assert increase.renewal_info(renewed).priceIncreaseStatus is None


def test_who_declines_is_not_renewed(quiet):
    increase = Increase(quiet, NEW)
    increase.answer("decline")
    [off] = quiet.arrivals()
    assert name(off) == "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED"
    assert increase.renewal_info(off).autoRenewStatus == AutoRenewStatus.OFF
    quiet.operator.wait(quiet.month)
    assert quiet.news() == ["EXPIRED/VOLUNTARY"]


def test_who_does_not_answer_loses_the_subscription(quiet):
    increase = Increase(quiet, NEW)
    quiet.operator.wait(quiet.month)
    [expired] = quiet.arrivals()
    assert name(expired) == "EXPIRED/PRICE_INCREASE"
    assert increase.renewal_info(expired).expirationIntent == (
        ExpirationIntent.CUSTOMER_DID_NOT_CONSENT_TO_PRICE_INCREASE)


def test_a_small_increase_is_only_told(quiet):
    increase = Increase(quiet, LITTLE_MORE)
    assert name(increase.announcement) == "PRICE_INCREASE/ACCEPTED"
    [message] = increase.customer.messages()
    assert (message["newPrice"], message["needsConsent"]) == (LITTLE_MORE, False)
    quiet.operator.wait(quiet.month)
    [renewed] = quiet.arrivals()
    assert (name(renewed), quiet.told(renewed).price) == ("DID_RENEW", LITTLE_MORE)


def test_who_has_a_preserved_price_hears_nothing(quiet):
    bought = quiet.customer().buys(ESTATE)
    quiet.operator.schedules_price(ESTATE, NEW, existing="preserve")
    quiet.operator.wait(quiet.month)
    *_, renewed = quiet.arrivals()
    assert (name(renewed), quiet.told(renewed).price) == ("DID_RENEW", OLD)
    assert quiet.told(renewed).originalTransactionId == bought.originalTransactionId
    newcomer = quiet.customer().buys(ESTATE)
    assert newcomer.price == NEW
