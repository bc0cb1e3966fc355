import AppStoreWire
import ArgumentParser

/// What a developer's server does in Advanced Commerce: the requests that it signs for purchases,
/// and those that it sends itself.
struct AdvancedCommerceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ac",
        abstract: "Make, sign and send requests of Advanced Commerce.",
        discussion: """
            Two generic products of the catalogue represent everything that a merchant sells; \
            `perennial product generic` marks them. The developer's server signs four of the \
            requests, and a device buys with them. The server sends the other six itself. Write a \
            request with options, or read it from a file in Apple's JSON.

              perennial product generic com.example.paper on
              perennial ac create-subscription --account anna --name "The paper" \\
                  --description "News and more" --item "news:News:All the news:9.99" \\
                  --item "chess:Chess:A game a day:2.99"
              perennial ac change-price anna --item news:10.99 --explain
              perennial ac cancel anna --print
              perennial ac requests anna

            --explain says step by step what is checked and what came of it. --print signs or \
            writes the request and does not send it, for another client.
            """,
        groupedSubcommands: [
            CommandGroup(
                name: "Device",
                subcommands: [
                    CreateOneTimeCharge.self, CreateSubscription.self, ModifySubscription.self,
                    ReactivateSubscription.self,
                ]),
            CommandGroup(
                name: "Server",
                subcommands: [
                    Cancel.self, ChangeMetadata.self, ChangePrice.self, Migrate.self,
                    Revoke.self, RequestRefund.self,
                ]),
            CommandGroup(name: "To look at", subcommands: [MadeRequests.self]),
        ])
}

/// What all requests have in common.
struct RequestOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The request as Apple has it, in JSON; - for standard input. What it leaves out of "
                + "operation, version, transactionId and requestReferenceId is filled in; null "
                + "keeps a member out.",
            valueName: "file"),
        completion: .file())
    var file: String?

    @Option(
        help: ArgumentHelp(
            "The request's own number, a UUID: repeated with the same words, a request finds what "
                + "it did. (default: a new one)", valueName: "uuid"))
    var requestID: String?

    @Option(
        help: ArgumentHelp(
            "The developer's own name for the customer, a UUID.", valueName: "uuid"))
    var appAccountToken: String?

    @Option(
        help: ArgumentHelp(
            "That of the last renewal info: a change since is noticed.", valueName: "token"))
    var consistencyToken: String?

    @Flag(help: "Show each check and its result.")
    var explain = false

    @Flag(help: "Print the request without sending it.")
    var print = false

    @OptionGroup var key: SigningKeyOptions

    /// What a request made of options says of itself.
    var info: AdvancedCommerceRequestInfo {
        AdvancedCommerceRequestInfo(
            requestReferenceId: requestID ?? FreshUUID.text(), appAccountToken: appAccountToken,
            consistencyToken: consistencyToken)
    }

    /// Refuses options beside a file, which says all of it.
    ///
    /// - Parameters:
    ///   - isDescribed: whether options describe a request.
    ///   - example: what is missing where neither does.
    func check(isDescribed: Bool, example: String) throws {
        if file != nil {
            guard !isDescribed, appAccountToken == nil, consistencyToken == nil else {
                throw ValidationError(
                    "--file has the whole request: leave the options that describe one out.")
            }
        } else if !isDescribed {
            throw ValidationError("Say what to ask for, such as \(example), or give a --file.")
        }
    }
}
