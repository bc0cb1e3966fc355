/// A story that was read.
struct Story: Hashable, Sendable {
    /// The file, as it was named.
    var file: String
    var title: String
    /// The path of the `.storekit` file.
    var catalogue: String?
    var hasExample = false
    /// Nil with the example, which begins a year ago.
    var start: String?
    var hasMerchant = false
    var isInSandbox = false
    var steps: [StoryStep] = []
}

/// Where something stands in a story's file.
struct StorySpot: Hashable, Sendable {
    var line: Int
    var column: Int
}

/// One step of a story.
struct StoryStep: Hashable, Sendable {
    var form: StepForm
    var spot: StorySpot
    /// The members that are there, by their names.
    var values: [String: StoryValue] = [:]
    var spots: [String: StorySpot] = [:]

    /// What stands behind a member; nil where it is not there.
    func text(_ name: String) -> String? { values[name]?.text }

    /// The truth of a member; nil where it is not there.
    func truth(_ name: String) -> Bool? {
        guard case .truth(let truth)? = values[name] else { return nil }
        return truth
    }

    /// Where a member stands, or else the step.
    func spot(of name: String) -> StorySpot { spots[name] ?? spot }

    /// The command of the step, without the program; nil for `expect`.
    ///
    /// - Parameter options: what all commands of the story are told besides.
    func command(_ options: [String] = []) -> [String]? {
        guard !form.verbs.isEmpty else { return nil }
        var arguments: [(place: Int, words: [String])] = []
        var words: [String] = []
        for member in form.all {
            guard let value = values[member.name] else { continue }
            switch member.use {
            case .argument(let place): arguments.append((place, value.words))
            case .option(let name): words.append("--\(name)=\(value.text)")
            case .flag(let name): if value == .truth(true) { words.append("--\(name)") }
            case .own: break
            }
        }
        let plain =
            arguments.sorted { $0.place < $1.place }.flatMap(\.words) + form.trailing
        // An account may be named like an option.
        let end = plain.contains { $0.hasPrefix("-") } ? ["--"] : []
        return form.verbs + words + options + end + plain
    }

    /// The step in a few words, such as `buy com.example.pro, account anna`.
    var title: String {
        let rest = form.members.compactMap { member in
            values[member.name].map { "\(member.name) \($0.text)" }
        }
        let value = values[form.name]?.text ?? ""
        return (["\(form.name) \(value)"] + (form.verbs.isEmpty ? [] : rest))
            .joined(separator: ", ")
    }
}
