import AppStoreWire
import ArgumentParser
import StoreHTTP
import SubscriptionRules
import Timeline
import Wording

/// Says what is sent before prices rise, for whoever plans a campaign.
struct PriceChangeTimetableCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "timetable",
        abstract: "Show which messages are sent before prices rise, and when; needs no store.",
        discussion: """
            For each occasion and each length of plan: the channels, the days before the renewal, \
            how often, and what cancels a message.

              perennial price timetable
              perennial price timetable --json
            """)

    @Flag(help: "Print JSON.")
    var json = false

    static let all = CommunicationTimetables()

    func run() async throws {
        guard !json else {
            return Output.line(try PrettyJSON.text(of: Self.all.jsonBytes()))
        }
        let style = Output.style()
        for line in Self.table(style) { Output.line(line) }
    }

    static func table(_ style: Style) -> [String] {
        var table = Columns([
            ("occasion", .left), ("plan", .left), ("days before", .left), ("channel", .left),
            ("", .left),
        ])
        for timetable in CommunicationTimetable.all {
            for row in timetable.rows {
                table.add([
                    timetable.occasion.rawValue, timetable.period.iso8601,
                    String(row.daysBefore), row.channel.rawValue, Wording.english.words(row),
                ])
            }
        }
        let withdrawals = MessageWithdrawal.allCases.map(\.rawValue).joined(separator: ", ")
        return table.lines(style) + ["", "Taken back where it applies by: \(withdrawals)."]
    }
}
