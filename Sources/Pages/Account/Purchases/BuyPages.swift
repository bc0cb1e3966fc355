import AppStoreWire
import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import StoreHTTP
import SubscriptionRules

extension Account {
    /// The one confirmation page of every purchase, to which shops lead (HIG-6), and its
    /// results (PAG-7).
    var buyPages: [Endpoint<StoreSite>] {
        [
            page("buy/{product}", "buyPage") { visit in try await visit.buyPage() },
            action("buy/{product}", "buy", on: { visit in try await visit.buyPage() }) {
                visit, form in try await visit.buy(form)
            },
            page("buy/{product}/result", "bought") { visit in try await visit.resultPage() },
        ]
    }
}

extension Visit {
    private static let purchases = StorePath("storefront", "v1", "purchases")

    /// What it is, what it costs now and later, and the button; or why it cannot be bought.
    fileprivate func buyPage() async throws -> Page {
        let order = try PurchaseOrder(self)
        let shelf = try await Shelf(self)
        let products = try await desk.get(
            StorePath("storefront", "v1", "products").with("id", order.productID))
        guard
            let product = try products.list("products").first(where: {
                $0.value["id"]?.string == order.productID
            })
        else { throw ErrorBody(.notFound, "notForSale", "This is not for sale here.") }
        let offered = try Offered(self, product, in: products, order)
        var blocks: [any PageBlock] = [
            ware(shelf, [try product.text("description")]), offered.headline,
        ]
        if products.value["canMakePayments"]?.bool == false {
            // A shop that nobody can pay in says so in place of a button (HIG-5).
            blocks += [
                offered.facts(nil), Notice(.attention, sentence(ofCode: "paymentsNotAllowed")),
            ]
            return Page(offered.title, blocks)
        }
        let change: Foretelling?
        do {
            change = try await foretell(Self.purchases, choosing: order.productID, order.write)
        } catch let refusal as Refusal where refusal.status != .notFound {
            blocks += [
                offered.facts(nil), Notice(.attention, sentence(of: refusal)),
                LinkList([PageLink(words.manage, AccountPath.overview)]),
            ]
            return Page(offered.title, blocks)
        }
        blocks.append(offered.facts(change))
        blocks += try offered.terms(change)
        let open = try await openRequests(for: order.productID, shelf)
        blocks += open
        // What was interrupted is settled, and what waits for an answer is not asked for again.
        guard open.isEmpty else {
            let way = LinkList([PageLink(words.notNow, AccountPath.overview)])
            return Page(offered.title, blocks + [way, termsLinks])
        }
        blocks.append(
            PageForm(
                .change, action: AccountPath.below("buy", order.productID),
                button: offered.button(change),
                hidden: [FormID.hidden(), .init("charged", Foretelling.said(change))]
                    + order.hidden, way: PageLink(words.notNow, AccountPath.overview)))
        blocks.append(termsLinks)
        return Page(offered.title, blocks)
    }

    /// What was interrupted of the same product, with the button that settles it, or waits.
    private func openRequests(
        for productID: String, _ shelf: Shelf
    ) async throws -> [any PageBlock] {
        try await ownRequests().filter { $0.value["productId"]?.string == productID }
            .map { one -> any PageBlock in try section(of: one, shelf) }
    }

    /// What a purchase would do; nil where the store would not take it now for a reason that it
    /// tells whoever tries, and that may pass.
    func foretell(
        _ path: StorePath, choosing productID: String, _ body: (inout JSONWriter) -> Void
    ) async throws -> Foretelling? {
        do {
            return try Foretelling(
                try await desk.send(.post, path, rehearses: true, body), choosing: productID)
        } catch let refusal as Refusal
            where ["paymentDeclined", "purchaseInterrupted"].contains(refusal.code)
        {
            return nil
        }
    }

    /// Refuses what costs another amount than its page said (PAG-3).
    func require(_ change: Foretelling?, as form: FormInput) throws(ErrorBody) {
        guard change == nil || form.text("charged") == Foretelling.said(change) else {
            throw ErrorBody(
                .conflict, "amountChanged", "The amount has changed since the page was opened.")
        }
    }

    fileprivate func buy(_ form: FormInput) async throws -> String {
        var again = self
        again.refused = form
        let order = try PurchaseOrder(again)
        let change = try await foretell(
            Self.purchases, choosing: order.productID, order.write)
        try require(change, as: form)
        let answer = try await desk.send(.post, Self.purchases, order.write)
        return try path(toResult: answer, of: order.productID)
    }

    // MARK: Results

    /// Where it stands what came of a purchase.
    func path(toResult answer: Answer, of productID: String) throws -> String {
        if let bought = answer.payload("signedTransactionInfo")?["transactionId"]?.string {
            return AccountPath.below("purchases", bought)
        }
        // Nothing was bought yet, so nobody is thanked.
        return StorePath("account", "buy", productID, "result")
            .with("request", answer.optionalText("requestId"))
            .with("bill", answer.optionalText("billId")).with(DoneWord.field, "waiting").text
    }

    /// What still waits, and for whom: looked up in the store, whatever the address says.
    fileprivate func resultPage() async throws -> Page {
        let shelf = try await Shelf(self)
        let name = shelf.name(try part("product"))
        let ways = LinkList([PageLink(words.purchases, AccountPath.purchases)])
        if let id = asked("request") {
            let open = try await ownRequests().first { $0.optionalText("id") == id }
            var block: any PageBlock = Notice(.plain, words.requestOver)
            if let open { block = try section(of: open, shelf) }
            return Page(words.yourPurchase, [block, ways])
        }
        let isPending = asked("bill") != nil
        return Page(
            words.yourPurchase, lead: name,
            [
                Notice(
                    isPending ? .attention : .good,
                    isPending ? words.waitsForBank : words.beginsLater), ways,
            ])
    }

    /// What a refusal of this code says.
    func sentence(ofCode code: String) -> String { words.reason(code) ?? words.failed }
}

extension Foretelling {
    /// What a form says of the amount that its page showed.
    static func said(_ change: Foretelling?) -> String {
        change.map { String($0.charged) } ?? "unknown"
    }
}
