import AppStoreWire
import ConnectAnswers
import StoreHTTP

/// Plays a story in a running store, step by step, with the commands that people type.
struct StoryPlayer {
    let story: Story
    /// The options that name the store to a command.
    let place: [String]
    let client: StoreClient
    /// Whether commands answer in JSON.
    let wantsJSON: Bool
    /// What is told of each step as soon as it was played.
    let onStep: @Sendable (StepOutcome) -> Void
    /// The newest notification that was looked at, of each account.
    private var seen: [String: Int64] = [:]
    /// The newest one before the story.
    private var first: Int64 = 0

    /// How many notifications are read at most where a story looks at them.
    private static let mostNotifications = 2000

    init(
        _ story: Story, at place: [String], _ client: StoreClient, wantsJSON: Bool,
        onStep: @escaping @Sendable (StepOutcome) -> Void
    ) {
        self.story = story
        self.place = place
        self.client = client
        self.wantsJSON = wantsJSON
        self.onStep = onStep
    }

    /// Plays until the end, or until something is not as the story says.
    ///
    /// - Throws: `Failure` where no store answers.
    mutating func play() async throws -> StoryOutcome {
        let newest = try await client.notifications(limit: 1).list("notifications").first
        first = try newest.map { try Self.number(of: $0) } ?? 0
        var outcome = StoryOutcome(story: story)
        for step in story.steps {
            try Task.checkCancellation()
            let played = try await play(step)
            outcome.steps.append(played)
            onStep(played)
            guard played.hasPassed else { break }
        }
        return outcome
    }

    private mutating func play(_ step: StoryStep) async throws -> StepOutcome {
        guard let command = step.command(options(of: step.form)) else {
            return try await look(step)
        }
        var outcome = StepOutcome(step: step)
        let wanted = step.text(StoryForm.refused.name)
        let recorder = Recorder()
        do {
            try await Output.$recorder.withValue(recorder) {
                try await Perennial.perform(command)
            }
            if let wanted {
                outcome.differences = [
                    difference(step, StoryForm.refused.name, wanted, "done")
                ]
            }
        } catch let failure as Failure where failure.code != .unreachable {
            if wanted == nil || wanted != failure.refusal {
                outcome.differences = [
                    wanted.map {
                        difference(
                            step, StoryForm.refused.name, $0,
                            failure.refusal ?? failure.answering(command).description)
                    } ?? difference(step, step.form.name, "", Self.words(failure, command))
                ]
            }
        }
        let text = recorder.text
        outcome.answer = wantsJSON ? try? JSONValue(parsing: Array(text.utf8)) : nil
        outcome.lines = text.split(separator: "\n").map(String.init)
        return outcome
    }

    private static func words(_ failure: Failure, _ command: [String]) -> String {
        failure.answering(command).description
            + (failure.refusal.map { " [\($0)]" } ?? "")
    }

    private func difference(
        _ step: StoryStep, _ member: String, _ expected: String, _ found: String
    ) -> StepOutcome.Difference {
        StepOutcome.Difference(
            member: member, spot: step.spot(of: member), expected: expected, found: found)
    }

    /// What a command is told besides its step.
    private func options(of form: StepForm) -> [String] {
        place + (story.isInSandbox && !form.isOfBoth ? ["--sandbox"] : [])
            + (wantsJSON ? ["--json"] : [])
    }

    // MARK: Looking

    private mutating func look(_ step: StoryStep) async throws -> StepOutcome {
        let account = step.text(step.form.name) ?? ""
        let customer = try await unless(refused: "unknownAccount") { [client] in
            try await client.customer(account)
        }
        let all = try customer?.list("subscriptions") ?? []
        var expectation = StoryExpectation(step)
        let product = step.text("product")
        let meant = try Self.meant(product, among: all)
        guard meant.count < 2 || product != nil else {
            let names = try meant.map { try $0.text("productId") }.joined(separator: ", ")
            return StepOutcome(
                step: step,
                differences: [
                    difference(
                        step, step.form.name, "",
                        "\(account) has several subscriptions, \(names): say which one with "
                            + "`product`.")
                ])
        }
        try expectation.compare(meant.last)
        if let wanted = step.truth("entitled") {
            let has = try Self.isEntitled(customer, meant, to: product)
            expectation.compare("entitled", wanted == has, found: String(has))
        }
        if step.values["notifications"] != nil {
            let names = try await newNotifications(about: account)
            expectation.compare(
                "notifications", step.values["notifications"]?.words == names,
                found: names.joined(separator: " "))
        }
        if let wanted = step.truth("access") {
            let has = try await hasAccess(account, to: product)
            expectation.compare("access", wanted == has, found: String(has))
        }
        return StepOutcome(step: step, differences: expectation.differences)
    }

    /// The subscription of a product; without one those that are not over, or else the newest.
    private static func meant(_ product: String?, among all: [Answer]) throws -> [Answer] {
        guard let product else {
            let running = all.filter { !$0.isOver }
            return running.isEmpty ? Array(all.suffix(1)) : running
        }
        return try all.filter { try $0.text("productId") == product }
    }

    private static func isEntitled(
        _ customer: Answer?, _ subscriptions: [Answer], to product: String?
    ) throws -> Bool {
        guard let customer else { return false }
        if try subscriptions.contains(where: { try $0.bool("entitled") }) { return true }
        let sheet = try customer.customer
        let isShared = (sheet.shared ?? []).contains {
            $0.isEntitled && (product == nil || $0.productID == product)
        }
        return isShared
            || (sheet.purchases ?? []).contains {
                $0.revoked == nil && $0.productID == product
            }
    }

    /// What was sent about an account since the last look, in order.
    private mutating func newNotifications(about account: String) async throws -> [String] {
        let log = try await client.notifications(
            about: ["account": account], limit: Self.mostNotifications
        ).list("notifications")
        let after = seen[account] ?? first
        var names: [String] = []
        for notification in log.reversed() {
            let number = try Self.number(of: notification)
            guard number > after else { continue }
            names.append(try NoticeName(notification).text)
            seen[account] = number
        }
        return names
    }

    private static func number(of notification: Answer) throws -> Int64 {
        Int64(try notification.text("id")) ?? 0
    }

    private func hasAccess(_ account: String, to product: String?) async throws -> Bool {
        let merchant = try MerchantClient(client.address, of: nil)
        _ = try await merchant.settle()
        return try await merchant.customer(account).list("entitlements").contains {
            try $0.bool("granted") && (product == nil || $0.text("productId") == product)
        }
    }
}
