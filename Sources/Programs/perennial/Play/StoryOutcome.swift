import AppStoreWire

/// What became of a story.
struct StoryOutcome: Sendable {
    var story: Story
    /// The steps that were played: all but the last one succeeded.
    var steps: [StepOutcome] = []

    var hasPassed: Bool {
        steps.count == story.steps.count && steps.allSatisfy(\.hasPassed)
    }

    var value: JSONValue {
        .object([
            "file": .string(story.file), "story": .string(story.title),
            "passed": .bool(hasPassed), "steps": .array(steps.map(\.value)),
            "left": .integer(Int64(story.steps.count - steps.count)),
        ])
    }
}

/// What became of a step.
struct StepOutcome: Sendable {
    var step: StoryStep
    /// What the command said.
    var lines: [String] = []
    /// The same as JSON, where that was asked for.
    var answer: JSONValue?
    /// What is not as the story says; none where the step succeeded.
    var differences: [Difference] = []

    var hasPassed: Bool { differences.isEmpty }

    /// One thing that is not as the story says.
    struct Difference: Hashable, Sendable {
        var member: String
        var spot: StorySpot
        /// What must be, such as `active`; empty where it is only that the step must succeed.
        var expected: String
        /// What is.
        var found: String

        /// In words, with its place.
        func words(in file: String) -> String {
            let place = "\(file):\(spot.line):\(spot.column): `\(member)`"
            return expected.isEmpty
                ? "\(place) failed: \(found)"
                : "\(place) must be \(expected), and is \(found)."
        }

        var value: JSONValue {
            var members: [String: JSONValue] = [
                "member": .string(member), "line": .integer(Int64(spot.line)),
                "column": .integer(Int64(spot.column)), "found": .string(found),
            ]
            if !expected.isEmpty { members["expected"] = .string(expected) }
            return .object(members)
        }
    }

    var value: JSONValue {
        var members: [String: JSONValue] = [
            "step": .string(step.form.name), "words": .string(step.title),
            "line": .integer(Int64(step.spot.line)), "passed": .bool(hasPassed),
        ]
        if let answer { members["answer"] = answer }
        if !differences.isEmpty {
            members["differences"] = .array(differences.map(\.value))
        }
        return .object(members)
    }
}
