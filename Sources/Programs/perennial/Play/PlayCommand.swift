import AppStoreWire
import ArgumentParser
import FoundationEssentials
import Logging
import PlacedYAML
import ServiceLifecycle
import Store
import SubscriptionRules
import Timeline

/// Plays stories: files that say what happens, and what must be then.
struct PlayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play",
        abstract: "Play a story: a file that buys, moves the clock and expects.",
        discussion: """
            Each story gets a store of its own on free ports, in a temporary directory that is \
            deleted afterwards; with --ready or --url it is played in a store that runs. It stops \
            at the first step that is not as the story says. docs/guides/ci.md describes the file, \
            docs/schemas/story.json its JSON schema.

              perennial play Examples/stories/declined-payment.yaml
              perennial play Examples/stories/*.yaml --json
              perennial play --check story.yaml
              perennial play story.yaml --stay

            Exit codes: 0 all is as the stories say, 1 it is not, or a file has errors, 2 wrong \
            usage, 3 no store answers.
            """)

    @Argument(
        help: ArgumentHelp("The stories (YAML).", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"]))
    var files: [String] = []

    @Flag(help: "Say what is wrong with the files, and play nothing.")
    var check = false

    @Flag(help: "Keep the store after the story until Control-C, to look around in it.")
    var stay = false

    @Flag(help: "Print the JSON schema of stories.")
    var schema = false

    @OptionGroup var store: TalkOptions<Stories>

    func validate() throws {
        guard !store.sandbox else {
            throw ValidationError(
                "A story says itself where it is played: write `sandbox: true` into it.")
        }
        guard !files.isEmpty || schema else {
            throw ValidationError("Name the story: `perennial play story.yaml`.")
        }
        guard !stay || (files.count == 1 && !isRunning) else {
            throw ValidationError(
                "--stay keeps the store of one story; a store that runs stays by itself.")
        }
        guard !check || !stay else {
            throw ValidationError("--check plays nothing: leave --stay out.")
        }
    }

    /// Whether a store was named that runs.
    private var isRunning: Bool { store.ready != nil || store.url != nil }

    func run() async throws {
        guard !schema else { return Output.line(PrettyJSON.text(of: StorySchema.value)) }
        let stories = try read()
        guard !check else { return show(checked: stories) }
        if !isRunning { LoggingSystem.bootstrap(StreamLogHandler.standardError) }
        var outcomes: [StoryOutcome] = []
        for story in stories { outcomes.append(try await play(story)) }
        if store.json {
            Output.line(
                PrettyJSON.text(of: .object(["stories": .array(outcomes.map(\.value))])))
        } else if outcomes.count > 1 {
            let passed = outcomes.count { $0.hasPassed }
            let all = outcomes.count == 1 ? "1 story" : "\(outcomes.count) stories"
            Output.line("\(passed) of \(all) passed")
        }
        // All was said.
        guard outcomes.allSatisfy(\.hasPassed) else { throw Failure.refused("") }
    }

    // MARK: Files

    /// Reads all files; what is wrong with any of them is printed.
    private func read() throws -> [Story] {
        var stories: [Story] = []
        var problems: [ConfigurationProblem] = []
        for file in files {
            do {
                stories.append(try StoryReader.read(file: file))
            } catch {
                problems += error.problems
            }
        }
        guard !problems.isEmpty else { return stories }
        if store.json {
            Output.line(PrettyJSON.text(of: problems.value))
        } else {
            for problem in problems { Output.line(problem.placed) }
        }
        throw Failure.refused("")
    }

    private func show(checked stories: [Story]) {
        guard store.json else {
            for story in stories {
                let steps = counted(story.steps.count, "step")
                Output.line("\(story.file): \(story.title), \(steps)")
            }
            return
        }
        let values = stories.map { story in
            JSONValue.object([
                "file": .string(story.file), "story": .string(story.title),
                "steps": .array(story.steps.map { .string($0.title) }),
            ])
        }
        Output.line(PrettyJSON.text(of: .object(["stories": .array(values)])))
    }

    // MARK: Playing

    private func play(_ story: Story) async throws -> StoryOutcome {
        guard !isRunning else {
            let named = StoryPlace(
                ready: store.ready, url: store.url, token: store.token, waits: !store.noWait)
            let outcome = try await play(story, at: named)
            tell(outcome)
            return outcome
        }
        let kept = Kept()
        var plan = Self.plan(of: story)
        plan.guest = { ready in
            let own = StoryPlace(ready: ready, waits: !store.noWait)
            let outcome = try await play(story, at: own)
            tell(outcome)
            await kept.keep(outcome)
            if stay { try await wait(beside: ready, outcome) }
        }
        let interruption = Failure.refused("\(story.file) was interrupted.")
        do {
            try await Serving.serve(plan)
        } catch is CancellationError {
            throw interruption
        }
        guard let outcome = await kept.outcome else { throw interruption }
        return outcome
    }

    /// The store that a story gets.
    private static func plan(of story: Story) -> ServePlan {
        var plan = ServePlan()
        plan.catalogueFile =
            story.catalogue ?? (story.hasExample ? InstalledFiles.exampleCatalogue : nil)
        plan.home = .ephemeral
        plan.port = 0
        plan.sandboxPort = 0
        plan.merchantPort = story.hasMerchant ? 0 : nil
        plan.clockMode = .frozen
        plan.moment = story.start.flatMap { Instant(plainText: $0) }
        plan.hasExample = story.hasExample
        return plan
    }

    private func play(_ story: Story, at place: StoryPlace) async throws -> StoryOutcome {
        var story = story
        // A URL is that of one environment.
        if place.url != nil { story.isInSandbox = false }
        let address = try StoreAddress.find(
            StoreAddress.Wanted(
                readyFile: place.ready, url: place.url, token: place.token,
                isSandbox: story.isInSandbox),
            environment: Variables.current)
        if !store.json { Output.line(story.title) }
        var player = StoryPlayer(
            story, at: place.options, StoreClient(address, waits: place.waits),
            wantsJSON: store.json
        ) { [json = store.json] step in
            if !json { for line in Self.lines(of: step) { Output.line(line) } }
        }
        do {
            return try await player.play()
        } catch {
            // What was under way when the store had to stop failed for that reason.
            if Task.isCancelled { throw CancellationError() }
            throw error
        }
    }

    private static func lines(of outcome: StepOutcome) -> [String] {
        let style = Output.style()
        let mark = outcome.hasPassed ? style.pick("✓", "ok") : style.pick("✗", "no")
        let colour: Style.Colour = outcome.hasPassed ? .paid : .retry
        return ["  \(style.paint(mark, colour)) \(outcome.step.title)"]
            + outcome.lines.map { style.paint("      \($0)", .faint) }
    }

    /// Says what is not as the story says, and how to see more.
    private func tell(_ outcome: StoryOutcome) {
        guard !store.json, let last = outcome.steps.last, !outcome.hasPassed else { return }
        let story = outcome.story
        for difference in last.differences { Output.line(difference.words(in: story.file)) }
        let left = story.steps.count - outcome.steps.count
        if left > 0 { Output.line("\(counted(left, "step")) not played") }
        guard !stay, !isRunning else { return }
        Output.line(
            "To look around in that store: `perennial play \(word: story.file) --stay`.")
    }

    /// Keeps the store until it is to stop.
    private func wait(beside ready: String, _ outcome: StoryOutcome) async throws {
        let account = outcome.steps.last.flatMap { $0.step.account } ?? "ACCOUNT"
        Output.complain(
            "The store stays until Control-C. In another terminal: "
                + "`perennial timeline \(word: account) --ready \(word: ready)`.")
        // Control-C may cancel this before the wait hears of it.
        do { try await gracefulShutdown() } catch is CancellationError {}
    }
}

/// Where a story is played.
private struct StoryPlace: Sendable {
    var ready: String?
    var url: String?
    var token: String?
    var waits = true

    /// The same as options of a command.
    var options: [String] {
        var options: [String] = []
        if let ready { options.append("--ready=\(ready)") }
        if let url { options.append("--url=\(url)") }
        if let token { options.append("--token=\(token)") }
        if !waits { options.append("--no-wait") }
        return options
    }
}

/// What a story came to, for whoever waits until its store has stopped.
private actor Kept {
    private(set) var outcome: StoryOutcome?

    func keep(_ outcome: StoryOutcome) { self.outcome = outcome }
}

extension StoryStep {
    /// The customer that it is about; nil where it is about none.
    fileprivate var account: String? {
        form.value.kind == .account ? text(form.name) : text("account")
    }
}
