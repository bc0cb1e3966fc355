import AppStoreWire
import ArgumentParser
import ConnectAnswers
import HTTPSurface
import NIOHTTP1
import StoreHTTP
import Timeline

/// Shares a purchase, or stops that.
struct FamilyShareCommand: AsyncParsableCommand {
    /// What is chosen.
    enum Choice: String, ExpressibleByArgument, CaseIterable {
        case on, off, hidden
    }

    static let configuration = CommandConfiguration(
        commandName: "share",
        abstract: "Share a purchase with the purchaser's family, or stop sharing it.",
        discussion: """
            Name a subscription by its identifier, or by the account if it has only one. Name a \
            one-time purchase by its transaction. `hidden` removes it from the family for good.

              perennial family share anna off
              perennial family share 400000000000009 hidden
            """)

    @Argument(help: "The account, or an original transaction.", transform: Reading.account)
    var target: String

    @Argument(help: "on, off, or hidden for what is bought once.")
    var choice: Choice

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let client = try store.client(of: which)
        let id =
            Int64(target) == nil ? try await client.onlySubscription(of: target) : target
        let path = StorePath("connect", "v1", "transactions", id, "sharing")
        _ = try await client.send(.PUT, path) { $0.field("sharing", choice.rawValue) }
        let answer = Answer(
            value: .object([
                "originalTransactionId": .string(id), "sharing": .string(choice.rawValue),
            ]), source: path.text)
        try store.show(answer, of: which) { _ in
            switch choice {
            case .on: ["\(id) is shared with the family"]
            case .off: ["\(id) is no longer shared"]
            case .hidden: ["\(id) is hidden: nobody else has it any more"]
            }
        }
    }
}

/// Sets whether new purchases are shared.
struct FamilyDefaultCommand: AsyncParsableCommand {
    /// What becomes of new purchases.
    enum Choice: String, ExpressibleByArgument, CaseIterable {
        case share, keep
    }

    static let configuration = CommandConfiguration(
        commandName: "default",
        abstract: "Set whether an account shares its new purchases.",
        discussion: """
            Earlier purchases stay as they are. Creates the customer if new.

              perennial family default anna keep
            """)

    @Argument(help: "The account.", transform: Reading.account)
    var account: String

    @Argument(help: "share or keep.")
    var choice: Choice

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let client = try store.client(of: which)
        let answer = try await client.madeIfNew(account) {
            try await client.send(
                .PATCH, StorePath("connect", "v1", "customers", account)
            ) { $0.write(CustomerForm.sharesNewPurchases.change(to: choice == .share)) }
        }
        try store.show(answer, of: which) { _ in
            [
                "\(account): new purchases are "
                    + (choice == .share ? "shared with the family" : "kept to the account")
            ]
        }
    }
}

/// Ends a family.
struct FamilyEndCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "end",
        abstract: "End an account's family; each member keeps their own purchases.",
        discussion: """
              perennial family end anna
            """)

    @Argument(help: "Somebody in it.", transform: Reading.account)
    var account: String

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let client = try store.client()
        let family = try await client.family(of: account)
        let id = try family.text("id")
        _ = try await client.send(.DELETE, StorePath("connect", "v1", "families", id))
        // What it was.
        try store.show(family) { _ in ["the family has ended"] }
    }
}
