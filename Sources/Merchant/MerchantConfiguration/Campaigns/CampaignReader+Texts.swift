import Mail
import Merchant
import PlacedYAML
import SubscriptionRules

/// What a campaign writes.
extension CampaignReader {
    /// What mail and sheet must say about a price (ACC-7).
    private static let ofPrice: Set<CampaignPlace> = [.oldPrice, .newPrice, .date]

    /// Where the merchant tells subscribers it needs all three; elsewhere the store does, and there
    /// is nothing to write.
    mutating func priceTexts(
        _ route: PriceChangeRoute?, _ members: inout Members, _ problems: inout Problems
    ) -> CampaignTexts {
        var texts = CampaignTexts()
        let isToldHere = route == .merchantManaged
        for name in ["mail", "sheet", "push"] {
            let place =
                isToldHere
                ? members.need(
                    name, "the merchant tells subscribers by mail, sheet and push",
                    &problems) : members.take(name, &problems)
            guard let place else { continue }
            if let route, !isToldHere {
                problems.add(
                    place,
                    "is not sent with `route: \(route.rawValue)`, where the store tells "
                        + "subscribers: remove it.")
                continue
            }
            switch name {
            case "mail":
                texts.mail = mail(
                    place, mustName: Self.ofPrice.union([.manageUrl]), mayName: [.answerUrl],
                    &problems)
            case "sheet": texts.sheet = sheet(place, &problems)
            default: texts.push = push(place, &problems)
            }
        }
        return texts
    }

    /// A mail.
    ///
    /// - Parameters:
    ///   - needed: the places that its text must have.
    ///   - possible: those that it may have besides.
    mutating func mail(
        _ place: Place, mustName needed: Set<CampaignPlace>,
        mayName possible: Set<CampaignPlace>, _ problems: inout Problems
    ) -> CampaignTexts.Mail? {
        guard var members = Members(place, &problems) else { return nil }
        let all = needed.union(possible)
        let sender = members.need("from", "write the sender's address", &problems)
            .flatMap { self.sender($0, &problems) }
        let subject = members.need("subject", "write the mail's subject", &problems)
            .flatMap { self.text($0, needing: [], knowing: all, &problems) }
        let text = members.need("text", "name the file that holds the mail's text", &problems)
            .flatMap { self.fileText($0, needing: needed, knowing: all, &problems) }
        members.finish(&problems)
        guard let sender, let subject, let text else { return nil }
        return CampaignTexts.Mail(
            from: sender.address, name: sender.name, subject: subject, text: text)
    }

    private func sheet(_ place: Place, _ problems: inout Problems) -> CampaignTexts.Sheet? {
        guard var members = Members(place, &problems) else { return nil }
        let title = members.need("title", "say that it is about a price", &problems)
            .flatMap { self.text($0, needing: [], knowing: Self.ofPrice, &problems) }
        let body = members.need("body", "write what the sheet says", &problems)
            .flatMap { self.text($0, needing: Self.ofPrice, knowing: Self.ofPrice, &problems) }
        members.finish(&problems)
        guard let title, let body else { return nil }
        return CampaignTexts.Sheet(title: title, body: body)
    }

    private func push(_ place: Place, _ problems: inout Problems) -> CampaignTexts.Push? {
        guard var members = Members(place, &problems) else { return nil }
        let title = members.need("title", "write the notification's title", &problems)
            .flatMap { self.text($0, needing: [], knowing: Self.ofPrice, &problems) }
        let body = members.need("body", "write what the notification says", &problems)
            .flatMap { self.text($0, needing: [], knowing: Self.ofPrice, &problems) }
        let url = members.take("url", &problems)
        let link = url?.text(&problems)
        members.finish(&problems)
        if let url, let link, !Self.isLink(link) {
            problems.add(url, "must be a link that the app opens: write garden://price.")
        }
        guard let title, let body else { return nil }
        return CampaignTexts.Push(title: title, body: body, url: link)
    }

    /// `name@example.com`, or `Name <name@example.com>`.
    private func sender(
        _ place: Place, _ problems: inout Problems
    ) -> (name: String?, address: String)? {
        guard let text = place.text(&problems) else { return nil }
        var (name, address) = (nil as String?, text)
        if text.hasSuffix(">"), let angle = text.firstIndex(of: "<") {
            let words = text[..<angle].split(separator: " ").joined(separator: " ")
            name = words.isEmpty ? nil : words
            address = String(text[text.index(after: angle)...].dropLast())
        }
        guard let address = EmailAddress(address) else {
            problems.add(place, "must be \(EmailAddress.rule); a name may stand before `<…>`.")
            return nil
        }
        return (name, address.text)
    }

    private static func isLink(_ text: String) -> Bool {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        return parts.count == 2 && !parts[1].isEmpty && !text.contains(where: \.isWhitespace)
            && parts[0].first?.isLetter == true
            && parts[0].utf8.allSatisfy { $0 < 0x80 && $0 != 0x2F }
    }
}

// MARK: Languages and places

extension CampaignReader {
    /// The word for the text that every language has which is not named.
    private static let usual = "default"

    /// A text, or a mapping of one for each language.
    private func text(
        _ place: Place, needing needed: Set<CampaignPlace>, knowing known: Set<CampaignPlace>,
        _ problems: inout Problems
    ) -> CampaignText? {
        var texts: [String: String] = [:]
        for (tag, place) in languages(of: place, &problems) {
            guard let text = place.text(&problems) else { continue }
            Self.check(text, place, needed, known, &problems)
            texts[tag] = text
        }
        return Self.joined(texts)
    }

    /// The same of texts that stand in files.
    private mutating func fileText(
        _ place: Place, needing needed: Set<CampaignPlace>, knowing known: Set<CampaignPlace>,
        _ problems: inout Problems
    ) -> CampaignText? {
        var texts: [String: String] = [:]
        for (tag, place) in languages(of: place, &problems) {
            guard let text = attachment(place, &problems) else { continue }
            Self.check(text, place, needed, known, &problems)
            texts[tag] = text
        }
        return Self.joined(texts)
    }

    private static func joined(_ texts: [String: String]) -> CampaignText? {
        guard let usual = texts[usual] else { return nil }
        return CampaignText(usual, translations: texts.filter { $0.key != Self.usual })
    }

    /// The places of a text, by language.
    private func languages(
        of place: Place, _ problems: inout Problems
    ) -> [(name: String, place: Place)] {
        guard place.isMapping else { return [(Self.usual, place)] }
        guard var members = Members(place, &problems) else { return [] }
        let all = members.takeAll()
        if !all.contains(where: { $0.name == Self.usual }) {
            problems.add(place, "lacks `default`: write the text for all other languages there.")
        }
        for (name, place) in all where name != Self.usual && !Self.isLanguage(name) {
            problems.add(place, "is no language: write a tag such as de or pt-BR.")
        }
        return all
    }

    /// A language of two or three letters, with parts of two to eight letters and digits behind it.
    private static func isLanguage(_ tag: String) -> Bool {
        let parts = tag.split(separator: "-", omittingEmptySubsequences: false)
        return (2...3).contains(parts[0].count) && parts[0].allSatisfy(\.isLetter)
            && parts.dropFirst().allSatisfy { (2...8).contains($0.count) }
            && tag.utf8.allSatisfy { $0 < 0x80 }
    }

    /// Refuses a text that lacks a place that it must have, or has one that nothing fills (CMP-5).
    private static func check(
        _ text: String, _ place: Place, _ needed: Set<CampaignPlace>, _ known: Set<CampaignPlace>,
        _ problems: inout Problems
    ) {
        let missing = CampaignPlace.allCases.filter {
            needed.contains($0) && !text.contains($0.mark)
        }
        if !missing.isEmpty {
            let marks = missing.map(\.mark).joined(separator: ", ")
            problems.add(place, "does not say \(marks): it must.")
        }
        let possible = CampaignPlace.allCases.filter(known.contains)
        for word in words(inBracesOf: text) where !possible.contains(where: { $0.rawValue == word })
        {
            let marks = possible.map(\.mark).joined(separator: ", ")
            problems.add(place, "has {\(word)}, which nothing fills: use \(marks).")
        }
    }

    /// What stands in braces as a word; other braces are text.
    private static func words(inBracesOf text: String) -> [String] {
        text.split(separator: "{", omittingEmptySubsequences: false).dropFirst().compactMap {
            part in
            guard let end = part.firstIndex(of: "}") else { return nil }
            let word = part[..<end]
            guard !word.isEmpty, word.utf8.count <= 32,
                word.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
            else { return nil }
            return String(word)
        }
    }
}
