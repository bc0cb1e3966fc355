import AppStoreWire
import ArgumentParser
import ConnectAnswers
import Console
import TimeAndChance

/// Prints a link that opens the console.
struct ConsoleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "console",
        abstract: "Print a link that opens the console in a browser.",
        discussion: """
            The link signs you in as the operator, once, within an hour. It is derived from the \
            operator's token, and does not contain it.

              perennial console
              perennial console --sandbox
            """)

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let client = try store.client()
        // Whether the token is right, before a link is shown that would not work.
        _ = try await client.get(StorePath("connect", "v1", "clock"))
        let code = ConsoleAccess(operatorToken: client.address.operatorToken)
            .makeCode(now: SystemTime.now())
        let link = ConsoleLink.text(client.address.url, code: code)
        try store.show(
            Answer(value: .object(["url": .string(link)]), source: "console")
        ) { _ in [link] }
    }
}

/// The console's address.
enum ConsoleLink {
    /// - Parameters:
    ///   - url: of the store's server.
    ///   - code: what opens a session; nil for the address alone.
    static func text(_ url: String, code: String?) -> String {
        guard let code else { return url + Console.path }
        return url + StorePath("console", "sign-in").with("code", code).text
    }
}
