import Merchant
import MerchantRules
import PlacedYAML
import SubscriptionRules
import Yams

/// A campaign that gives days for an outage.
extension CampaignReader {
    mutating func outageCampaign(
        _ head: Head, _ members: inout Members, _ problems: inout Problems
    ) -> CampaignDefinition? {
        let outage = members.need(
            "outage", "write when it was, `outage: {from: …, to: …}`", &problems
        ).flatMap { self.interval($0, &problems) }
        let products = members.need(
            "products", "list the products whose subscribers it has hit", &problems)?
            .texts(&problems)
        let storefronts = members.take("storefronts", &problems)?.storefronts(&problems)
        let entitlement = members.take("entitlement", &problems)?.text(&problems)
        let accounts = accounts(besides: entitlement, &members, &problems)
        let days = members.need(
            "days", "write how many each gets, `days: 3`, or `days: perBegunDay`", &problems
        ).flatMap { self.daysRule($0, &problems) }
        let reason = members.take("reason", &problems)?.number(0...3, &problems)
            .flatMap { ExtensionReason(rawValue: Int($0)) }
        let mail = members.take("mail", &problems).flatMap {
            self.mail($0, mustName: [.date], mayName: [.days, .manageUrl], &problems)
        }
        guard let outage, let products, let days else { return nil }
        return CampaignDefinition(
            .outage(
                OutageCampaign(
                    name: head.name, bundleID: head.bundleID, environments: head.environments,
                    from: outage.from, to: outage.to, products: Set(products),
                    storefronts: storefronts, entitlement: entitlement, accounts: accounts,
                    days: days, reason: reason ?? .serviceIssueOrOutage, pace: head.pace)),
            texts: CampaignTexts(mail: mail))
    }

    private func interval(
        _ place: Place, _ problems: inout Problems
    ) -> (from: Instant, to: Instant)? {
        guard var members = Members(place, &problems) else { return nil }
        let from = members.need("from", "write when the outage began", &problems)?
            .moment(&problems)
        let end = members.need("to", "write when the outage ended", &problems)
        let to = end?.moment(&problems)
        members.finish(&problems)
        guard let from, let to, let end else { return nil }
        guard from < to else {
            problems.add(end, "is not after `from`: write when the outage ended.")
            return nil
        }
        return (from, to)
    }

    private func daysRule(
        _ place: Place, _ problems: inout Problems
    ) -> OutageCampaign.DaysRule? {
        if place.node.scalar?.string == "perBegunDay" { return .forEachBegunDay }
        let range = ExtensionEligibility.daysAllowed
        guard let days = place.node.scalar.flatMap({ Int($0.string) }), range.contains(days)
        else {
            problems.add(
                place,
                "must be \(range.lowerBound) to \(range.upperBound), or perBegunDay for one for "
                    + "each day that the outage has begun.")
            return nil
        }
        return .fixed(days)
    }

    /// The accounts of a file, one a line.
    private mutating func accounts(
        besides entitlement: String?, _ members: inout Members, _ problems: inout Problems
    ) -> Set<String>? {
        guard let place = members.take("accounts", &problems) else { return nil }
        if entitlement != nil {
            problems.add(place, "says who it is for besides `entitlement`: remove one of them.")
        }
        guard let text = attachment(place, &problems) else { return nil }
        let names = text.split(whereSeparator: \.isNewline).map(Self.trimmed)
            .filter { !$0.isEmpty }
        guard !names.isEmpty else {
            problems.add(place, "names a file without accounts: write one a line.")
            return nil
        }
        return Set(names)
    }

    private static func trimmed(_ line: Substring) -> String {
        var line = line.drop(while: \.isWhitespace)
        while line.last?.isWhitespace == true { line.removeLast() }
        return String(line)
    }
}
