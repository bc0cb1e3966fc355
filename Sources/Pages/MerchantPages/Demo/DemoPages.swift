import AppStoreWire
import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import Hummingbird
import MerchantHTTP
import SubscriptionRules

extension Demo {
    /// The three columns. For programs nothing is at `/`.
    var overview: Endpoint<MerchantSite> {
        endpoint(.get, "/", "root") { call in
            let accepted = call.request.headers[.accept] ?? ""
            guard accepted.contains("text/html") else {
                var response = Response.object(status: .notFound) { json in
                    json.field("error", "unknownPath")
                    json.field("message", "Nothing is here for programs: see /openapi.json.")
                }
                response.headers[.vary] = "Accept"
                return response
            }
            guard let visit = DemoVisit(call, demo: self) else {
                return door(call, code: call.query.values("code").first, problem: nil)
            }
            return try await DemoView(self, visit).response
        }
    }

    /// Begins a session; whoever looks at the link uses nothing up.
    var open: Endpoint<MerchantSite> {
        endpoint(.post, "/demo/open", "open") { call in
            try SameOrigin.require(call)
            let form = try await FormInput(call)
            let now = call.server.machineTime()
            guard let code = form.text("code"), access.spend(code, now: now) else {
                return door(call, code: nil, problem: DemoWords.usedLink)
            }
            let known = try await host.customers(1)
            guard let bundleID = call.bundleIDs.first else { throw ErrorBody.unknownPage }
            let account = known.first ?? "ada"
            try await sendPurchases(of: account, in: bundleID, call)
            return .seeOther("/", cookies: cookies(for: account, in: bundleID, call))
        }
    }

    /// Another customer is looked at. The app has started for this one, so it sends what it has.
    var choose: Endpoint<MerchantSite> {
        endpoint(.post, "/demo/customer", "choose") { call in
            guard let visit = DemoVisit(call, demo: self) else { return .seeOther("/") }
            try SameOrigin.require(call)
            guard let account = try await FormInput(call).text("account") else {
                throw ErrorBody.unusableAccount
            }
            let bundleID = visit.session.bundleID
            try await sendPurchases(of: account, in: bundleID, call)
            return .seeOther(
                "/",
                cookies: cookies(for: account, in: bundleID, call))
        }
    }

    /// Moves the clock day by day, so that campaigns do everything on its day.
    var move: Endpoint<MerchantSite> {
        action("clock", "move") { visit, form in
            let now = try await host.now()
            guard ["P1D", "P1M"].contains(form["step"]),
                let end = CalendarStep(iso8601: form["step"])?.applied(to: now)
            else { throw ErrorBody.unknownPage }
            // The app runs before time goes on, and sends what was bought meanwhile.
            let session = visit.session
            try await sendPurchases(of: session.account, in: session.bundleID, visit.call)
            let merchant = MerchantDesk(call: visit.call, caller: .theOperator)
            var moment = now
            while moment < end {
                moment = min(end, moment + .days(1))
                try await host.advance(to: moment)
                _ = try await merchant.send(.post, StorePath("v1", "operator", "settle"))
            }
        }
    }

    var send: Endpoint<MerchantSite> {
        action("purchases", "send") { visit, _ in
            let session = visit.session
            try await sendPurchases(of: session.account, in: session.bundleID, visit.call)
        }
    }

    var asset: Endpoint<MerchantSite> {
        endpoint(.get, "/demo/assets/{version}/{name}", "asset") { call in
            guard call.parameter("version") == PageAssets.version,
                let response = call.parameter("name").flatMap(PageAssets.response)
            else { throw ErrorBody.unknownPage }
            return response
        }
    }

    /// Posts what is on the customer's device to the merchant, as the app does.
    private func sendPurchases(
        of account: String, in bundleID: String, _ call: Call<MerchantSite>
    ) async throws {
        let app = MerchantDesk(call: call, caller: .app(bundleID))
        // The merchant refuses names that no account can have, before the store makes a customer.
        _ = try await app.get(StorePath("v1", "apps", bundleID, "accounts", account))
        for transaction in try await host.signedTransactions(of: account, in: bundleID) {
            do {
                _ = try await app.send(
                    .post, StorePath("v1", "apps", bundleID, "transactions")
                ) { json in
                    json.field("account", account)
                    json.field("signedTransaction", transaction)
                }
            } catch let refusal as MerchantRefusal where refusal.status == .conflict {
                // It is another account's, and the app's policy leaves it there.
            }
        }
    }

    /// Sessions of everything that the page shows and leads to.
    private func cookies(
        for account: String, in bundleID: String, _ call: Call<MerchantSite>
    ) -> [String] {
        let now = call.server.machineTime()
        let console = MerchantAccess.operators(token: call.site.server.operatorToken)
        return [
            access.cookie(for: account, in: bundleID, now: now),
            shop.access.signIn(account, in: bundleID, now: now), console.begin(now: now),
        ] + host.cookies(for: account, in: bundleID, machineTime: now)
    }

    /// The page before a session.
    private func door(
        _ call: Call<MerchantSite>, code: String?, problem: String?
    ) -> Response {
        var blocks: [any PageBlock] = []
        if let problem { blocks.append(Notice(.bad, problem, id: "problem")) }
        if let code, code.utf8.count <= 200 {
            blocks.append(Prose(DemoWords.openLead))
            blocks.append(
                PageForm(
                    .change, action: "/demo/open", button: DemoWords.open,
                    hidden: [.init("code", code)]))
        } else {
            blocks.append(Prose(DemoWords.needsLink))
        }
        return Page(
            DemoWords.demo, status: problem == nil ? .ok : .unprocessableContent, blocks
        ).response(
            in: .demo(PageLocale(accepting: call.request.headers[.acceptLanguage])))
    }
}

extension ErrorBody {
    fileprivate static let unusableAccount = ErrorBody(
        .badRequest, "reservedAccount", DemoWords.unusable)
}
