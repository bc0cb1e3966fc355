import AppStoreWire
import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import StoreHTTP
import SubscriptionRules
import TimeAndChance

extension Console {
    /// The clock, and what moving it brings.
    var clockPages: [Endpoint<StoreSite>] {
        [clock, clockAhead, advanceClock, clockProgress, clockStream, stepClock, runUntil]
    }

    private var clock: Endpoint<StoreSite> {
        page("clock", "clock") { visit in
            let reading = try await ClockReadingView(visit)
            return Page(ConsoleWords.Clock.title, try await reading.blocks)
        }
    }

    /// What falls due before a moment, and the button that lets it happen.
    private var clockAhead: Endpoint<StoreSite> {
        page("clock/ahead", "clockAhead") { visit in
            typealias Words = ConsoleWords.Clock
            let step = Visit.moment(visit.asked("until") ?? "P1M")
            let path = StorePath("connect", "v1", "clock", "due").with("until", step)
            let due = try await visit.desk.get(path)
            let reading = try await visit.desk.get(StorePath("connect", "v1", "clock"))
            let until = try due.moment("until")
            return Page(
                Words.aheadTitle(visit.locale.moment(until)),
                lead: Words.aheadLead(
                    from: visit.locale.moment(try reading.moment("now")),
                    to: visit.locale.moment(until)),
                trail: [PageLink(Words.title, ConsolePath.clock)],
                [
                    try visit.dueTable(due), Prose(Words.onlyFirst),
                    PageForm(
                        .change, action: "/console/clock/advance",
                        button: Words.moveTo(visit.locale.moment(until)),
                        hidden: [FormID.hidden(), .init("to", until.iso8601)],
                        way: PageLink(Words.dontMove, ConsolePath.clock)),
                    visit.same(
                        SameCall(Words.whatFallsDue, .get, path, command: nil),
                        SameCall(
                            Words.move, .post, StorePath("connect", "v1", "clock", "advance"),
                            body: #"{"to":"\#(until.iso8601)"}"#,
                            command: ["advance", "--to", until.iso8601])),
                ])
        }
    }

    /// Moves the clock. What takes longer than a moment goes on while its page is looked at.
    private var advanceClock: Endpoint<StoreSite> {
        action("clock/advance", "advanceClock") { visit, form in
            let clock = try await visit.desk.get(StorePath("connect", "v1", "clock"))
            let newest = try await visit.newestEntry()
            let to = form["to"]
            let now = try clock.moment("now")
            let work = Task { [desk = visit.desk] in
                _ = try await desk.send(.post, StorePath("connect", "v1", "clock", "advance")) {
                    $0.field("to", to)
                }
            }
            let progress = StorePath("console", "clock", "progress")
                .with("from", try clock.text("now")).with("to", to)
                .with("since", String(newest)).text
            // What is refused is refused before it begins: only what goes on may be left alone.
            let isAhead = Instant(iso8601: to).map { $0 > now } ?? false
            if try clock.text("mode") == "system" || !isAhead {
                try await work.value
            } else {
                try await work.value(within: patience)
            }
            return progress
        }
    }

    /// How far a move of the clock is, and afterwards what happened.
    private var clockProgress: Endpoint<StoreSite> {
        page("clock/progress", "clockProgress") { visit in
            typealias Words = ConsoleWords.Clock
            let move = try ClockMove(visit)
            let step = try await move.step()
            guard step.isDone else {
                return Page(
                    Words.moving, lead: nil, trail: [PageLink(Words.title, ConsolePath.clock)],
                    [
                        Progress(
                            Words.moving, text: step.text, permille: step.permille,
                            stream: move.path("stream"),
                            reload: PageLink(Words.lookAgain, move.path("progress")))
                    ])
            }
            return Page(
                Words.movedTo(visit.locale.moment(move.to)),
                lead: Words.movedLead(
                    from: visit.locale.moment(move.from), to: visit.locale.moment(move.to)),
                trail: [PageLink(Words.title, ConsolePath.clock)],
                try await visit.happened(since: move.since) + [
                    try await visit.clockForms()
                ])
        }
    }

    private var clockStream: Endpoint<StoreSite> {
        endpoint(.get, "clock/stream", "clockStream") { call in
            guard let visit = Visit(call, console: self) else { throw Unauthenticated() }
            let move = try ClockMove(visit)
            return EventStream.response(to: call.request) { try await move.step() }
        }
    }

    private var stepClock: Endpoint<StoreSite> {
        action(
            "clock/step", "stepClock",
            foretells: { visit, _, _ in try await visit.stepAhead() }
        ) { visit, form in
            let clock = try await visit.desk.get(StorePath("connect", "v1", "clock"))
            let now = try clock.text("now")
            let newest = try await visit.newestEntry()
            // A second push of the same button is no second step.
            if form.text("from") == now || clock.optionalText("mode") == "running" {
                let count = form.text("count").flatMap(Int64.init) ?? 1
                _ = try await visit.desk.send(
                    .post, StorePath("connect", "v1", "clock", "step")
                ) { $0.field("count", count) }
            }
            let after = try await visit.desk.get(StorePath("connect", "v1", "clock"))
            return StorePath("console", "clock", "progress").with("from", now)
                .with("to", try after.text("now")).with("since", String(newest)).text
        }
    }

    private var runUntil: Endpoint<StoreSite> {
        action(
            "clock/run-until", "runUntil",
            foretells: { visit, form, _ in try await visit.runAhead(form["notification"]) }
        ) { visit, form in
            let before = try await visit.desk.get(StorePath("connect", "v1", "clock"))
            let newest = try await visit.newestEntry()
            let answer = try await visit.desk.send(
                .post, StorePath("connect", "v1", "clock", "run-until")
            ) { $0.field("notification", form["notification"]) }
            return StorePath("console", "clock", "progress").with("from", try before.text("now"))
                .with("to", try answer.text("now")).with("since", String(newest)).text
        }
    }
}

extension Visit {
    /// What falls due, by kind.
    fileprivate func dueTable(_ due: Answer) throws -> DataTable {
        typealias Words = ConsoleWords.Clock
        return DataTable(
            Words.dueCaption, columns: [Words.whatFallsDue, Words.firstOf],
            rows: try due.list("counts").map { one in
                DataTable.Row([
                    Cell(Words.due(try one.text("kind"))),
                    .number(locale.number(Int(try one.integer("count")))),
                ])
            }, empty: Words.nothingDue)
    }

    /// Where a step leads, and what falls due until then.
    fileprivate func stepAhead() async throws -> [any PageBlock] {
        let reading = try await desk.get(StorePath("connect", "v1", "clock"))
        guard let next = reading.optionalMoment("nextEvent") else {
            throw ErrorBody(.conflict, "nothingAhead", ConsoleWords.Clock.nothingAhead)
        }
        guard try next > reading.moment("now") else {
            typealias Words = ConsoleWords.Notifications
            return [
                Prose(ConsoleWords.Clock.dueFirst),
                Facts([(Words.stillWaiting, try await waitingNotifications())]),
            ]
        }
        return try await ahead(reading, to: next.iso8601)
    }

    /// What falls due until a run ends at the latest.
    fileprivate func runAhead(_ notification: String) async throws -> [any PageBlock] {
        let reading = try await desk.get(StorePath("connect", "v1", "clock"))
        return [Prose(ConsoleWords.Clock.runAhead(notification))]
            + (try await ahead(reading, to: nil))
    }

    /// - Parameter moment: nil for the furthest that a run goes by itself.
    private func ahead(_ reading: Answer, to moment: String?) async throws -> [any PageBlock] {
        typealias Words = ConsoleWords.Clock
        let due = try await desk.get(
            StorePath("connect", "v1", "clock", "due").with("until", moment))
        return [
            Facts([
                (Words.now, momentCell(reading, "now")),
                (moment == nil ? Words.atMost : Words.willShow, momentCell(due, "until")),
            ]),
            try dueTable(due),
        ]
    }
}

extension Task where Success == Void, Failure == any Error {
    /// Waits until it is done, or for a moment, whichever comes first: it goes on by itself then.
    fileprivate func value(within patience: Duration) async throws {
        // A task's value cannot be waited for with a limit, the end of a stream can.
        let (end, mouth) = AsyncThrowingStream<Void, any Error>.makeStream()
        Task<Void, Never> {
            do {
                try await value
                mouth.finish()
            } catch {
                mouth.finish(throwing: error)
            }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for try await _ in end {} }
            group.addTask { await SystemTime.wait(patience) }
            try await group.next()
            group.cancelAll()
        }
    }
}
