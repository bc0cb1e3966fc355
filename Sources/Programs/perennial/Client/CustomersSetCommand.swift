import AppStoreWire
import ArgumentParser
import ConnectAnswers
import NIOHTTP1

/// Sets what becomes of an account's purchases.
struct CustomersSetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Let an account ask before it buys, be interrupted, or not pay at all.",
        discussion: """
            The customer is made if new. What is not given stays; renewals go on in any case. \
            `perennial requests` lists what waits then.

              perennial customers set mia --asks-to-buy on
              perennial customers set tester --interrupts-purchases on --sandbox
              perennial customers set mia --can-make-payments off
            """)

    /// A switch, as it is typed.
    enum Switch: String, ExpressibleByArgument, CaseIterable {
        case on, off
    }

    @Argument(help: "The account.", transform: Reading.account)
    var account: String

    @Option(help: "Whether somebody else approves each purchase, as for a child.")
    var asksToBuy: Switch?

    @Option(help: "Whether each purchase fails as interrupted until it is settled.")
    var interruptsPurchases: Switch?

    @Option(help: "Whether the account may pay for anything.")
    var canMakePayments: Switch?

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func validate() throws {
        guard asksToBuy != nil || interruptsPurchases != nil || canMakePayments != nil else {
            throw ValidationError("Say what to set, such as --asks-to-buy on.")
        }
    }

    func run() async throws {
        let client = try store.client(of: which)
        // A child asks before the first purchase too.
        let answer = try await client.madeIfNew(account) {
            try await client.send(
                .PATCH, StorePath("connect", "v1", "customers", account)
            ) { json in
                json.field("asksToBuy", asksToBuy.map { $0 == .on })
                json.field("interruptsPurchases", interruptsPurchases.map { $0 == .on })
                json.field("canMakePayments", canMakePayments.map { $0 == .on })
            }
        }
        try store.show(answer, of: which) { _ in [try Self.words(answer, account)] }
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
