import AppStoreWire
import ArgumentParser
import ConnectAnswers
import NIOHTTP1
import Timeline

/// A kind of copies of the world.
protocol CopyKind {
    /// What one of them is called.
    static var noun: String { get }
    /// The list of them, on the command line as on `/connect`.
    static var list: String { get }
    /// What is said of removing one.
    static var removal: String { get }
    /// The name of one, for examples.
    static var example: String { get }
}

/// Copies to come back to.
enum Snapshots: CopyKind {
    static let noun = "snapshot"
    static let list = "snapshots"
    static let removal = "Remove a snapshot."
    static let example = "before-the-campaign"
}

/// Copies that are served.
enum Forks: CopyKind {
    static let noun = "fork"
    static let list = "forks"
    static let removal = "End a fork, and remove all that it holds."
    static let example = "try"
}

/// Removes a copy.
struct RemoveCopyCommand<Kind: CopyKind>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "remove", abstract: Kind.removal,
            discussion: "  perennial world \(Kind.list) remove \(Kind.example)")
    }

    @Argument(help: "Its name.", transform: Reading.copyName)
    var name: String

    @OptionGroup var store: WholeAppOptions

    func validate() throws { try store.checkNoEnvironment() }

    func run() async throws {
        let answer = try await store.client().send(.DELETE, Copying.path(of: Kind.self, name))
        try store.show(answer.with(["name": .string(name), "removed": .integer(1)])) { _ in
            ["the \(Kind.noun) \(name) is gone"]
        }
    }
}

extension StoreClient {
    /// All copies of a kind.
    func copies<Kind: CopyKind>(_ kind: Kind.Type) async throws -> Answer {
        try await pages(
            Copying.path(of: kind), list: Kind.list, limit: .max,
            next: { path, last in path.with("after", try last?.text("name")) })
    }
}
