import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import Store
import StoreHTTP
import SubscriptionRules

/// What the clock shows and how it can be moved.
struct ClockReadingView {
    private let visit: Visit
    private let reading: Answer

    private typealias Words = ConsoleWords.Clock

    init(_ visit: Visit) async throws {
        self.visit = visit
        reading = try await visit.desk.get(StorePath("connect", "v1", "clock"))
    }

    var blocks: [any PageBlock] {
        get async throws {
            let now = try reading.moment("now")
            let mode = try reading.text("mode")
            let facts = Facts([
                (Words.now, .moment(now, "\(visit.locale.moment(now)) UTC")),
                (
                    Words.goes,
                    Cell(
                        Words.mode(mode),
                        detail: [Words.modeAbout(mode), Words.bothClocks].compactMap(\.self)
                            .joined(separator: " "))
                ),
                (
                    Words.next,
                    reading.optionalMoment("nextEvent").map(visit.momentCell)
                        ?? Cell(Words.nothingAhead)
                ),
                (Words.held, reading.optionalText("held").map { .badge(Words.heldBy($0), .bad) }),
            ])
            guard mode != "system" else {
                return [facts, Notice(.attention, Words.cannotMove), same]
            }
            return try await [facts] + visit.moveForms(from: now) + [same]
        }
    }

    private var same: SameElsewhere {
        visit.same(
            SameCall(
                Words.title, .get, StorePath("connect", "v1", "clock"), command: ["clock"]),
            SameCall(
                Words.move, .post, StorePath("connect", "v1", "clock", "advance"),
                body: #"{"by":"P1M"}"#, command: ["advance", "P1M"]),
            SameCall(
                Words.step, .post, StorePath("connect", "v1", "clock", "step"),
                command: ["clock", "step"]),
            SameCall(
                Words.until, .post, StorePath("connect", "v1", "clock", "run-until"),
                body: #"{"notification":"EXPIRED"}"#, command: ["clock", "until", "EXPIRED"]))
    }
}

extension Visit {
    /// All ways to move the clock.
    func moveForms(from now: Instant) async throws -> [any PageBlock] {
        typealias Words = ConsoleWords.Clock
        return [
            PageSection(
                Words.byTitle, id: "by", about: Words.byAbout,
                [
                    LinkList(
                        Words.steps.map { step in
                            PageLink(
                                step.text,
                                StorePath("console", "clock", "ahead").with("until", step.value)
                                    .text)
                        }, label: Words.byTitle, isTabs: false),
                    PageForm(
                        .ask, action: "/console/clock/ahead", button: Words.look,
                        fields: [
                            Field(
                                "until", Words.untilField, in: "ahead",
                                value: typed("until", or: "P1Y"), hint: Words.untilHint,
                                isRequired: true)
                        ]),
                ]),
            PageSection(
                Words.stepTitle, id: "step", about: Words.stepAbout,
                [
                    PageForm(
                        .change, action: "/console/clock/step", button: Words.step,
                        hidden: [
                            FormID.hidden(), Preview.hidden, .init("from", now.iso8601),
                        ])
                ]),
            PageSection(
                Words.runTitle, id: "until", about: Words.runAbout, [try await runForm]),
        ]
    }

    /// Runs until a notification, or says that there can be none.
    private var runForm: any PageBlock {
        get async throws {
            typealias Words = ConsoleWords.Clock
            let apps = try await desk.apps()
            let environment = call.site.environment
            if !apps.contains(where: { $0.settings.notificationURL(in: environment) != nil }) {
                return Notice(
                    .plain, Words.needsURL,
                    link: apps.first.map {
                        PageLink(ConsoleWords.Catalogue.settings, ConsolePath.app($0.bundleID))
                    })
            }
            return PageForm(
                .change, action: "/console/clock/run-until", button: Words.run,
                hidden: [FormID.hidden(), Preview.hidden],
                fields: [
                    Field(
                        "notification", Words.notification, .choice(Words.notifications),
                        in: "until", value: typed("notification", or: "DID_RENEW"))
                ])
        }
    }

    /// A moment as a page shows it, as `/connect` takes it; anything else as it is.
    static func moment(_ text: String) -> String {
        Instant(plainText: text)?.iso8601 ?? text
    }

    /// A short way to go on.
    func clockForms() async throws -> any PageBlock {
        typealias Words = ConsoleWords.Clock
        let reading = try await desk.get(StorePath("connect", "v1", "clock"))
        guard try reading.text("mode") != "system" else {
            return Notice(.attention, Words.cannotMove)
        }
        return PageSection(
            Words.goOn, id: "go-on",
            [
                LinkList(
                    Words.steps.map { step in
                        PageLink(
                            step.text,
                            StorePath("console", "clock", "ahead").with("until", step.value).text)
                    }, label: Words.goOn)
            ])
    }
}
