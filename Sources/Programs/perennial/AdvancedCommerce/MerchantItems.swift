import AppStoreWire
import ConnectAnswers
import SubscriptionRules
import Timeline

/// What a merchant sells as one, item by item.
enum MerchantItems {
    /// A table of the items that an answer's signed members tell of; nothing where there are none.
    static func lines(_ answer: Answer, _ style: Style) throws -> [String] {
        let paid = answer.payload("signedTransactionInfo")
        let renewal = answer.payload("signedRenewalInfo")
        let currency = (paid ?? renewal)?["currency"]?.string ?? ""
        let now = paid?["advancedCommerceInfo"]?["items"]?.array ?? []
        let next = renewal?["advancedCommerceInfo"]?["items"]?.array ?? []
        guard !now.isEmpty || !next.isEmpty else { return [] }
        let renews = renewal?["autoRenewStatus"]?.integer != 0
        var table = Columns(
            [("item", .left), ("name", .left), ("now", .right), ("next", .right), ("", .left)],
            first: renewal == nil ? ["item", "now"] : ["item", "now", "next"],
            without: renewal == nil ? ["next"] : [])
        for sku in skus(now + next) {
            let (here, there) = (find(sku, now), find(sku, next))
            let increase = there?["priceIncreaseInfo"]
            let price = increase?["price"]?.integer ?? there.flatMap(charge)
            table.add([
                sku, (there ?? here)?["displayName"]?.string ?? "",
                here.flatMap(charge).map { Money.plainText($0, currency) } ?? "",
                renews ? price.map { Money.plainText($0, currency) } ?? "ends" : "ends",
                state(here, increase),
            ])
        }
        return table.lines(style)
    }

    private static func skus(_ items: [JSONValue]) -> [String] {
        var all: [String] = []
        for sku in items.compactMap({ $0["SKU"]?.string }) where !all.contains(sku) {
            all.append(sku)
        }
        return all
    }

    private static func find(_ sku: String, _ items: [JSONValue]) -> JSONValue? {
        items.first { $0["SKU"]?.string == sku }
    }

    /// What an item costs: its offer's price where it has one.
    private static func charge(_ item: JSONValue) -> Int64? {
        item["offer"]?["price"]?.integer ?? item["price"]?.integer
    }

    private static func state(_ item: JSONValue?, _ increase: JSONValue?) -> String {
        if item?["revocationDate"] != nil { return "given back" }
        switch increase?["status"]?.string {
        case "SCHEDULED"?: return "scheduled"
        case "PENDING"?: return "asked, not answered"
        case "ACCEPTED"?: return "accepted"
        case let status?: return status
        case nil: return item?["refunds"] == nil ? "" : "refunded in part"
        }
    }
}
