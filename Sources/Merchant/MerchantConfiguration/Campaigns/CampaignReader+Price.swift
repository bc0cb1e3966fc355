import Merchant
import MerchantRules
import PlacedYAML
import SubscriptionRules

/// A campaign that changes prices.
extension CampaignReader {
    mutating func priceCampaign(
        _ head: Head, _ members: inout Members, _ problems: inout Problems
    ) -> CampaignDefinition? {
        let route: PriceChangeRoute? = members.need(
            "route", "write appStoreConnect, merchantManaged or storeManaged", &problems)?
            .choice(&problems)
        let from = members.need(
            "from", "write the day before which nothing is sent or changed", &problems)?
            .moment(&problems)
        let direction: PriceCampaign.Direction? = members.take("direction", &problems)?
            .choice(&problems)
        let list = members.need(
            "prices", "list the new prices below it, each as `- sku: …` or `- product: …`",
            &problems)
        let exclusions = exclusions(&members, &problems)
        let declined: PriceCampaign.DeclinePolicy? = policy("declined", route, &members, &problems)
        let silent: PriceCampaign.SilencePolicy? = policy("silent", route, &members, &problems)
        let running: PriceCampaign.RunningCampaignPolicy? = members.take("running", &problems)?
            .choice(&problems)
        let texts = priceTexts(route, &members, &problems)
        guard let list, let route else { return nil }
        let prices = prices(list, route, direction ?? .increases, &problems)
        guard let from else { return nil }
        return CampaignDefinition(
            .price(
                PriceCampaign(
                    name: head.name, bundleID: head.bundleID, environments: head.environments,
                    route: route, targets: prices.targets, direction: direction ?? .increases,
                    exclusions: exclusions, live: from, pace: head.pace,
                    whenDeclined: declined ?? .keepOldPrice,
                    whenSilent: silent ?? .keepOldPrice, whenAnotherRuns: running ?? .refuse)),
            periods: prices.periods, texts: texts)
    }

    /// What becomes of who does not agree. Where the store asks, it decides that itself (TAB-6).
    private func policy<Policy: RawRepresentable & CaseIterable>(
        _ name: String, _ route: PriceChangeRoute?, _ members: inout Members,
        _ problems: inout Problems
    ) -> Policy? where Policy.RawValue == String {
        guard let place = members.take(name, &problems) else { return nil }
        if let route, route != .merchantManaged {
            problems.add(
                place,
                "is for `route: merchantManaged`, where you ask: on this route the store asks, and "
                    + "ends what is not agreed to; remove the line.")
            return nil
        }
        return place.choice(&problems)
    }

    private func exclusions(
        _ members: inout Members, _ problems: inout Problems
    ) -> PriceCampaign.Exclusions {
        var exclusions = PriceCampaign.Exclusions()
        guard let place = members.take("except", &problems), var inner = Members(place, &problems)
        else { return exclusions }
        if let place = inner.take("accounts", &problems) {
            exclusions.accounts = Set(place.texts(&problems) ?? [])
        }
        if let place = inner.take("storefronts", &problems) {
            exclusions.storefronts = place.storefronts(&problems) ?? []
        }
        if let place = inner.take("products", &problems) {
            exclusions.products = Set(place.texts(&problems) ?? [])
        }
        inner.finish(&problems)
        return exclusions
    }
}

// MARK: Prices

extension CampaignReader {
    /// The new prices of a file.
    private struct Prices {
        var targets: [String: [String: Int64]] = [:]
        var periods: [String: CalendarPeriod] = [:]
    }

    private func prices(
        _ place: Place, _ route: PriceChangeRoute, _ direction: PriceCampaign.Direction,
        _ problems: inout Problems
    ) -> Prices {
        var prices = Prices()
        for element in place.elements(&problems) ?? [] {
            guard var members = Members(element, &problems) else { continue }
            let name = soldName(element, route, &members, &problems)
            let period = members.take("period", &problems)?.planPeriod(&problems)
            let to = members.need(
                "to", "write the new price of each storefront, `to: {USA: \"5.99\"}`", &problems)
            members.finish(&problems)
            guard let name, let to else { continue }
            guard prices.targets[name] == nil else {
                problems.add(element, "is \(name) again: give each its prices once.")
                continue
            }
            prices.targets[name] = amounts(to, route, direction, &problems)
            prices.periods[name] = period
        }
        return prices
    }

    /// What gets another price: a product in App Store Connect, a SKU where the merchant describes
    /// itself what it sells.
    private func soldName(
        _ element: Place, _ route: PriceChangeRoute, _ members: inout Members,
        _ problems: inout Problems
    ) -> String? {
        let (wanted, other) =
            route == .appStoreConnect ? ("product", "sku") : ("sku", "product")
        if let place = members.take(other, &problems) {
            problems.add(
                place,
                route == .appStoreConnect
                    ? "is Advanced Commerce's: write `product`, or another route."
                    : "has its price in App Store Connect: write `sku`, or `route: "
                        + "appStoreConnect`."
            )
            _ = members.take(wanted, &problems)
            return nil
        }
        return members.need(
            wanted, "say what gets a new price, `\(wanted): garden.monthly`", &problems)?
            .text(&problems)
    }

    private func amounts(
        _ place: Place, _ route: PriceChangeRoute, _ direction: PriceCampaign.Direction,
        _ problems: inout Problems
    ) -> [String: Int64] {
        guard var members = Members(place, &problems) else { return [:] }
        let named = members.takeAll()
        if named.isEmpty {
            problems.add(place, "names no storefront: write `to: {USA: \"5.99\"}`.")
        }
        var amounts: [String: Int64] = [:]
        for (code, place) in named {
            guard let storefront = Storefront(code: code) else {
                problems.add(place, "is no storefront: write its three letters, such as USA.")
                continue
            }
            if direction == .increases, !route.takesIncreases(in: code) {
                problems.add(
                    place, "takes no increase by Advanced Commerce: remove the line.")
            }
            amounts[code] = place.amount(in: storefront, &problems)
        }
        return amounts
    }
}

extension Place {
    /// The highest price, in milliunits: as much as a product's file may say.
    private static let highest: Int64 = 1_000_000_000_000

    /// A price in milliunits, with a point or a comma and with or without its currency. Decimals
    /// are those of the currency (ACP-6, CMP-4): a comma before three digits is a mistake, and no
    /// thousand.
    func amount(in storefront: Storefront, _ problems: inout Problems) -> Int64? {
        guard let text = text(&problems) else { return nil }
        let currency = storefront.currency
        let parts = text.split(separator: " ")
        if parts.count == 2, parts[1] != currency.code {
            problems.add(
                self, "is in \(parts[1]), and \(storefront.code) pays in \(currency.code).")
            return nil
        }
        let example = currency.decimals == 0 ? "600" : "5.99"
        guard (1...2).contains(parts.count), let found = Self.decimal(parts[0]),
            found.milliunits > 0, found.milliunits <= Self.highest
        else {
            problems.add(
                self, "must be a price in \(currency.code): write \"\(example) \(currency.code)\".")
            return nil
        }
        guard found.decimals <= currency.decimals, currency.allows(found.milliunits) else {
            problems.add(
                self,
                "has \(found.decimals) decimals, and prices in \(currency.code) have "
                    + "\(currency.decimals == 0 ? "none" : "at most \(currency.decimals)"): write "
                    + "it such as \(example).")
            return nil
        }
        return found.milliunits
    }

    /// Digits around a point or a comma, exactly: through integers, since a binary fraction is off
    /// by one somewhere.
    private static func decimal(_ text: Substring) -> (milliunits: Int64, decimals: Int)? {
        let parts = text.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "," }
        let isNumber =
            parts.count <= 2
            && parts.allSatisfy { part in
                !part.isEmpty && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
            }
        let fraction = parts.count == 2 ? parts[1] : ""
        guard isNumber, parts[0].utf8.count <= 12, fraction.utf8.count <= 3,
            let whole = Int64(parts[0]),
            let thousandths = Int64(fraction + String(repeating: "0", count: 3 - fraction.count))
        else { return nil }
        return (whole * 1000 + thousandths, fraction.count)
    }

    /// One of the lengths that a plan may have.
    func planPeriod(_ problems: inout Problems) -> CalendarPeriod? {
        guard let text = text(&problems) else { return nil }
        let period = CalendarPeriod(iso8601: text)
        guard let period, CalendarPeriod.billing.contains(period) else {
            let all = CalendarPeriod.billing.map(\.iso8601).joined(separator: ", ")
            problems.add(self, "must be the length of a plan: write one of \(all).")
            return nil
        }
        return period
    }
}
