import AppStoreWire
import ArgumentParser
import ConnectAnswers
import NIOHTTP1

/// Lets a Sandbox account begin anew.
struct CustomersClearCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear-history",
        abstract: "Clear the purchase history of an account in Sandbox.",
        discussion: """
            The account can use introductory offers again. Its subscriptions end at once. Its \
            purchases move to an account with another name, so that their transactions remain \
            known.

              perennial customer clear-history tester
            """)

    @Argument(help: "The account, in Sandbox.", transform: Reading.account)
    var account: String

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let answer = try await store.client(prefersSandbox: true).send(
            .POST, StorePath("connect", "v1", "customers", account, "clear-history"))
        try store.show(answer) { _ in
            [
                "\(account) begins anew; what it bought is with "
                    + "'\(try answer.text("history"))' now"
            ]
        }
    }
}
