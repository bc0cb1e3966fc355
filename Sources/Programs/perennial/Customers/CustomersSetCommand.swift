import AppStoreWire
import ArgumentParser
import ConnectAnswers
import HTTPSurface
import NIOHTTP1
import StoreHTTP

/// Sets what becomes of an account's purchases.
struct CustomersSetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Set an account's mail address, and how it buys.",
        discussion: """
            Creates the customer if new. Options that you leave out stay as they are. Renewals \
            continue in any case. \
            `perennial requests` lists the purchases that wait then.

              perennial customer set mia --asks-to-buy on
              perennial customer set tester --interrupts-purchases on --sandbox
              perennial customer set kim --email kim@example.com
              perennial customer set mia --can-make-payments off
            """)

    @Argument(help: "The account.", transform: Reading.account)
    var account: String

    @Option(CustomerForm.asksToBuy) var asksToBuy: MemberChange?
    @Option(CustomerForm.interruptsPurchases) var interruptsPurchases: MemberChange?
    @Option(CustomerForm.canMakePayments) var canMakePayments: MemberChange?
    @Option(CustomerForm.email) var email: MemberChange?
    @Option(CustomerForm.allowsPurchases) var allowsPurchases: MemberChange?

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func validate() throws {
        guard !changes.isEmpty else {
            throw ValidationError("Say what to set, such as --asks-to-buy on.")
        }
    }

    func run() async throws {
        let client = try store.client(of: which)
        // A child asks before the first purchase too.
        let answer = try await client.madeIfNew(account) {
            try await client.send(
                .PATCH, StorePath("connect", "v1", "customers", account), write)
        }
        let customer = try answer.customer
        try store.show(answer, of: which) { _ in
            let mails = email.flatMap { CustomerForm.email.value(of: $0) }.map { address in
                address.map { "mails of \(account) go to \($0)" }
                    ?? "the address of \(account) is removed"
            }
            let allows = allowsPurchases.flatMap { CustomerForm.allowsPurchases.value(of: $0) }
                .map {
                    "Sandbox \($0 ? "allows" : "refuses") purchases and renewals of \(account)"
                }
            let buys = asksToBuy != nil || interruptsPurchases != nil || canMakePayments != nil
            return [mails, allows, buys ? Self.words(customer) : nil]
                .compactMap(\.self)
        }
    }

    /// The members of `PATCH /connect/v1/customers/{account}` that are set here. `customer move`,
    /// `customer speed` and `family default` set the others.
    func write(to json: inout JSONWriter) {
        for change in changes { json.write(change) }
    }

    private var changes: [MemberChange] {
        [asksToBuy, interruptsPurchases, canMakePayments, email, allowsPurchases]
            .compactMap(\.self)
    }

    /// What becomes of an account's purchases, in a sentence.
    private static func words(_ customer: CustomerSheet) -> String {
        let account = customer.account
        if !customer.canMakePayments {
            return "\(account) may not pay for anything; renewals go on"
        }
        if customer.asksToBuy {
            return "\(account) asks before each purchase: `perennial requests` lists what waits"
        }
        if customer.interruptsPurchases {
            return "\(account)'s purchases are interrupted: `perennial requests` lists what waits "
                + "to be settled"
        }
        return "\(account) buys without asking anybody"
    }
}
