"""Years that are billed monthly under a commitment, as Apple's library reads them."""

import pytest
from appstoreserverlibrary.models.AutoRenewStatus import AutoRenewStatus
from appstoreserverlibrary.models.BillingPlanType import BillingPlanType
from appstoreserverlibrary.models.RenewalBillingPlanType import RenewalBillingPlanType
from appstoreserverlibrary.models.Status import Status
from story import Refused

YEAR = "com.example.garden.estate.yearly"


def test_a_month_of_a_commitment(quiet):
    quiet.operator.bills_monthly(YEAR, 10_000)
    customer = quiet.customer(storefront="DEU")
    bought = customer.buys(YEAR, billingPlanType="MONTHLY")
    months = [bought]
    assert bought.billingPlanType == BillingPlanType.MONTHLY
    quiet.arrivals()
    while len(months) < 3:
        quiet.operator.wait(quiet.month)
        months += [quiet.told(one) for one in quiet.arrivals()]
    infos = [one.commitmentInfo for one in months if one.commitmentInfo]
    assert [info.billingPeriodNumber for info in infos] == list(range(1, len(infos) + 1))
    assert {info.totalBillingPeriods for info in infos} == {12}
    assert {info.commitmentPrice for info in infos} == {120_000}
    assert len({info.commitmentExpiresDate for info in infos}) == 1

    customer.turns_renewal(False, bought.originalTransactionId)
    assert [one.rawNotificationType for one in quiet.arrivals()] == ["DID_CHANGE_RENEWAL_STATUS"]
    [group] = quiet.developer.get_all_subscription_statuses(bought.transactionId).data
    [last] = group.lastTransactions
    assert last.status == Status.ACTIVE
    renewal = quiet.developer.renewal_info(last.signedRenewalInfo)
    assert renewal.autoRenewStatus == AutoRenewStatus.ON
    assert renewal.renewalBillingPlanType == RenewalBillingPlanType.MONTHLY
    after = renewal.commitmentInfo
    assert after.commitmentAutoRenewStatus == AutoRenewStatus.OFF
    assert after.commitmentAutoRenewProductId == YEAR
    assert after.commitmentRenewalBillingPlanType == RenewalBillingPlanType.MONTHLY
    assert after.commitmentRenewalDate == infos[0].commitmentExpiresDate
    assert after.commitmentRenewalPrice == 120_000


@pytest.mark.parametrize("storefront", ["SGP", "USA"])
def test_where_it_is_not_sold(quiet, storefront):
    quiet.operator.bills_monthly(YEAR, 10_000)
    with pytest.raises(Refused) as refused:
        quiet.customer(storefront=storefront).buys(YEAR, billingPlanType="MONTHLY")
    assert refused.value.error == "notBilledMonthly"
    assert quiet.arrivals() == []
