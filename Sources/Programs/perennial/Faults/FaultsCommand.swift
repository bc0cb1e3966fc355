import AppStoreWire
import ArgumentParser
import ConnectAnswers
import NIOHTTP1
import Store
import Timeline

/// Rules by which the outside goes wrong.
struct FaultCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fault",
        abstract: "Make notifications and API calls fail, by seeded rules.",
        discussion: """
            The store keeps a rule until you remove it. A rule changes no data of customers.

              perennial fault list
              perennial fault add dropNotifications --type DID_RENEW --count 2
              perennial fault add delayNotifications --by PT5M --percent 20
              perennial fault add failCalls --error 5000001
              perennial fault remove 17
              perennial fault clear
            """,
        subcommands: [List.self, Add.self, Remove.self, Clear.self], defaultSubcommand: List.self)

    /// Lists the rules.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the rules, and how often each applied.",
            discussion: """
                  perennial fault list
                  perennial fault list --json
                """)

        @OptionGroup var store: StoreOptions

        func run() async throws {
            let answer = try await store.client().get(FaultCommand.path)
            try store.show(answer) { style in try FaultCommand.words(answer, style) }
        }
    }

    /// Takes one rule back.
    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Remove a rule.",
            discussion: "  perennial fault remove 17")

        @Argument(help: "The rule's number.", transform: Reading.count)
        var id: Int

        @OptionGroup var store: StoreOptions

        func run() async throws {
            let client = try store.client()
            let before = try await client.get(FaultCommand.path).list("faults").first {
                try $0.integer("id") == id
            }
            let answer = try await client.send(
                .DELETE, StorePath("connect", "v1", "faults", String(id)))
            try store.show((before ?? answer).with(["removed": .integer(1)])) { _ in
                ["rule \(id) is gone"]
            }
        }
    }

    /// Takes all rules back.
    struct Clear: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "clear", abstract: "Remove all rules of this environment.",
            discussion: "  perennial fault clear")

        @OptionGroup var store: StoreOptions

        func run() async throws {
            let client = try store.client()
            let answer = try await client.ask(
                .DELETE, FaultCommand.path, nil, token: client.address.operatorToken)
            try store.show(answer) { _ in
                ["\(counted(Int(try answer.integer("removed")), "rule")) removed"]
            }
        }
    }

    static let path = StorePath("connect", "v1", "faults")

    static func words(_ answer: Answer, _ style: Style) throws -> [String] {
        let faults = try answer.list("faults")
        guard !faults.isEmpty else { return ["no rules; `perennial fault add KIND` makes one"] }
        var table = Columns([
            ("rule", .right), ("what", .left), ("for", .left), ("share", .right),
            ("applied", .right), ("left", .right),
        ])
        for fault in faults {
            let (applied, most) = (
                try fault.integer("applied"), fault.optionalInteger("count")
            )
            table.add([
                try fault.text("id"), try what(fault), scope(fault),
                "\(try fault.integer("percent")) %", String(applied),
                most.map { String(max(0, $0 - applied)) } ?? "",
            ])
        }
        return table.lines(style)
    }

    /// The kind, and how much of it.
    static func what(_ fault: Answer) throws -> String {
        let much = [
            fault.optionalText("by"),
            fault.optionalInteger("times").map { "\($0) more \($0 == 1 ? "time" : "times")" },
            fault.optionalText("errorCode"),
        ]
        return ([try fault.text("kind")] + much.compactMap { $0 }).joined(separator: " ")
    }

    private static func scope(_ fault: Answer) -> String {
        let subtype = fault.optionalText("subtype").map { "/\($0)" } ?? ""
        let parts = [
            fault.optionalText("notificationType").map { $0 + subtype },
            fault.optionalText("operation"), fault.optionalText("bundleId"),
        ].compactMap { $0 }
        return parts.isEmpty ? "all" : parts.joined(separator: ", ")
    }
}
