import AppStoreWire
import ArgumentParser
import ConnectAnswers
import HTTPSurface
import NIOHTTP1
import StoreHTTP
import SubscriptionRules

/// Sets how fast a customer's Sandbox subscriptions renew.
struct SpeedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "speed",
        abstract: "Set how long a month lasts for a customer in Sandbox, in minutes.",
        discussion: """
            Creates the customer if new. A running subscription uses the new speed from its next \
            period. In Production periods have their true lengths.

              perennial customer speed tester 3
              perennial customer speed tester 60
            """)

    @Argument(help: "The account, in Sandbox.", transform: Reading.account)
    var account: String

    @Argument(
        help: ArgumentHelp(
            "How many minutes a month lasts: 3, 5, 15, 30 or 60.", valueName: "minutes"),
        transform: SpeedCommand.speed)
    var speed: SandboxSpeed

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let client = try store.client(of: which, prefersSandbox: true)
        // A speed is of use before the first purchase.
        let answer = try await client.madeIfNew(account) {
            try await client.send(
                .PATCH, StorePath("connect", "v1", "customers", account)
            ) { $0.write(CustomerForm.speed.change(to: speed)) }
        }
        try store.show(answer, of: which) { _ in
            [
                "\(account): a month lasts \(speed.rawValue) minutes in Sandbox, from the next "
                    + "period on"
            ]
        }
    }

    private static func speed(_ text: String) throws -> SandboxSpeed {
        guard let speed = Int(text).flatMap({ SandboxSpeed(rawValue: $0) }) else {
            let all = SandboxSpeed.allCases.map { String($0.rawValue) }.joined(separator: ", ")
            throw ValidationError("'\(text)' is no Sandbox speed: write one of \(all).")
        }
        return speed
    }
}
