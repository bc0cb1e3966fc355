import AppStoreWire
import NaiveModel
import SubscriptionRules

/// What signed data says of a merchant's own plan, as the naive store writes it.
enum MerchantText {
    static func of(_ info: AdvancedCommerceTransactionInfo) -> [String] {
        [head(info.period, info.descriptors)]
            + info.items.map { item in
                let back = (item.refunds ?? []).map { one in
                    " \(one.refundAmount) back for \(one.refundReason.rawValue) "
                        + "\(one.refundType.rawValue) \(NaiveCalendar.text(Int(one.refundDate)))"
                }
                return text(item.sku, item.displayName, item.price, item.offer) + back.joined()
                    + (item.revocationDate.map { " gone \(NaiveCalendar.text(Int($0)))" } ?? "")
            }
    }

    static func of(_ info: AdvancedCommerceRenewalInfo) -> [String] {
        [head(info.period, info.descriptors)]
            + info.items.map { item in
                let increase = item.priceIncreaseInfo.map { increase in
                    let others = increase.dependentSKUs?.joined(separator: " ")
                    return " \(increase.status.rawValue) \(increase.price)"
                        + (others.map { " with " + $0 } ?? "")
                }
                return text(item.sku, item.displayName, item.price, item.offer) + (increase ?? "")
            }
    }

    private static func head(
        _ period: AdvancedCommercePeriod?, _ descriptors: AdvancedCommerceDescriptors?
    ) -> String {
        "\(period?.rawValue ?? "no period") \(descriptors?.displayName ?? "nothing")"
    }

    private static func text(
        _ sku: String, _ name: String, _ price: Int64, _ offer: AdvancedCommerceOffer?
    ) -> String {
        "\(sku) \(price)" + (offer.map { " at \($0.reason.rawValue) \($0.price)" } ?? "")
            + (name == sku ? "" : " called \(name)")
    }
}
