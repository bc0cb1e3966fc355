import ArgumentParser
import ConnectAnswers
import Timeline

/// Lets an account answer to another name.
struct MerchantAliasCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "alias",
        abstract: "Let an account answer to another name, and merge the account of that name.",
        discussion: """
            From then on both names answer as one. This cannot be undone.

              perennial merchant alias anna device-4711
            """)

    @Argument(help: "The account that stays.", transform: Reading.account)
    var account: String

    @Argument(help: "The other name.", transform: Reading.account)
    var alias: String

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let answer = try await store.merchant(of: which).alias(alias, to: account)
        try store.show(answer, of: which) { _ in
            let name = try answer.text("account")
            let count = try answer.list("purchases").count
            return ["\(alias) answers as \(name) now, with \(count) purchases."]
        }
    }
}

/// Prints everything that is kept about an account.
struct MerchantExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Print everything that is kept about an account, as JSON.",
        discussion: """
            With every text that the store has signed.

              perennial merchant export anna
            """)

    @Argument(help: "The account.", transform: Reading.account)
    var account: String

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let answer = try await store.merchant(of: which).export(account)
        Output.line(PrettyJSON.text(of: answer.value))
    }
}

/// Erases an account.
struct MerchantEraseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract: "Erase an account: its names, tokens and transfers.",
        discussion: """
            What it owned stays without an owner, and no token binds that again. This cannot be \
            undone: `perennial merchant export` first.

              perennial merchant erase anna --yes
            """)

    @Argument(help: "The account.", transform: Reading.account)
    var account: String

    @Flag(help: "Erase it; without this nothing is done.")
    var yes = false

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func validate() throws {
        guard yes else {
            throw ValidationError("This cannot be undone: add --yes to erase \(account).")
        }
    }

    func run() async throws {
        let answer = try await store.merchant(of: which).erase(account)
        try store.show(answer, of: which) { _ in
            let names = try answer.integer("names")
            guard names > 0 else { return ["The merchant has never heard of \(account)."] }
            return [
                "\(account) is erased: \(names) names, \(try answer.integer("tokens")) tokens.",
                "\(try answer.integer("purchases")) purchases have no account now, and other "
                    + "accounts have \(try answer.integer("shared")) that it shared.",
            ]
        }
    }
}
