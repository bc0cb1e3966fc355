import AppStoreWire
import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import StoreHTTP
import SubscriptionRules

extension Account {
    /// What a publisher asks the customer to share: asked once, answered either way, and taken
    /// back here (S308-95).
    var optInPages: [Endpoint<StoreSite>] {
        [
            page("sharing", "optIns") { visit in try await visit.optInPage() },
            action(
                "sharing/{id}/yes", "optInShared", on: { visit in try await visit.optInPage() }
            ) { visit, form in
                try await visit.answerOptIn { json in
                    json.field("shares", true)
                    json.field("name", form.text("name") ?? "")
                    json.field("email", form.text("email") ?? "")
                    json.field("postalCode", form.text("postalCode"))
                }
            },
            action(
                "sharing/{id}/no", "optInDeclined", on: { visit in try await visit.optInPage() }
            ) { visit, _ in
                try await visit.answerOptIn { $0.field("shares", false) }
            },
            action("sharing/{id}/revoke", "optInRevoked") { visit, _ in
                let id = try visit.part("id")
                _ = try await visit.desk.send(
                    .delete, StorePath("storefront", "v1", "opt-ins", id))
                return DoneWord.added("optInDeclined", to: AccountPath.optIns)
            },
        ]
    }
}

extension Visit {
    fileprivate func optInPage() async throws -> Page {
        let shelf = try await Shelf(self)
        let all = try await desk.get(StorePath("storefront", "v1", "opt-ins")).list("optIns")
        let trail = [PageLink(words.mailbox, AccountPath.mailbox)]
        guard !all.isEmpty else {
            return Page(words.optIns, trail: trail, [Prose(words.noOptIns)])
        }
        var sections: [any PageBlock] = []
        for one in all { sections.append(try section(ofOptIn: one, shelf)) }
        return Page(words.optIns, trail: trail, sections)
    }

    private func section(ofOptIn one: Answer, _ shelf: Shelf) throws -> PageSection {
        let id = try one.text("originalTransactionId")
        let title = shelf.name(try one.text("productId"))
        if try one.bool("shares") {
            return PageSection(
                title, id: "sharing-\(id)", isLandmark: false,
                [
                    PageForm(
                        .change, action: AccountPath.below("sharing", id, "revoke"),
                        button: words.revokeDetails, about: words.sharesNow,
                        hidden: [FormID.hidden()])
                ])
        }
        var blocks: [any PageBlock] = []
        if let question = one.optionalText("text") { blocks.append(Prose(question)) }
        if let length = one.optionalText("bonus").flatMap({ CalendarPeriod(iso8601: $0) }) {
            blocks.append(Prose(words.optInBonus(words.length(length))))
        }
        guard one.optionalText("text") != nil else {
            blocks.append(Prose(words.noOptIns))
            return PageSection(title, id: "sharing-\(id)", isLandmark: false, blocks)
        }
        blocks.append(
            PageForm(
                .change, action: AccountPath.below("sharing", id, "yes"),
                button: words.shareDetails, hidden: [FormID.hidden()],
                fields: [
                    Field(
                        "name", words.yourName, in: "sharing-\(id)", value: typed("name"),
                        isRequired: true),
                    Field(
                        "email", words.yourEmail, in: "sharing-\(id)",
                        value: typed("email", or: customer.email ?? ""), isRequired: true),
                    Field(
                        "postalCode", words.postalCode, in: "sharing-\(id)",
                        value: typed("postalCode")),
                ]))
        if try one.bool("asks") {
            blocks.append(
                PageForm(
                    .change, action: AccountPath.below("sharing", id, "no"),
                    button: words.dontShare, hidden: [FormID.hidden()]))
        }
        return PageSection(title, id: "sharing-\(id)", isLandmark: false, blocks)
    }

    fileprivate func answerOptIn(_ body: (inout JSONWriter) -> Void) async throws -> String {
        let id = try part("id")
        do {
            _ = try await desk.send(.put, StorePath("storefront", "v1", "opt-ins", id), body)
        } catch let refusal as Refusal where refusal.code == "invalidMember" {
            // Too long or empty: to whoever filled it in that is the same as a wrong address.
            throw ErrorBody(
                .badRequest, "invalidSetting", refusal.message, field: refusal.field ?? "name")
        }
        return AccountPath.optIns
    }
}
