import AppStoreSigning
import AppStoreWire
import ArgumentParser
import ConnectAnswers
import FoundationEssentials
import NIOHTTP1
import SubscriptionRules
import TimeAndChance
import Timeline

/// Buys as a customer's device does.
struct BuyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "buy",
        abstract: "Buy a product as a customer, and create the customer if new.",
        discussion: """
            If the customer already has a subscription in the group, this is a change of plan. A \
            new customer signs in first, and so exists even if the purchase is refused. \
            --storefront does not move an existing customer: use `perennial customer move`.

              perennial buy com.example.garden.estate.monthly --account anna
              perennial buy com.example.garden.seeds.100 --account kenji \\
                  --storefront JPN --quantity 3
              perennial buy com.example.garden.estate.monthly --account tester --sandbox
              perennial buy com.example.garden.estate.monthly --account anna --offer spring
              perennial buy com.example.garden.estate.monthly --account anna --win-back back
              perennial buy com.example.garden.estate.yearly --account anna --billing-plan monthly
            """)

    @Argument(help: "The product's identifier.")
    var product: String

    @Option(help: ArgumentHelp("The buyer.", valueName: "account"), transform: Reading.account)
    var account: String

    @Option(
        help: ArgumentHelp(
            "Where a new customer is at home, such as USA. (default: the app's own storefront)",
            valueName: "code"),
        transform: Reading.storefront)
    var storefront: String?

    @Option(
        help: ArgumentHelp(
            "How many: up to 10 of a consumable, else 1.",
            valueName: "n"), transform: Reading.count)
    var quantity: Int?

    @Option(
        help: ArgumentHelp(
            "A promotional offer, signed with the ready file's key as a server would.",
            valueName: "id"))
    var offer: String?

    @Option(help: ArgumentHelp("A win-back offer.", valueName: "id"))
    var winBack: String?

    @OptionGroup var billing: BillingOption

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func validate() throws {
        guard offer == nil || winBack == nil else {
            throw ValidationError("--offer and --win-back each name an offer: give one of them.")
        }
    }

    func run() async throws {
        let client = try store.client(of: which).naming([
            .account: account, .product: product,
        ])
        let app = try await client.app(selling: product)
        try await client.checkSold(product, in: app)
        try await client.checkHome(of: account, storefront)
        let before = try await client.waiting(for: product, of: account, in: app)
        let token = try await client.signIn(account, in: app, storefront: storefront)
        let signature = try offer.map { try sign($0, in: app) }
        let answer = try await client.ask(
            .POST, StorePath("storefront", "v1", "purchases"),
            StoreClient.members { json in
                json.field("productId", product)
                json.field("quantity", quantity)
                json.field("billingPlanType", billing.billingPlan?.type)
                if let winBack {
                    json.object("offer") { json in
                        json.field("type", "winBack")
                        json.field("id", winBack)
                    }
                }
                if let offer, let signature {
                    json.object("offer") { signature.write(offer: offer, to: &$0) }
                }
            }, token: token)
        let unlocked = try await client.tellMerchant(of: answer, by: account, in: app)
        // What waits for the renewal has no transaction: its subscription tells of it.
        var waiting: Answer?
        var bill: Answer?
        if let id = answer.optionalText("billId") { bill = try await client.bill(id) }
        let request = try await client.request(of: answer)
        if bill == nil, request == nil, answer.value["signedTransactionInfo"] == nil {
            waiting = try await client.waiting(for: product, of: account, in: app)
        }
        let isAgain = try before.map { try Plans.isSame($0, waiting) } ?? false
        let told = answer.with([
            "account": .string(account), "productId": .string(product),
            "subscription": waiting?.value, "bill": bill?.value, "request": request?.value,
            "changed": waiting.map { _ in .bool(!isAgain) }, "merchant": unlocked?.value,
        ])
        try store.show(told, of: which) { style in
            if let request { return try PurchaseRequests.words(request) }
            if let waiting, isAgain { return [try Plans.repetition(waiting)] }
            if let offer = offer ?? winBack, waiting == nil, bill == nil,
                answer.value["signedTransactionInfo"] == nil
            {
                return [
                    "\(account) has \(product) already, and the offer \(offer) from the next "
                        + "renewal on; nothing is charged before"
                ]
            }
            return try Self.words(
                answer, account, product, waiting: waiting, pending: bill, style)
                + [try unlocked.flatMap(AccessWords.unlocked)].compactMap(\.self)
        }
    }

    /// Signs a promotional offer as the developer's server does.
    private func sign(_ offer: String, in app: String) throws -> DetachedOfferSignature {
        guard store.url == nil else {
            throw Failure.usage(
                "--offer signs with the private key that the ready file names: leave --url out.")
        }
        let ready = try ReadyFile.read(StoreAddress.readyFile(store.ready))
        let key = try APIKey.of(ready)
        return try key.sign(
            offer: offer, of: product, bundleID: app, appAccountToken: nil,
            nonce: FreshUUID.text(),
            timestamp: SystemTime.now().milliseconds)
    }

    /// What was bought, in words.
    ///
    /// - Parameters:
    ///   - waiting: the subscription that the product waits for.
    ///   - bill: the bill that the bank has not answered.
    static func words(
        _ answer: Answer, _ account: String, _ product: String, waiting: Answer? = nil,
        pending bill: Answer? = nil, _ style: Style
    ) throws -> [String] {
        if let bill {
            return ["\(account) asked for \(product), and has it once it is paid"]
                + (try Bills.pending(bill))
        }
        guard answer.value["signedTransactionInfo"] != nil else {
            return ["\(account) chose \(product) from the next renewal on."]
                + (try waiting.map { [try Plans.words($0)] } ?? [])
        }
        guard let payload = answer.payload("signedTransactionInfo") else {
            throw Failure.refused("The answer to \(answer.source) holds no signed transaction.")
        }
        let transaction = Answer(value: payload, source: answer.source)
        let id = try transaction.text("transactionId")
        if answer.value["deliveredAgain"]?.bool == true {
            let since = transaction.optionalInteger("purchaseDate")
                .map { " since \(Instant(milliseconds: $0).plainText)" }
            return [
                "\(account) owns \(product) already\(since ?? ""): nothing was charged",
                style.paint("transaction \(id)", .faint),
            ]
        }
        var line = "\(account) bought \(product)"
        if let price = transaction.optionalInteger("price"),
            let currency = transaction.optionalText("currency")
        {
            line += price == 0 ? " free of charge" : " for \(Money.plainText(price, currency))"
        }
        if let expires = transaction.optionalInteger("expiresDate") {
            line += ", until \(Instant(milliseconds: expires).plainText)"
            if transaction.optionalText("type") == "Auto-Renewable Subscription" {
                line += ", renews"
            }
        }
        if let commitment = try Commitments.words(ofTransaction: transaction) {
            line += "; \(commitment)"
        }
        let original = transaction.optionalText("originalTransactionId")
        let subscription = original.flatMap { $0 == id ? nil : ", subscription \($0)" } ?? ""
        let place = transaction.optionalText("storefront").map { "storefront \($0), " } ?? ""
        return [line, style.paint("\(place)transaction \(id)\(subscription)", .faint)]
    }
}

extension DetachedOfferSignature {
    fileprivate func write(offer: String, to json: inout JSONWriter) {
        json.field("type", "promotional")
        json.field("id", offer)
        json.field("keyId", keyID)
        json.field("nonce", nonce)
        json.field("timestamp", timestamp)
        json.field("signature", signature)
    }
}

extension StoreClient {
    /// The subscription of an account that a product waits in for the renewal; nil where there is
    /// none.
    fileprivate func waiting(
        for product: String, of account: String, in app: String
    ) async throws -> Answer? {
        try await unless(refused: "unknownAccount") {
            try await customer(account)
        }?.list("subscriptions").first {
            try $0.optionalText("nextProductId") == product && $0.text("bundleId") == app
        }
    }
}
