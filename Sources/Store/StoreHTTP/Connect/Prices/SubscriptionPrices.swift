import AppStoreWire
import HTTPSurface
import Store
import SubscriptionRules

/// What is said of prices that are on their way to a subscription.
extension ConnectSurface {
    static let increaseMember = Schema.Member.optional(
        "priceIncrease",
        .object(
            "Another price that is live and not charged yet: of several lines the first.",
            [.optional("sku", .text("The line, where there are several."))] + increaseMembers
                + [
                    .optional(
                        "endsSubscription",
                        .boolean(
                            "Whether the subscription ends without an answer, or, of a merchant's "
                                + "plan, only what was asked about; absent where nothing was "
                                + "asked."))
                ]))

    static let increasesMember = Schema.Member.optional(
        "priceIncreases",
        .list(
            "All of them, where the merchant describes what it delivers.",
            of: .object(
                "The price of an item.",
                [
                    .required("sku", .text("The merchant's own name of it.")),
                    .required("oldPrice", .price("What a period costs until then")),
                    .required(
                        "dependentSKUs",
                        .list("What ends with it without consent.", of: .text("An item."))),
                ] + increaseMembers)))

    static let conversionMember = Schema.Member.optional(
        "offerConversion",
        .object(
            "In Korea, the end of an offer, to which the subscriber has to agree.",
            .required(
                "kind",
                .choice("What turns into what.", OfferConversion.allCases.map(\.rawValue))),
            .required("at", .moment("When the standard price is first charged.")),
            .required("opens", .moment("When the subscriber is asked.")),
            .required("closes", .moment("The first moment at which it is too late to agree.")),
            .required("asked", .boolean("Whether the subscriber was asked.")),
            .optional("agreed", .moment("When the subscriber agreed.")),
            .required("price", .sum("What a period will cost, of the items alone")),
            .optional(
                "items",
                .list(
                    "The items whose offers end, where the merchant describes what it delivers: "
                        + "without consent they end.",
                    of: .object(
                        "An item.", .required("sku", .text("The merchant's own name of it.")),
                        .required("price", .price("What a period of it will cost")))))))

    private static let increaseMembers: [Schema.Member] = [
        .required("price", .price("What a period will cost")),
        .required("live", .moment("When it went live.")),
        .required(
            "phase",
            .choice(
                "How far it has come with this subscriber.",
                ["waiting", "planned", "asked", "accepted", "declined"])),
        .optional("path", .choice("What the subscriber is asked.", ["notice", "consent"])),
        .optional("announcement", .moment("When the subscriber first hears of it.")),
        .optional("renewal", .moment("The renewal that first charges it.")),
    ]
}

extension Subscription {
    func writeIncreases(to json: inout JSONWriter) {
        let increases = comingIncreases
        guard let (line, increase) = increases.first else { return }
        json.object("priceIncrease") { json in
            json.field("sku", plan.lines.count > 1 ? line.sku : nil)
            json.write(increase)
            let isAsked = agreesToIncreases == false
            json.field("endsSubscription", isAsked ? endsWithoutConsent : nil)
        }
        guard plan.merchant != nil else { return }
        json.array("priceIncreases") { json in
            for (line, increase) in increases {
                json.elementObject { json in
                    json.field("sku", line.sku)
                    json.field("oldPrice", line.price)
                    json.field("dependentSKUs", increase.dependents)
                    json.write(increase)
                }
            }
        }
    }

    /// The end of an offer, while what was looked at holds: another plan that was chosen from the
    /// catalogue shows its price.
    func writeConversion(to json: inout JSONWriter) {
        guard let conversion, !isOver, renewsAutomatically,
            nextPlan == nil || plan.merchant != nil
        else { return }
        let items = plan.lines.filter { conversion.items.contains($0.sku) }
        json.object("offerConversion") { json in
            json.field("kind", conversion.kind.rawValue)
            json.field("at", conversion.moment.iso8601)
            json.field("opens", conversion.opens.iso8601)
            json.field("closes", conversion.closes.iso8601)
            json.field("asked", conversion.isAsked)
            json.field("agreed", conversion.agreed?.iso8601)
            json.field(
                "price",
                items.isEmpty ? plan.price.milliunits : items.reduce(0) { $0 + $1.price })
            guard !items.isEmpty else { return }
            json.array("items") { json in
                for item in items {
                    json.elementObject { json in
                        json.field("sku", item.sku)
                        json.field("price", item.price)
                    }
                }
            }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func write(_ increase: PendingIncrease) {
        field("price", increase.price)
        field("live", increase.live.iso8601)
        field("phase", increase.phase.name)
        field("path", increase.schedule?.path.rawValue)
        field("announcement", increase.schedule?.announcement.iso8601)
        field("renewal", increase.schedule?.renewal.iso8601)
    }
}
