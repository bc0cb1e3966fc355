import AppStoreSigning
import AppStoreWire
import ArgumentParser
import NIOHTTP1
import SubscriptionRules

/// Buys as a customer's device does.
struct BuyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "buy",
        abstract: "Buy a product as a customer, who is made if new.",
        discussion: """
            In a group where the customer has a subscription already, this is a change of plan. \
            A new customer signs in first, and so comes into being even if the purchase is \
            refused then. Buying moves nobody who is known: `perennial customers move` does.

              perennial buy com.example.garden.estate.monthly --account anna
              perennial buy com.example.garden.seeds.100 --account kenji \\
                  --storefront JPN --quantity 3
              perennial buy com.example.garden.estate.monthly --account tester --sandbox
            """)

    @Argument(help: "The product's identifier.")
    var product: String

    @Option(help: ArgumentHelp("Who buys.", valueName: "account"))
    var account: String

    @Option(
        help: ArgumentHelp(
            "Where a new customer is at home, such as USA. (default: the app's own storefront)",
            valueName: "code"),
        transform: Reading.storefront)
    var storefront: String?

    @Option(help: ArgumentHelp("How many.", valueName: "n"), transform: Reading.count)
    var quantity: Int?

    @Option(help: ArgumentHelp("The app, where the store has several.", valueName: "id"))
    var bundleID: String?

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let client = try store.client()
        try await client.checkSold(product, bundleID: bundleID)
        try await client.checkHome(of: account, storefront)
        let token = try await client.signIn(account, bundleID: bundleID, storefront: storefront)
        let answer = try await client.ask(
            .POST, StorePath("storefront", "v1", "purchases"),
            StoreClient.members { json in
                json.field("productId", product)
                json.field("quantity", quantity)
            }, token: token)
        try store.show(answer) { style in try Self.words(answer, account, product, style) }
    }

    /// What was bought, in words.
    static func words(
        _ answer: Answer, _ account: String, _ product: String, _ style: Style
    ) throws -> [String] {
        guard let signed = answer.optionalText("signedTransactionInfo") else {
            let isPending = try answer.text("result") == "pending"
            return [
                isPending
                    ? "\(account) asked for \(product); somebody has to approve."
                    : "\(account) chose \(product) from the next renewal on."
            ]
        }
        let transaction = try payload(of: signed, answer)
        let id = try transaction.text("transactionId")
        if answer.value["deliveredAgain"]?.bool == true {
            let since = transaction.optionalInteger("purchaseDate")
                .map { " since \(Instant(milliseconds: $0).minuteText)" }
            return [
                "\(account) owns \(product) already\(since ?? ""): nothing was charged",
                style.paint("transaction \(id)", .faint),
            ]
        }
        var line = "\(account) bought \(product)"
        if let price = transaction.optionalInteger("price"),
            let currency = transaction.optionalText("currency")
        {
            line += price == 0 ? " free of charge" : " for \(AmountText.text(price, currency))"
        }
        if let expires = transaction.optionalInteger("expiresDate") {
            line += ", until \(Instant(milliseconds: expires).minuteText)"
        }
        let original = transaction.optionalText("originalTransactionId")
        let subscription = original.flatMap { $0 == id ? nil : ", subscription \($0)" } ?? ""
        let place = transaction.optionalText("storefront").map { "storefront \($0), " } ?? ""
        return [line, style.paint("\(place)transaction \(id)\(subscription)", .faint)]
    }

    /// What a signed transaction says. It comes straight from the store, so nobody verifies it.
    private static func payload(of signed: String, _ answer: Answer) throws -> Answer {
        let parts = signed.utf8.split(separator: UInt8(ascii: "."))
        guard parts.count == 3, let bytes = Base64URL.decode(parts[1]),
            let value = try? JSONValue(parsing: bytes)
        else {
            throw Failure.refused("the answer to \(answer.source) holds no signed transaction.")
        }
        return Answer(value: value, source: answer.source)
    }
}
