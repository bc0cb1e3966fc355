import Merchant
import MerchantRules
import PlacedYAML
import SubscriptionRules

/// Reads a campaign's file.
struct CampaignReader {
    /// Finds the text of a file that a campaign names; nil where it cannot be read.
    let contents: (String) -> String?
    /// The files that were read, by the names that the campaign gives them.
    private(set) var attachments: [String: String] = [:]

    init(contents: @escaping (String) -> String?) { self.contents = contents }

    /// Who a campaign is for, whatever it does.
    struct Head {
        let name: String
        let bundleID: String
        let environments: Set<CampaignSubscriber.Environment>
        let pace: CampaignPace
    }

    /// The environments as the file calls them.
    private enum EnvironmentWord: String, CaseIterable {
        case production, sandbox

        var environment: CampaignSubscriber.Environment {
            self == .production ? .production : .sandbox
        }
    }

    /// The campaign of a file; nil where something is wrong, which is among the problems then.
    mutating func campaign(
        _ root: Place, _ problems: inout Problems
    ) -> CampaignDefinition? {
        guard var members = Members(root, &problems) else { return nil }
        let before = problems.all.count
        let name = name(&members, &problems)
        let app = members.need("app", "write the app's bundle id", &problems)?.text(&problems)
        let kind: CampaignDefinition.Kind? = members.need(
            "kind", "write `kind: price` or `kind: outage`", &problems)?.choice(&problems)
        let environments = environments(&members, &problems)
        let pace = pace(&members, &problems)
        // Without its kind nobody knows which members a campaign has.
        guard let kind else { return nil }
        let head = Head(
            name: name ?? "", bundleID: app ?? "", environments: environments, pace: pace)
        let definition =
            switch kind {
            case .price: priceCampaign(head, &members, &problems)
            case .outage: outageCampaign(head, &members, &problems)
            }
        members.finish(&problems)
        return problems.all.count == before ? definition : nil
    }

    /// The text of a file that the campaign names.
    mutating func attachment(_ place: Place, _ problems: inout Problems) -> String? {
        guard let name = place.text(&problems) else { return nil }
        guard let text = contents(name) else {
            problems.add(
                place,
                "names \(name), which cannot be read: correct the path, or send the file with the "
                    + "campaign.")
            return nil
        }
        attachments[name] = text
        return text
    }

    private func name(_ members: inout Members, _ problems: inout Problems) -> String? {
        guard
            let place = members.need(
                "campaign", "give it a name, `campaign: spring-2027`", &problems),
            let name = place.text(&problems)
        else { return nil }
        let isName =
            name.utf8.count <= 64 && name.first != "-"
            && name.utf8.allSatisfy { byte in
                (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D
            }
        guard isName else {
            problems.add(
                place, "must be a name of small letters, digits and hyphens: write spring-2027.")
            return nil
        }
        return name
    }

    private func environments(
        _ members: inout Members, _ problems: inout Problems
    ) -> Set<CampaignSubscriber.Environment> {
        guard let place = members.take("environments", &problems),
            let elements = place.elements(&problems)
        else { return [.production] }
        var environments: Set<CampaignSubscriber.Environment> = []
        for element in elements {
            let word: EnvironmentWord? = element.choice(&problems)
            if let word { environments.insert(word.environment) }
        }
        return environments
    }

    private func pace(_ members: inout Members, _ problems: inout Problems) -> CampaignPace {
        var pace = CampaignPace()
        guard let place = members.take("pace", &problems), var inner = Members(place, &problems)
        else { return pace }
        if let messages = inner.take("messages", &problems)?.number(1...100_000, &problems) {
            pace.messagesPerMinute = Int(messages)
        }
        // The App Store takes 50 a second (ACP-8).
        if let calls = inner.take("calls", &problems)?.number(1...50, &problems) {
            pace.callsPerSecond = Int(calls)
        }
        inner.finish(&problems)
        return pace
    }
}

extension Place {
    /// A moment, or a day for its first moment in UTC.
    func moment(_ problems: inout Problems) -> Instant? {
        guard let text = text(&problems) else { return nil }
        guard let moment = Instant(iso8601: text), (Instant.earliest...Instant.latest) ~= moment
        else {
            problems.add(
                self, "must be a day or a moment: write 2027-03-01 or 2027-03-01T09:00:00Z.")
            return nil
        }
        return moment
    }

    /// Storefronts by their alpha-3 codes, each once.
    func storefronts(_ problems: inout Problems) -> Set<String>? {
        guard let elements = elements(&problems) else { return nil }
        var codes: Set<String> = []
        for element in elements {
            guard let code = element.text(&problems) else { continue }
            if Storefront(code: code) == nil {
                problems.add(element, "must be a storefront: write its three letters, such as USA.")
            } else if !codes.insert(code).inserted {
                problems.add(element, "says \(code) again: remove one of them.")
            }
        }
        return codes.isEmpty ? nil : codes
    }
}
