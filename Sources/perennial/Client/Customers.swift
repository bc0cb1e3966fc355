import AppStoreWire
import NIOHTTP1

extension StoreClient {
    /// Signs in as a customer, who is made if new.
    ///
    /// - Parameters:
    ///   - app: on whose device; nil for the app that is meant.
    ///   - storefront: where a new customer is at home; a known one would be moved there.
    /// - Returns: the token of the customer's device.
    func signIn(
        _ account: String, in app: String? = nil, storefront: String? = nil
    ) async throws -> String {
        var bundleID = app
        if bundleID == nil { bundleID = try await self.app() }
        let body = Self.members { json in
            json.field("bundleId", bundleID)
            json.field("account", account)
            json.field("storefront", storefront)
            json.field("device", "perennial")
        }
        let answer = try await ask(
            .POST, StorePath("storefront", "v1", "sign-in"), body, token: nil)
        return try answer.text("token")
    }

    /// Changes a customer, who is made if new.
    func madeIfNew(
        _ account: String, _ change: () async throws -> Answer
    ) async throws -> Answer {
        if let answer = try await unless(refused: "unknownAccount", change) { return answer }
        _ = try await signIn(account)
        return try await change()
    }

    /// The app that is meant: the one that was named, that of the ready file, or the only one.
    func app() async throws -> String {
        if let app = bundleID ?? address.bundleID { return app }
        return try await onlyApp()
    }

    private func onlyApp() async throws -> String {
        let apps = try await get(StorePath("connect", "v1", "apps")).list("apps")
        guard let app = apps.first, apps.count == 1 else {
            let names = try apps.map { try $0.text("bundleId") }.joined(separator: ", ")
            throw Failure.usage(
                apps.isEmpty
                    ? "The store has no app; start it with `perennial serve FILE.storekit`."
                    : "The store has several apps (\(names)); choose one with --bundle-id.")
        }
        return try app.text("bundleId")
    }

    /// Refuses a product that an app does not have, before anybody signs in for it.
    func checkSold(_ product: String) async throws {
        let app = try await app()
        _ = try await get(
            StorePath("connect", "v1", "apps", app, "prices").with("product", product))
    }

    /// Refuses a storefront in which a customer who is known is not at home.
    func checkHome(of account: String, _ storefront: String?) async throws {
        guard let storefront,
            let home = try await unless(
                refused: "unknownAccount", { try await customer(account).text("storefront") })
        else { return }
        guard home == storefront else {
            throw Failure.refused(
                "\(account) is at home in \(home): buy without --storefront, or let `perennial "
                    + "customers move \(word: account) \(word: storefront)` come first.")
        }
    }

    /// A customer with all subscriptions and other purchases: those of the app, where one was
    /// named.
    func customer(_ account: String) async throws -> Answer {
        let answer = try await get(StorePath("connect", "v1", "customers", account))
        guard let bundleID, var members = answer.value.object else { return answer }
        _ = try await get(StorePath("connect", "v1", "apps", bundleID))
        for list in ["subscriptions", "purchases"] {
            members[list] = .array(
                try answer.list(list).map(\.value).filter {
                    $0["bundleId"]?.string == bundleID
                })
        }
        return Answer(value: .object(members), source: answer.source)
    }

    func subscription(_ id: String) async throws -> Answer {
        try await get(StorePath("connect", "v1", "subscriptions", id))
    }

    /// Whether a target is an account. Its name may have as many digits as identifiers have: it
    /// is meant where no subscription has that number.
    func isAccount(_ target: String) async throws -> Bool {
        guard Self.looksLikeID(target) else { return true }
        let one = try await unless(refused: "unknownSubscription") {
            try await subscription(target)
        }
        guard one == nil else { return false }
        let path = StorePath("connect", "v1", "customers", target)
        return try await unless(refused: "unknownAccount") { try await get(path) } != nil
    }

    /// The subscriptions that an identifier or an account means.
    func subscriptions(of target: String) async throws -> [String] {
        guard try await isAccount(target) else {
            try await checkApp(of: target)
            return [target]
        }
        return try await customer(target).list("subscriptions").map {
            try $0.text("originalTransactionId")
        }
    }

    /// Refuses a subscription or a transaction of another app than the one that was named.
    func checkApp(of id: String) async throws {
        guard let bundleID else { return }
        var kind = "subscription"
        var own = try await unless(refused: "unknownSubscription") {
            try await subscription(id).text("bundleId")
        }
        if own == nil {
            kind = "transaction"
            // A bill bears the identifier of its transaction.
            own = try await unless(refused: "unknownBill") { try await bill(id).text("bundleId") }
        }
        guard let own, own != bundleID else { return }
        throw Failure.refused(
            "\(id) is a \(kind) of \(own), not of \(bundleID): name that app with "
                + "--bundle-id, or none.")
    }

    /// The one subscription that an identifier or an account means.
    func onlySubscription(of target: String) async throws -> String {
        let ids = try await subscriptions(of: target)
        let place = bundleID.map { " in \($0)" } ?? ""
        guard let id = ids.first, ids.count == 1 else {
            throw Failure.refused(
                ids.isEmpty
                    ? "\(target) has no subscription\(place); `perennial status \(word: target)` "
                        + "lists other purchases, `perennial buy PRODUCT --account "
                        + "\(word: target)` makes one."
                    : "\(target) has \(ids.count) subscriptions\(place) "
                        + "(\(ids.joined(separator: ", "))); name one by its identifier.")
        }
        return id
    }

    /// A product as the catalogue of an app has it.
    func product(_ id: String, of app: String) async throws -> Answer {
        let catalogue = try await get(StorePath("connect", "v1", "apps", app, "catalogue"))
        guard let found = try catalogue.list("products").first(where: { try $0.text("id") == id })
        else {
            throw Failure.refused(
                "\(app) has no product \(id); `perennial prices` lists the products that there are."
            )
        }
        return found
    }

    /// The subscription that an identifier or an account means: of several, that of a product's
    /// group in the app.
    func subscription(
        of target: String, inGroupOf product: String
    ) async throws -> String {
        guard try await subscriptions(of: target).count > 1 else {
            return try await onlySubscription(of: target)
        }
        let app = try await app()
        let known = try await self.product(product, of: app)
        guard let group = known.value["subscription"]?["groupId"]?.string else {
            throw Failure.refused("\(product) is no auto-renewable subscription; choose another.")
        }
        let found = try await customer(target).list("subscriptions").first {
            try $0.text("groupId") == group && $0.text("bundleId") == app
        }
        guard let found else {
            throw Failure.refused(
                "\(target) has no subscription in the group of \(product); "
                    + "`perennial buy \(word: product) --account \(word: target)` makes one.")
        }
        return try found.text("originalTransactionId")
    }

    /// Transaction identifiers have 15 digits in Production and 16 in Sandbox.
    static func looksLikeID(_ target: String) -> Bool {
        (15...19).contains(target.utf8.count)
            && target.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// Changes a subscription as its customer does on the device.
    func change(
        _ id: String, _ body: (inout JSONWriter) -> Void
    ) async throws -> Answer {
        let own = try await subscription(id)
        let account = try own.text("account")
        let token = try await signIn(account, in: own.text("bundleId"))
        let named = naming([
            .account: account, .subscription: id, .bill: own.optionalText("pendingBillId"),
        ])
        return try await named.ask(
            .PATCH, StorePath("storefront", "v1", "subscriptions", id), Self.members(body),
            token: token)
    }
}
