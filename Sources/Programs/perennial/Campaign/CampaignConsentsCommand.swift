import ArgumentParser
import ConnectAnswers
import Timeline

/// Exports what proves a customer's answers.
struct CampaignConsentsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "consents",
        abstract: "Export what proves a subscriber's answers to a price campaign.",
        discussion: """
            Two lines an answer: the evidence, and its SHA-256, which the evidence of the next \
            answer names as `previous`. Anybody can verify it:

              perennial campaign consents spring-2027 2000000012 > consent.txt
              head -n 1 consent.txt | tr -d '\\n' | openssl dgst -sha256
              sed -n 2p consent.txt
            """)

    @Argument(help: "The campaign's name, as its file says: `campaign`.")
    var name: String

    @Argument(help: "The original transaction of the subscription.")
    var originalTransaction: String

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let found = try await store.merchant().consents(of: name, originalTransaction)
        guard !store.json else { return try store.show(found) { _ in [] } }
        // Byte for byte: what was folded has another digest.
        for answer in try found.list("consents") {
            Output.line(try answer.text("evidence"))
            Output.line(try answer.text("sha256"))
        }
    }
}
