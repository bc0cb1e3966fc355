import AppStoreWire
import Synchronization

/// What this process has counted of the notifications that came in.
final class IntakeCounts: Sendable {
    /// What came of one.
    enum Outcome: String, Hashable, Sendable {
        case kept, repeated, setAside, refused

        init(_ reception: Merchant.Reception) {
            self =
                switch reception {
                case .kept: .kept
                case .repeated: .repeated
                case .setAside: .setAside
                }
        }
    }

    private struct Key: Hashable {
        let type: String
        let outcome: Outcome
    }

    private let counts = Mutex<[Key: Int]>([:])

    /// Only Apple's types are told apart: anybody may have signed another word.
    func count(_ type: String, _ outcome: Outcome) {
        let isKnown =
            NotificationTypeV2.allowedSubtypes[NotificationTypeV2(rawValue: type)] != nil
        let key = Key(type: isKnown || type == "unknown" ? type : "other", outcome: outcome)
        counts.withLock { $0[key, default: 0] += 1 }
    }

    var snapshot: [IntakeCount] {
        counts.withLock { counts in
            counts.map { key, count in
                IntakeCount(type: key.type, outcome: key.outcome.rawValue, count: count)
            }
        }.sorted { ($0.type, $0.outcome) < ($1.type, $1.outcome) }
    }
}

/// How many notifications of a type came to something, since this process began.
public struct IntakeCount: Hashable, Sendable {
    /// Apple's word, `unknown` where it was not read, or `other`.
    public let type: String
    /// `kept`, `repeated`, `setAside` or `refused`.
    public let outcome: String
    public let count: Int
}

extension Merchant {
    /// What this process has counted of the notifications that came in.
    public var intakeCounts: [IntakeCount] { intake.snapshot }
}
