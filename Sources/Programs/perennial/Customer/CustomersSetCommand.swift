import AppStoreWire
import ArgumentParser
import ConnectAnswers
import NIOHTTP1

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

    @Option(help: "Whether somebody else approves each purchase, as for a child.")
    var asksToBuy: Switch?

    @Option(help: "Whether each purchase fails as interrupted until it is settled.")
    var interruptsPurchases: Switch?

    @Option(help: "Whether the account may pay for anything.")
    var canMakePayments: Switch?

    @Option(
        help: ArgumentHelp(
            "Where mails go; none for the account's own name, where that is an address.",
            valueName: "address"))
    var email: String?

    @Option(help: "Whether Sandbox allows purchases and renewals; only there.")
    var allowsPurchasesAndRenewals: Switch?

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func validate() throws {
        guard StoreClient.members(write) != StoreClient.members({ _ in }) else {
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
        try store.show(answer, of: which) { _ in
            let mails = email.map {
                $0 == "none"
                    ? "the address of \(account) is removed" : "mails of \(account) go to \($0)"
            }
            let allows = allowsPurchasesAndRenewals.map {
                "Sandbox \($0 == .on ? "allows" : "refuses") purchases and renewals of \(account)"
            }
            let buys = asksToBuy != nil || interruptsPurchases != nil || canMakePayments != nil
            return [mails, allows, buys ? try Self.words(answer, account) : nil]
                .compactMap(\.self)
        }
    }

    /// The members of `PATCH /connect/v1/customers/{account}` that are set here. `customer move`,
    /// `customer speed` and `family default` set the others.
    func write(to json: inout JSONWriter) {
        json.field("asksToBuy", asksToBuy.map { $0 == .on })
        json.field("interruptsPurchases", interruptsPurchases.map { $0 == .on })
        json.field("canMakePayments", canMakePayments.map { $0 == .on })
        json.field("email", email.map { $0 == "none" ? "" : $0 })
        json.field("allowsPurchasesAndRenewals", allowsPurchasesAndRenewals.map { $0 == .on })
    }

    /// What becomes of an account's purchases, in a sentence.
    static func words(_ answer: Answer, _ account: String) throws -> String {
        guard try answer.bool("canMakePayments") else {
            return "\(account) may not pay for anything; renewals go on"
        }
        if try answer.bool("asksToBuy") {
            return "\(account) asks before each purchase: `perennial requests` lists what waits"
        }
        if try answer.bool("interruptsPurchases") {
            return "\(account)'s purchases are interrupted: `perennial requests` lists what waits "
                + "to be settled"
        }
        return "\(account) buys without asking anybody"
    }
}
