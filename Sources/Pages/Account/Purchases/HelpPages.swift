import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import Store
import StoreHTTP
import SubscriptionRules

extension Account {
    /// Help, which comes before a refund and never in its way (HIG-51, HIG-54), and the terms.
    var helpPages: [Endpoint<StoreSite>] {
        [
            page("help", "help") { visit in visit.helpPage() },
            page("help/missing", "missing") { visit in try await visit.missingPage() },
            page("help/questions", "questions") { visit in
                Page(
                    visit.words.questions, trail: visit.helpTrail,
                    [
                        Prose(visit.words.howToCancel, visit.words.whoCharged),
                        LinkList([
                            PageLink(visit.words.subscriptions, AccountPath.overview),
                            PageLink(visit.words.purchases, AccountPath.purchases),
                        ]),
                    ])
            },
            page("help/feedback", "feedback") { visit in
                let app = try await Shelf(visit).app.settings.name
                return Page(
                    visit.words.feedback, trail: visit.helpTrail,
                    [Prose(visit.words.feedbackAbout(app))])
            },
            page("help/contact", "contact") { visit in
                let app = try await Shelf(visit).app.settings
                var blocks: [any PageBlock] = [Prose(visit.words.contactAbout(app.name))]
                // Shown and not linked: these pages lead nowhere else (S308-101).
                if let address = app.supportURL { blocks.append(Prose(address)) }
                blocks.append(
                    LinkList([PageLink(visit.words.purchases, AccountPath.purchases)]))
                return Page(visit.words.contact, trail: visit.helpTrail, blocks)
            },
            page("terms", "terms") { visit in try await visit.termsPage() },
            action("requests/{id}/settle", "settleRequest") { visit, _ in
                try await visit.settle()
            },
        ]
    }
}

extension Visit {
    fileprivate var helpTrail: [PageLink] { [PageLink(words.purchaseHelp, AccountPath.help)] }

    fileprivate func helpPage() -> Page {
        Page(
            words.purchaseHelp, lead: words.howCanWeHelp,
            [
                LinkList(
                    [
                        PageLink(words.missingPurchase, AccountPath.below("help", "missing")),
                        PageLink(words.questions, AccountPath.below("help", "questions")),
                        PageLink(words.requestRefund, AccountPath.purchases),
                        PageLink(words.feedback, AccountPath.below("help", "feedback")),
                        PageLink(words.contact, AccountPath.below("help", "contact")),
                    ], label: words.howCanWeHelp)
            ])
    }

    /// What may be missing since it waits for somebody.
    fileprivate func missingPage() async throws -> Page {
        let shelf = try await Shelf(self)
        let waiting = try await ownRequests()
        var blocks: [any PageBlock] = [Prose(words.missingAbout(shelf.app.settings.name))]
        for request in waiting { blocks.append(try section(of: request, shelf)) }
        if waiting.isEmpty { blocks.append(Prose(words.nothingWaits)) }
        return Page(words.missingPurchase, trail: helpTrail, blocks)
    }

    /// The customer's purchases that wait for somebody.
    func ownRequests() async throws -> [Answer] {
        try await desk.get(StorePath("storefront", "v1", "purchase-requests"))
            .list("purchaseRequests")
    }

    /// One of them, with a button where the customer can settle it.
    func section(of request: Answer, _ shelf: Shelf) throws -> PageSection {
        let id = try request.text("id")
        let name = shelf.name(try request.text("productId"))
        guard try request.text("reason") == "interrupted" else {
            let lapses = request.optionalMoment("lapses").map {
                words.requestLapses(locale.fullDay($0))
            }
            return PageSection(
                name, id: "request-\(id)", about: lapses, isLandmark: false,
                [Notice(.attention, words.waitsForFamily)])
        }
        return PageSection(
            name, id: "request-\(id)", isLandmark: false,
            [
                PageForm(
                    .change, action: AccountPath.below("requests", id, "settle"),
                    button: words.settle, about: words.settleAbout, hidden: [FormID.hidden()])
            ])
    }

    fileprivate func settle() async throws -> String {
        let settled = try await desk.send(
            .post,
            StorePath("storefront", "v1", "purchase-requests", try part("id"), "settle"))
        if let bought = settled.optionalText("transactionId") {
            return AccountPath.below("purchases", bought)
        }
        let help = AccountPath.below("help", "missing")
        return settled.optionalText("obstacle") == nil
            ? help : DoneWord.added("approvedInVain", to: help)
    }

    /// What one agrees to, and what the developer says of rights and data. Addresses are
    /// shown, not linked: these pages lead nowhere else.
    fileprivate func termsPage() async throws -> Page {
        let products = try await desk.get(
            StorePath("storefront", "v1", "products").with("id", "-"))
        return Page(
            words.termsTitle,
            [
                Prose(words.termsOfSale),
                PageSection(
                    words.licence, id: "licence",
                    [
                        Prose(
                            products.optionalText("licenceAgreement") ?? words.standardLicence)
                    ]),
                PageSection(
                    words.privacyPolicy, id: "privacy",
                    [
                        Prose(
                            products.optionalText("privacyPolicyUrl") ?? words.noPrivacyPolicy)
                    ]),
            ])
    }

    /// Both stand wherever something is bought (HIG-18).
    var termsLinks: LinkList {
        LinkList([
            PageLink(words.termsTitle, AccountPath.terms),
            PageLink(words.privacyPolicy, AccountPath.terms + "#privacy"),
        ])
    }
}
