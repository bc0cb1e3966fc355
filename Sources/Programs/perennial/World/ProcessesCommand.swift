import ArgumentParser
import ConnectAnswers
import SubscriptionRules
import Timeline

/// Which processes serve the store.
struct ProcessesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "processes",
        abstract: "List the processes that serve the store together.",
        discussion: """
            Several processes can serve one PostgreSQL database. A process that crashed is listed \
            for an hour; the others take over its work after its claim time. The list also shows \
            which process is moving the clock.

              perennial world processes
              perennial world processes --json
            """)

    @OptionGroup var store: WholeAppOptions

    func validate() throws { try store.checkNoEnvironment() }

    func run() async throws {
        let answer = try await store.client().get(StorePath("connect", "v1", "processes"))
        try store.show(answer) { style in try Self.words(answer, style) }
    }

    static func words(_ answer: Answer, _ style: Style) throws -> [String] {
        let processes = try answer.list("processes")
        guard !processes.isEmpty else { return ["no process has been heard of yet"] }
        var table = Columns(
            [
                ("process", .left), ("version", .left), ("since", .left), ("seen", .left),
                ("delivers", .left),
            ], first: ["process", "delivers"])
        for process in processes {
            let lanes = try process.list("lanes").map { lane in
                try lane.text("environment") == "Sandbox"
                    ? "\(lane.text("bundleId")) (Sandbox)" : lane.text("bundleId")
            }
            let seen = try process.moment("seen").plainText
            table.add([
                try process.text("name"), try process.text("version"),
                try process.moment("started").plainText,
                try process.bool("isAlive") ? seen : "\(seen), not since",
                lanes.joined(separator: ", "),
            ])
        }
        let moving = try processes.first { try $0.bool("movesClock") }?.text("name")
        return table.lines(style)
            + (moving.map { ["", "\($0) is moving the clock; other advances wait for it"] } ?? [])
    }
}
