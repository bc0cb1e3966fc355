import AppStoreWire
import ArgumentParser
import ConnectAnswers
import TimeAndChance

/// Prints a link that opens the merchant's console.
struct MerchantConsoleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "console",
        abstract: "Print a link that opens the merchant's console in a browser.",
        discussion: """
            The link signs you in as the operator, once, within an hour. It is derived from the \
            operator's token, and does not contain it.

              perennial merchant console
            """)

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let merchant = try store.merchant()
        // Whether the token is right, before a link is shown that would not work.
        _ = try await merchant.overview()
        let link = merchant.consoleLink(now: SystemTime.now())
        try store.show(
            Answer(value: .object(["url": .string(link)]), source: "console")
        ) { _ in [link] }
    }
}
