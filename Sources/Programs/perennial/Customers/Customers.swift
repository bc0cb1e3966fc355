import AppStoreWire
import ConnectAnswers
import NIOHTTP1
import StoreHTTP
import SubscriptionRules
import Timeline

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
        let apps = try await apps().map(\.bundleID)
        guard let app = apps.first, apps.count == 1 else {
            throw Failure.usage(
                apps.isEmpty
                    ? "The store has no app; start it with `perennial serve FILE.storekit`."
                    : "The store has several apps (\(apps.joined(separator: ", "))); choose one "
                        + "with --bundle-id.")
        }
        return app
    }

    /// The store's apps, in the order of adding.
    func apps() async throws -> [AppSheet] {
        try await get(StorePath("connect", "v1", "apps")).list("apps").map {
            try $0.read(AppForm.app, into: AppSheet())
        }
    }

    /// Whether what is listed or shown may be of several apps, so that each says whose it is.
    func mixesApps() async throws -> Bool {
        guard bundleID == nil else { return false }
        return try await apps().count > 1
    }

    /// The app in which a product is meant: the one that was named; else the one that is usual,
    /// where it has the product; else the only one that has it.
    ///
    /// - Parameter product: nil where none was named.
    func app(selling product: String?) async throws -> String {
        if let bundleID { return bundleID }
        guard let product else { return try await app() }
        let usual = address.bundleID
        if let usual, try await sells(product, in: usual) { return usual }
        let apps = try await apps().map(\.bundleID)
        guard apps.count > 1 else { return try await app() }
        var selling: [String] = []
        for app in apps where app != usual {
            if try await sells(product, in: app) { selling.append(app) }
        }
        guard selling.count < 2 else {
            throw Failure.usage(
                "\(product) is a product of several apps (\(selling.joined(separator: ", "))); "
                    + "choose one with --bundle-id.")
        }
        // Where nobody has it that is refused by whoever is asked.
        return selling.first ?? usual ?? apps[0]
    }

    private func sells(_ product: String, in app: String) async throws -> Bool {
        try await unless(refused: "unknownProduct") {
            try await checkSold(product, in: app)
        } != nil
    }

    /// Refuses a product that an app does not have, before anybody signs in for it.
    func checkSold(_ product: String, in app: String) async throws {
        _ = try await get(
            StorePath("connect", "v1", "apps", app, "prices").with("product", product))
    }

    /// Refuses a storefront in which a customer who is known is not at home.
    func checkHome(of account: String, _ storefront: String?) async throws {
        guard let storefront,
            let home = try await unless(
                refused: "unknownAccount", { try await customer(account).customer.storefront.code })
        else { return }
        guard home == storefront else {
            throw Failure.refused(
                "\(account) is at home in \(home): buy without --storefront, or let `perennial "
                    + "customer move \(word: account) \(word: storefront)` come first.")
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

    /// The subscriptions that an identifier or an account means.
    func subscriptions(of target: Target) async throws -> [String] {
        switch target {
        case .subscription(let id):
            try await checkApp(of: id)
            return [id]
        case .account(let account):
            return try await customer(account).list("subscriptions").map {
                try $0.text("originalTransactionId")
            }
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
    func onlySubscription(of name: String) async throws -> String {
        try await onlySubscription(of: target(name))
    }

    /// The one subscription that is meant.
    func onlySubscription(of target: Target) async throws -> String {
        switch target {
        case .subscription(let id):
            try await checkApp(of: id)
            return id
        case .account(let account):
            let customer = try await customer(account)
            let all = try customer.list("subscriptions")
            if all.isEmpty, let remedy = Shared.remedy(try customer.customer) {
                throw Failure.refused(remedy)
            }
            return try only(all, of: account)
        }
    }

    /// The only one of an account's subscriptions.
    ///
    /// - Throws: `Failure` where there is none, and where there are several: then with a command
    ///   for each.
    private func only(_ all: [Answer], of account: String) throws -> String {
        let place = bundleID.map { " in \($0)" } ?? ""
        guard let one = all.first else {
            throw Failure.refused(
                "\(account) has no subscription\(place); `perennial status \(word: account)` "
                    + "lists other purchases, `perennial buy PRODUCT --account "
                    + "\(word: account)` makes one.")
        }
        guard all.count == 1 else {
            throw try Failure.ambiguous(
                account, all,
                "\(account) has \(counted(all.count, "subscription"))\(place): name one by its "
                    + "number.")
        }
        return try one.text("originalTransactionId")
    }

    /// A product as the catalogue of an app has it.
    func product(_ id: String, of app: String) async throws -> Answer {
        let catalogue = try await get(StorePath("connect", "v1", "apps", app, "catalogue"))
        guard let found = try catalogue.list("products").first(where: { try $0.text("id") == id })
        else {
            throw Failure.refused(
                "\(app) has no product \(id); `perennial price list` lists the products that "
                    + "there are."
            )
        }
        return found
    }

    /// The subscription that an identifier or an account means: of several, that of the product's
    /// group in an app that sells it.
    func subscription(
        of name: String, inGroupOf product: String
    ) async throws -> String {
        let target = try await target(name)
        guard case .account(let account) = target else {
            return try await onlySubscription(of: target)
        }
        let all = try await customer(account).list("subscriptions")
        guard all.count > 1 else { return try only(all, of: account) }
        var found: [Answer] = []
        for app in Set(try all.map { try $0.text("bundleId") }).sorted() {
            guard try await sells(product, in: app) else { continue }
            let known = try await self.product(product, of: app)
            guard let group = known.value["subscription"]?["groupId"]?.string else {
                throw Failure.refused(
                    "\(product) is no auto-renewable subscription; choose another.")
            }
            found += try all.filter {
                try $0.text("groupId") == group && $0.text("bundleId") == app
            }
        }
        // Where no app is named the usual one is meant.
        let usual = try found.filter { try $0.text("bundleId") == address.bundleID }
        if !usual.isEmpty { found = usual }
        guard let one = found.first else {
            // What no app sells is refused as such.
            try await checkSold(product, in: app(selling: product))
            throw Failure.refused(
                "\(account) has no subscription in the group of \(product); "
                    + "`perennial buy \(word: product) --account \(word: account)` makes one.")
        }
        guard found.count == 1 else {
            throw try Failure.ambiguous(
                account, found,
                "\(account) has \(counted(found.count, "subscription")) in groups of \(product): "
                    + "name one by its number.")
        }
        return try one.text("originalTransactionId")
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
