import AppStoreSigning
import AppStoreWire

/// What a store looks at before it does what a request of Advanced Commerce asks for.
enum Check: String, CaseIterable, Hashable, Sendable {
    case text, signature, claims
    case token, limit, identifier
    case form, reference, names, numbers, codes, together
    case once, product, place, subscription, refund
    case payment

    /// What it is called, at the beginning of a line.
    var title: String {
        switch self {
        case .text: "signed text"
        case .signature: "signature"
        case .claims: "claims"
        case .token: "request token"
        case .limit: "limit"
        case .identifier: "identifier"
        case .form: "form"
        case .reference: "request's number"
        case .names: "names and texts"
        case .numbers: "prices and counts"
        case .codes: "codes and words"
        case .together: "parts together"
        case .once: "asked once"
        case .product: "product"
        case .place: "storefront"
        case .subscription: "subscription"
        case .refund: "refund"
        case .payment: "payment"
        }
    }

    /// One comes after another; those of one stage are judged member by member, in no order of
    /// their own.
    var stage: Int {
        switch self {
        case .text, .token: 0
        case .signature, .limit: 1
        case .claims, .identifier: 2
        case .form, .reference, .names, .numbers, .codes, .together: Self.reading
        case .once, .product, .place, .subscription, .refund: Self.reading + 1
        case .payment: Self.reading + 2
        }
    }

    /// The stage at which the request itself is read, which needs no store.
    static let reading = 3

    /// Whether it can be judged without a store.
    var needsNoStore: Bool {
        switch self {
        case .text, .claims, .identifier: true
        default: stage == Self.reading
        }
    }
}

extension Check {
    /// What a number of Apple's means where a request is read.
    static func reading(_ code: Int64) -> Check {
        switch code {
        case 4_000_171: .text
        case 4_000_174: .signature
        case 4_000_006: .identifier
        case 4_000_079...4_000_082, 4_000_033: .reference
        case 4_000_087...4_000_089, 4_000_118, 4_000_119, 4_000_122, 4_000_170: .names
        case 4_000_086, 4_000_091, 4_000_094, 4_000_129, 4_000_132, 4_000_136, 4_000_137,
            4_000_151, 4_000_152, 4_000_154, 4_000_160, 4_000_179, 4_000_223:
            .numbers
        case 4_000_028, 4_000_053, 4_000_096, 4_000_123...4_000_128, 4_000_130, 4_000_167,
            4_000_172:
            .codes
        case 4_000_063, 4_000_115, 4_000_139...4_000_144, 4_000_147...4_000_150, 4_000_155,
            4_000_165, 4_000_178, 4_000_184, 4_000_192...4_000_194, 4_000_222:
            .together
        default: .form
        }
    }

    /// What a number of Apple's means where a request that is right in itself is carried out.
    static func carryingOut(_ code: Int64) -> Check {
        switch code {
        case 4_000_006: .identifier
        case 4_290_000: .limit
        case 4_000_171: .text
        case 4_000_174: .signature
        case 4_000_097: .once
        case 4_000_114, 4_000_116, 4_000_117, 4_000_122, 4_000_166, 4_000_167, 4_030_023,
            4_040_016:
            .product
        case 4_000_028, 4_000_053, 4_000_132...4_000_134, 4_030_022: .place
        case 4_000_158, 4_000_181, 4_000_182, 4_030_020, 4_030_021, 4_030_024, 4_030_025: .refund
        default: .subscription
        }
    }

    /// Which check a signed text did not pass.
    init(_ error: InAppRequestTokenError) {
        self =
            switch error {
            case .missing, .tooLarge, .malformed: .text
            case .unknownKey, .wrongSignature: .signature
            case .otherApp, .namesItsEnd, .expired, .issuedInFuture: .claims
            case .malformedRequest: .form
            }
    }
}

/// What came of a check.
struct CheckResult: Hashable, Sendable {
    enum Outcome: String, Hashable, Sendable { case passed, refused, notJudged }

    var check: Check
    var outcome: Outcome
    /// What was found, in a sentence that begins small.
    var words: String
}

extension CheckResult {
    /// All checks of a request in their order.
    ///
    /// - Parameters:
    ///   - checks: those that there are, with what each finds where it passes.
    ///   - refusal: the one that did not pass, and why; nil where all did.
    ///   - wasSent: whether a store has judged it.
    static func all(
        _ checks: [(check: Check, found: String)], refusal: (check: Check, words: String)?,
        wasSent: Bool
    ) -> [CheckResult] {
        checks.map { check, found in
            if let refusal {
                if check == refusal.check {
                    return CheckResult(check: check, outcome: .refused, words: refusal.words)
                }
                if check.stage >= refusal.check.stage {
                    let words =
                        check.stage == refusal.check.stage
                        ? "not judged to its end" : "not judged"
                    return CheckResult(check: check, outcome: .notJudged, words: words)
                }
            }
            guard wasSent || check.needsNoStore else {
                return CheckResult(
                    check: check, outcome: .notJudged,
                    words: "for the store to judge: nothing was sent")
            }
            return CheckResult(check: check, outcome: .passed, words: found)
        }
    }

    /// The same as JSON.
    static func json(_ results: [CheckResult]) -> JSONValue {
        .array(
            results.map { result in
                .object([
                    "check": .string(result.check.rawValue),
                    "outcome": .string(result.outcome.rawValue), "found": .string(result.words),
                ])
            })
    }
}
