import NaiveModel

/// Makes a finding smaller: leaves steps out as long as something of its kind stays wrong.
public struct Shrinker: Sendable {
    private let simulation: Simulation

    public init(_ simulation: Simulation) { self.simulation = simulation }

    /// Leaves out halves, quarters and so on down to single steps.
    public func shrink(_ finding: Finding) async throws -> Finding {
        var best = finding
        var size = max(best.scenario.steps.count / 2, 1)
        while true {
            var start = 0
            while start < best.scenario.steps.count {
                var smaller = best.scenario
                smaller.steps.removeSubrange(
                    start..<min(start + size, smaller.steps.count))
                if smaller.isPossible, let found = try await simulation.run(smaller).finding,
                    found.kind == finding.kind
                {
                    best = found
                } else {
                    start += size
                }
            }
            guard size > 1 else { return best }
            size /= 2
        }
    }
}

extension Finding {
    /// What its first line begins with: without it, a world that cannot be, for something that
    /// was left out of it, would take the finding's place.
    fileprivate var kind: Substring { (lines.first ?? "").prefix { $0 != ":" && $0 != " " } }
}

extension Scenario {
    /// Whether nobody acts before having signed up.
    var isPossible: Bool {
        var known: Set<String> = []
        for step in steps {
            switch step.command {
            case .signUp(let name, _): known.insert(name.line)
            case .crowd(let count, _, _):
                known.formUnion((1...count).map { Account.Name(inCrowd: $0).line })
            default: break
            }
            if let actor = step.command.actor, !known.contains(actor.line) { return false }
        }
        return true
    }
}
