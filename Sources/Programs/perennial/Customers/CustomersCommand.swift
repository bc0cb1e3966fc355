import AppStoreWire
import ArgumentParser
import ConnectAnswers
import HTTPSurface
import NIOHTTP1
import StoreHTTP
import SubscriptionRules
import Timeline

/// What concerns accounts.
struct CustomerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "customer",
        abstract: "List accounts, set how they buy, and show their devices and receipts.",
        discussion: """
              perennial customer list
              perennial customer list --sandbox --limit 500
              perennial customer move anna SWE
              perennial customer set mia --asks-to-buy on
            """,
        subcommands: [
            CustomersListCommand.self, CustomersMoveCommand.self, CustomersSetCommand.self,
            CustomersClearCommand.self, SpeedCommand.self, DevicesCommand.self,
            ReceiptCommand.self,
        ],
        defaultSubcommand: CustomersListCommand.self)

    /// What becomes of payments by a payment method, in a few words.
    static func payments(_ method: PaymentSheet) -> String {
        switch method.behaviour {
        case .approve: return "approved"
        case .decline: return declining(method)
        case .later:
            guard let after = method.after else { return "pending" }
            return "\(method.isPaid == false ? "declined" : "approved") after \(after)"
        }
    }

    private static func declining(_ method: PaymentSheet) -> String {
        if let count = method.count {
            return count == 1 ? "declined once" : "declined \(count) times"
        }
        return method.until.map { "declined until \($0.plainText)" } ?? "declined"
    }
}

extension Answer {
    /// What it tells of an account.
    var customer: CustomerSheet {
        get throws { try read(CustomerForm.customer, into: CustomerSheet()) }
    }

    /// What it tells of a payment method.
    var payment: PaymentSheet {
        get throws { try read(PaymentForm.payment, into: PaymentSheet()) }
    }
}

/// Moves an account.
struct CustomersMoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Move an account to another storefront.",
        discussion: """
            Running subscriptions stay in the storefront where they were bought.

              perennial customer move anna SWE
              perennial customer move tester JPN --sandbox
            """)

    @Argument(help: "Who moves.", transform: Reading.account)
    var account: String

    @Argument(help: "The storefront, such as USA.", transform: Reading.storefront)
    var storefront: String

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let answer = try await store.client().send(
            .PATCH, StorePath("connect", "v1", "customers", account)
        ) { $0.write(CustomerForm.storefront.setting.change(ofText: storefront)) }
        try store.show(answer) { _ in
            [
                "\(account): at home in \(try answer.customer.storefront.code); running "
                    + "subscriptions stay where they were bought"
            ]
        }
    }
}

/// Lists the accounts.
struct CustomersListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the accounts of an environment.",
        discussion: """
            --bundle-id lists those that bought something in the app.

              perennial customer list
              perennial customer list --sandbox --limit 500
            """)

    @Option(
        help: ArgumentHelp("How many at most. (default: 50)", valueName: "n"),
        transform: Reading.count)
    var limit = 50

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let answer = try await store.client(of: which).pages(
            StorePath("connect", "v1", "customers").with("bundleId", which.bundleID),
            list: "customers", limit: limit
        ) { path, last in
            path.with("after", try last?.text(CustomerForm.id.name))
        }
        try store.show(answer, of: which) { style in try Self.words(answer, style) }
    }

    static func words(_ answer: Answer, _ style: Style) throws -> [String] {
        let customers = try answer.list("customers").map { try $0.customer }
        guard !customers.isEmpty else {
            return ["no customers yet; `perennial buy PRODUCT --account ACCOUNT` makes one"]
        }
        var table = Columns(
            [
                ("account", .left), ("storefront", .left), ("locale", .left), ("since", .left),
                ("payments", .left),
            ], first: ["account", "payments"])
        for customer in customers {
            table.add([
                customer.account, customer.storefront.code, customer.locale,
                customer.created.plainText, CustomerCommand.payments(customer.payment),
            ])
        }
        return table.lines(style) + (try answer.bool("hasMore") ? ["and more: --limit"] : [])
    }
}
