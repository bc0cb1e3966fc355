import AppStoreWire
import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import StoreHTTP
import SubscriptionRules

extension Account {
    /// Redeeming a code in two screens (HIG-46, HIG-47). A link fills the code in and redeems
    /// nothing (HIG-50, PAG-8).
    var codePages: [Endpoint<StoreSite>] {
        [
            page("redeem", "redeemPage") { visit in try await visit.codePage() },
            page("redeem/offer", "codeOffer") { visit in
                do {
                    return try await visit.codeOfferPage()
                } catch let refusal as Refusal {
                    return try await visit.codePage(refusal)
                } catch let error as ErrorBody {
                    return try await visit.codePage(Refusal(error))
                }
            },
            action(
                "redeem/offer", "redeem", on: { visit in try await visit.codeOfferPage() }
            ) { visit, form in try await visit.redeem(form) },
        ]
    }
}

/// A code, and where it comes from.
private struct EnteredCode {
    let code: String
    /// As the store takes it: `url` for a link, `settings` for what was typed.
    let place: String

    /// - Throws: an `ErrorBody` for what no code reads like (HIG-44).
    init(_ visit: Visit) throws(ErrorBody) {
        let text = visit.typed("code").filter { !$0.isWhitespace }
        let isPlain = text.unicodeScalars.allSatisfy { scalar in
            switch scalar {
            case "0"..."9", "A"..."Z", "a"..."z": true
            default: false
            }
        }
        guard isPlain, (3...64).contains(text.utf8.count) else {
            throw ErrorBody(
                .badRequest, "badCode", "A code has ASCII letters and digits.", field: "code")
        }
        code = text
        place = visit.typed("via") == "url" ? "url" : "settings"
    }

    func write(to json: inout JSONWriter) {
        json.field("code", code)
        json.field("via", place)
    }
}

extension Visit {
    private static let redemptions = StorePath("storefront", "v1", "redemptions")

    /// The first screen: the picture, and the field with the rule beside it.
    fileprivate func codePage(_ refusal: Refusal? = nil) async throws -> Page {
        let code = typed("code")
        let isLink = asked("via") == "url" || (asked("via") == nil && !code.isEmpty)
        return Page(
            words.redeemCode, status: refusal?.status ?? .ok,
            [
                ware(try await Shelf(self), []),
                PageForm(
                    .ask, action: AccountPath.below("redeem", "offer"), button: words.next,
                    about: words.whoseCodes,
                    hidden: isLink ? [.init("via", "url")] : [.init("via", "settings")],
                    fields: [
                        Field(
                            "code", words.enterCode, in: "redeem", value: code,
                            hint: words.codeHint, problem: refusal.map { sentence(of: $0) },
                            isRequired: true)
                    ]),
                LinkList([PageLink(words.termsTitle, AccountPath.terms)]),
            ])
    }

    /// The second screen: picture, offer, its terms in a line, and the button.
    fileprivate func codeOfferPage() async throws -> Page {
        let entered = try EnteredCode(self)
        let offer = try await desk.get(StorePath("storefront", "v1", "codes", entered.code))
        let productID = try offer.text("productId")
        let shelf = try await Shelf(self)
        let change = try await foretell(
            Self.redemptions, choosing: productID, entered.write)
        let currency = try offer.text("currency")
        var facts: [(label: String, value: Cell?)] = [
            (words.accountName, Cell(customer.account))
        ]
        if let change {
            let isAsking = change.outcome == .asking
            facts.append(
                (
                    words.chargedToday,
                    isAsking ? nil : Cell(locale.amount(change.charged, currency))
                ))
            facts.append((words.approval, isAsking ? Cell(words.needsApproval) : nil))
        }
        var blocks: [any PageBlock] = [
            ware(shelf, [shelf.description(productID)]),
            Notice(.good, try await line(of: offer, productID, currency)),
        ]
        if let change, change.waits || change.outcome == .nothing {
            blocks.append(Notice(.plain, words.beginsLater))
        }
        blocks += [
            Facts(facts),
            PageForm(
                .change, action: AccountPath.below("redeem", "offer"),
                button: words.redeemOffer,
                hidden: [
                    FormID.hidden(), .init("code", entered.code), .init("via", entered.place),
                    .init("charged", Foretelling.said(change)),
                ], way: PageLink(words.notNow, AccountPath.redeem)),
            termsLinks,
        ]
        return Page(
            shelf.name(productID), trail: [PageLink(words.redeemCode, AccountPath.redeem)], blocks)
    }

    /// Such as `1 month free, then $4.99 per month`.
    private func line(
        of offer: Answer, _ productID: String, _ currency: String
    ) async throws -> String {
        let products = try await desk.get(
            StorePath("storefront", "v1", "products").with("id", productID))
        guard let product = try products.list("products").first else {
            throw ErrorBody(.conflict, "notForSale", "This is not for sale here.")
        }
        guard let terms = try OfferTerms(offer) else {
            let usual = locale.amount(try product.integer("price"), currency)
            let price = try offer.integer("price")
            return price == 0
                ? words.codeFreeOnce(usual)
                : words.codeOnce(locale.amount(price, currency), usual: usual)
        }
        let groupID = try product.object("subscription").text("groupId")
        let billing = offer.optionalText("billingPlanType")
        let plans = try PlanOption.all(of: groupID, in: products).filter {
            $0.productID == productID
        }
        guard let plan = plans.first(where: { $0.billing?.rawValue == billing }) ?? plans.first
        else { throw ErrorBody(.conflict, "notForSale", "This is not for sale here.") }
        let after = words.price(locale.amount(plan.price, plan.currency), every: plan.period)
        return terms.sentence(self, currency, then: after)
    }

    fileprivate func redeem(_ form: FormInput) async throws -> String {
        var again = self
        again.refused = form
        let entered = try EnteredCode(again)
        let productID = try await desk.get(
            StorePath("storefront", "v1", "codes", entered.code)
        ).text("productId")
        let change = try await foretell(
            Self.redemptions, choosing: productID, entered.write)
        try require(change, as: form)
        let answer = try await desk.send(.post, Self.redemptions, entered.write)
        return try path(toResult: answer, of: productID)
    }
}
