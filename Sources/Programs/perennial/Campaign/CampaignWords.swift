import AppStoreWire
import Merchant
import MerchantRules
import SubscriptionRules
import Timeline

/// What a campaign means, as lines and as JSON.
enum CampaignWords {
    /// One text a line.
    static func lines(of definition: CampaignDefinition, _ style: Style) -> [String] {
        let environments = definition.environments.map(\.rawValue).sorted()
        let title = "\(definition.name): \(what(definition)) in \(definition.bundleID)"
        return [
            style.paint(title, .strong), "  in \(environments.joined(separator: " and "))",
        ] + details(definition)
    }

    private static func what(_ definition: CampaignDefinition) -> String {
        switch definition.work {
        case .price(let campaign):
            switch campaign.direction {
            case .increases: "a price increase"
            case .decreases: "a lower price"
            case .both: "new prices"
            }
        case .outage: "days for an outage"
        }
    }

    private static func details(_ definition: CampaignDefinition) -> [String] {
        switch definition.work {
        case .price(let campaign): prices(campaign, definition)
        case .outage(let campaign): days(campaign, definition)
        }
    }

    // MARK: Prices

    private static func prices(
        _ campaign: PriceCampaign, _ definition: CampaignDefinition
    ) -> [String] {
        var lines = ["  \(route(campaign.route)), from \(campaign.live.plainText)"]
        for (name, amounts) in campaign.targets.sorted(by: { $0.key < $1.key }) {
            let period = definition.periods[name].map { " (\($0.iso8601))" } ?? ""
            let all = amounts.sorted { $0.key < $1.key }.map { code, amount in
                "\(code) \(price(amount, in: code))"
            }
            lines.append("  \(name)\(period): \(all.joined(separator: ", "))")
        }
        lines += exclusions(campaign.exclusions)
        if campaign.isToldByMerchant {
            lines.append(
                campaign.whenDeclined == .keepOldPrice
                    ? "  who declines keeps the old price"
                    : "  who declines ends with the running period")
            lines.append(
                campaign.whenSilent == .keepAsking
                    ? "  who stays silent pays the old price and is asked again"
                    : "  who stays silent keeps the old price")
        }
        lines.append(
            campaign.whenAnotherRuns == .refuse
                ? "  leaves out whom another campaign is running for"
                : "  takes the place of another campaign that is running")
        return lines + texts(definition.texts) + pace(campaign.pace)
    }

    private static func route(_ route: PriceChangeRoute) -> String {
        switch route {
        case .appStoreConnect: "by App Store Connect: the store tells subscribers"
        case .merchantManaged: "by Advanced Commerce: the merchant tells subscribers and asks"
        case .storeManaged: "by Advanced Commerce: the store tells subscribers and asks"
        }
    }

    private static func exclusions(_ out: PriceCampaign.Exclusions) -> [String] {
        let named = [
            ("accounts", out.accounts), ("storefronts", out.storefronts),
            ("products", out.products),
        ].filter { !$0.1.isEmpty }
        return named.map { "  leaves out \($0.0) \($0.1.sorted().joined(separator: ", "))" }
    }

    private static func price(_ amount: Int64, in code: String) -> String {
        guard let storefront = Storefront(code: code) else { return String(amount) }
        return Money(milliunits: amount, storefront.currency).plainText
    }

    // MARK: Days

    private static func days(
        _ campaign: OutageCampaign, _ definition: CampaignDefinition
    ) -> [String] {
        let days =
            switch campaign.days {
            case .fixed(let days): "\(days) \(days == 1 ? "day" : "days")"
            case .forEachBegunDay: "a day for each begun day"
            }
        var lines = [
            "  \(campaign.from.plainText) to \(campaign.to.plainText)",
            "  \(days), reason \(campaign.reason.rawValue)",
            "  products \(campaign.products.sorted().joined(separator: ", "))",
        ]
        if let storefronts = campaign.storefronts {
            lines.append("  storefronts \(storefronts.sorted().joined(separator: ", "))")
        }
        if let entitlement = campaign.entitlement { lines.append("  who has \(entitlement)") }
        if let accounts = campaign.accounts { lines.append("  \(accounts.count) accounts") }
        return lines + texts(definition.texts) + pace(campaign.pace)
    }

    // MARK: What both have

    private static func texts(_ texts: CampaignTexts) -> [String] {
        let all = [
            ("mail", texts.mail?.text), ("sheet", texts.sheet?.body), ("push", texts.push?.body),
        ]
        return all.compactMap { channel, text in
            text.map { text in
                let others = text.translations.keys.sorted()
                return others.isEmpty
                    ? "  \(channel) in one language"
                    : "  \(channel) also in \(others.joined(separator: ", "))"
            }
        }
    }

    private static func pace(_ pace: CampaignPace) -> [String] {
        [
            "  at most \(pace.messagesPerMinute) messages a minute, \(pace.callsPerSecond) calls a second"
        ]
    }
}

// MARK: JSON

extension CampaignWords {
    /// What a campaign means, as JSON.
    static func value(of definition: CampaignDefinition) -> JSONValue {
        var members: [String: JSONValue] = [
            "campaign": .string(definition.name), "bundleId": .string(definition.bundleID),
            "kind": .string(definition.kind.rawValue),
            "environments": texts(definition.environments.map(\.rawValue)),
            "channels": texts(channels(definition.texts)),
        ]
        switch definition.work {
        case .price(let campaign):
            members.merge(self.members(of: campaign, definition)) { first, _ in first }
        case .outage(let campaign):
            members.merge(self.members(of: campaign)) { first, _ in first }
        }
        return .object(members)
    }

    private static func members(
        of campaign: PriceCampaign, _ definition: CampaignDefinition
    ) -> [String: JSONValue] {
        let prices = campaign.targets.sorted { $0.key < $1.key }.flatMap { name, amounts in
            amounts.sorted { $0.key < $1.key }.map { code, amount in
                var members: [String: JSONValue] = [
                    "product": .string(name), "storefront": .string(code),
                    "price": .integer(amount),
                ]
                if let currency = Storefront(code: code)?.currency.code {
                    members["currency"] = .string(currency)
                }
                if let period = definition.periods[name]?.iso8601 {
                    members["period"] = .string(period)
                }
                return JSONValue.object(members)
            }
        }
        return [
            "route": .string(campaign.route.rawValue), "from": .string(campaign.live.iso8601),
            "direction": .string(campaign.direction.rawValue), "prices": .array(prices),
            "except": .object([
                "accounts": texts(campaign.exclusions.accounts),
                "storefronts": texts(campaign.exclusions.storefronts),
                "products": texts(campaign.exclusions.products),
            ]),
            "declined": .string(campaign.whenDeclined.rawValue),
            "silent": .string(campaign.whenSilent.rawValue),
            "running": .string(campaign.whenAnotherRuns.rawValue),
            "pace": value(of: campaign.pace),
        ]
    }

    private static func members(of campaign: OutageCampaign) -> [String: JSONValue] {
        var members: [String: JSONValue] = [
            "from": .string(campaign.from.iso8601), "to": .string(campaign.to.iso8601),
            "products": texts(campaign.products),
            "reason": .integer(Int64(campaign.reason.rawValue)),
            "pace": value(of: campaign.pace),
        ]
        switch campaign.days {
        case .fixed(let days): members["days"] = .integer(Int64(days))
        case .forEachBegunDay: members["days"] = .string("perBegunDay")
        }
        if let storefronts = campaign.storefronts { members["storefronts"] = texts(storefronts) }
        if let entitlement = campaign.entitlement {
            members["entitlement"] = .string(entitlement)
        }
        if let accounts = campaign.accounts { members["accounts"] = texts(accounts) }
        return members
    }

    private static func value(of pace: CampaignPace) -> JSONValue {
        .object([
            "messages": .integer(Int64(pace.messagesPerMinute)),
            "calls": .integer(Int64(pace.callsPerSecond)),
        ])
    }

    private static func channels(_ texts: CampaignTexts) -> [String] {
        [
            texts.mail.map { _ in "mail" }, texts.sheet.map { _ in "sheet" },
            texts.push.map { _ in "push" },
        ].compactMap(\.self)
    }

    private static func texts(_ all: some Collection<String>) -> JSONValue {
        .array(all.sorted().map { .string($0) })
    }
}
