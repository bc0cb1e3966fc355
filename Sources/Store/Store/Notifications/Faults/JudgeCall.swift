public import AppStoreWire
import Storage
public import SubscriptionRules
import Synchronization

/// What the rules make of a call of the App Store Server API.
public struct CallVerdict: Sendable, Hashable {
    /// How an answer that is not given by the store itself looks.
    public enum Refusal: Sendable, Hashable {
        case error(APIError)
        /// One call too many; see `CallFault.limit`.
        case limit(pause: Span?)
    }

    /// How long the call is held up before anything else.
    public internal(set) var wait = Span(milliseconds: 0)
    /// How it is answered; nil where it goes its way.
    public internal(set) var refusal: Refusal?
}

extension Store {
    /// Lets the rules decide about a call. All that make it slow do so together; the first one
    /// that refuses it is the last one asked.
    public func judgeCall(to operation: String, by caller: Caller) async throws -> CallVerdict {
        guard callFaults.isAny else { return CallVerdict() }
        return try await write { work in
            var verdict = CallVerdict()
            let rules = try FaultRecord.all(
                in: caller.environment, passingOver: work.setAside, work.session)
            for var rule in rules {
                guard case .calls(let fault, let wanted) = rule.effect,
                    (wanted ?? operation) == operation, !rule.isSpent,
                    try rule.app == nil || work.apps[rule.app!].bundleID == caller.bundleID
                else { continue }
                let isTaken = rule.take() != nil
                try rule.saveCounters(in: work.session)
                guard isTaken else { continue }
                switch fault {
                case .slow(let span):
                    let sum = verdict.wait.milliseconds + span.milliseconds
                    verdict.wait = Span(
                        milliseconds: min(sum, CallFault.longestWait.milliseconds))
                case .fail(let error): verdict.refusal = .error(error)
                case .limit(let pause): verdict.refusal = .limit(pause: pause)
                }
                if verdict.refusal != nil { break }
            }
            return verdict
        }
    }

    /// Looks again whether there are rules about calls: another process may have changed them.
    func refreshCallFaults() async throws {
        let seen = callFaults.generation
        let isAny = try await database.read { [setAside] session in
            try FaultRecord.all(passingOver: setAside, session)
                .contains { $0.isAboutCalls && !$0.isSpent }
        }
        callFaults.settle(on: isAny, seen: seen)
    }
}

extension FaultRecord {
    fileprivate var isAboutCalls: Bool {
        if case .calls = effect { true } else { false }
    }
}

/// Whether there may be rules about calls: without one, a call costs nothing more.
final class CallFaults: Sendable {
    private let state = Mutex((generation: 0, isAny: false))

    var isAny: Bool { state.withLock { $0.isAny } }

    /// Grows with every change of this process.
    var generation: Int { state.withLock { $0.generation } }

    /// A rule was made or taken back: until somebody has looked, there may be one.
    func change() { state.withLock { $0 = ($0.generation + 1, true) } }

    /// Takes over what somebody saw who began to look at a generation; a change meanwhile counts
    /// for more.
    func settle(on isAny: Bool, seen: Int) {
        state.withLock { state in
            if state.generation == seen { state.isAny = isAny }
        }
    }
}
