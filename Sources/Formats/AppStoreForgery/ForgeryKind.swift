import AppStoreSigning
public import AppStoreWire

/// One way in which a text can be wrong, or right although it looks otherwise.
public struct ForgeryKind: Sendable {
    /// What its texts pretend to be.
    public let about: ForgerySubject
    /// The way itself, the same for every subject that has it: `signature-flipped`.
    public let fault: String
    /// What is wrong, in a sentence.
    public let why: String
    /// What a verifier must answer; given by our own code.
    public let answer: ForgeryAnswer
    /// What Apple's verifier for Python answers; nil where it has none for the subject.
    public let appleStatus: AppleStatus?
    /// Why Apple's verifier accepts what ours refuses, or the other way round.
    public let difference: String?
    /// What a server has to look at by itself, since no verifier can see it.
    public let lookAt: String?
    /// The one environment in which it can be told from a genuine text; nil for both.
    public let onlyIn: Environment?
    let make: @Sendable (Forger, ForgeryMaterial, Nonces) throws -> ForgedText

    /// Its stable name: `transaction-signature-flipped`.
    public var name: String { "\(about.rawValue)-\(fault)" }
    /// Whether a verifier must refuse it.
    public var mustBeRefused: Bool { answer != .accepted }

    /// A kind of a text that is a JWS.
    init(
        _ about: ForgerySubject, _ fault: String, _ why: String, _ answer: ForgeryAnswer,
        apple: AppleStatus? = nil, difference: String? = nil, lookAt: String? = nil,
        onlyIn: Environment? = nil, make: @escaping @Sendable (Workbench) throws -> ForgedText
    ) {
        self.about = about
        self.fault = fault
        self.why = why
        self.answer = answer
        let usual: AppleStatus = answer == .accepted ? .ok : .verificationFailure
        appleStatus = about.isVerifiedByApple ? apple ?? usual : nil
        self.difference = about.isVerifiedByApple ? difference : nil
        self.lookAt = lookAt
        self.onlyIn = onlyIn
        self.make = { try make(Workbench($0, $1, about, $2)) }
    }

    /// A kind of receipt: nobody but us verifies those.
    init(
        receipt fault: String, _ why: String, _ code: ReceiptVerificationError.Code?,
        lookAt: String? = nil, make: @escaping @Sendable (ReceiptBench) throws -> ForgedText
    ) {
        about = .receipt
        self.fault = fault
        self.why = why
        answer = code.map { .receipt($0) } ?? .accepted
        appleStatus = nil
        difference = nil
        self.lookAt = lookAt
        onlyIn = nil
        self.make = { forger, material, _ in try make(ReceiptBench(forger, material)) }
    }

    /// Every kind there is, in the order in which they are listed.
    public static let all: [ForgeryKind] = ForgerySubject.allCases.flatMap(kinds)

    private static func kinds(of about: ForgerySubject) -> [ForgeryKind] {
        guard about != .receipt else { return receipts }
        let families: [(ForgerySubject) -> [ForgeryKind]] = [
            controls, signatures, headers, certificates, texts, payloads, identities, dates,
            claims,
        ]
        return families.flatMap { kinds in kinds(about) }
    }

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    /// The kind of a name; nil if there is none.
    public static func named(_ name: String) -> ForgeryKind? { byName[name] }
}

/// What a kind makes.
struct ForgedText {
    var text: String
    /// A genuine text that a server is shown before.
    var first: String?

    init(_ text: String, after first: String? = nil) {
        self.text = text
        self.first = first
    }
}

/// A text that is wrong in one known way.
public struct Forgery: Sendable {
    /// In which way.
    public let kind: ForgeryKind
    /// The text, as it would be received.
    public let text: String
    /// A genuine text that a server has to be shown before, where that is the point.
    public let first: String?
}

/// Why a kind cannot be made of something.
public enum ForgeryImpossible: Error, Sendable, Hashable {
    /// The kind says nothing in this environment.
    case onlyIn(Environment)
    /// There is no renewal information.
    case notASubscription
    /// Nobody else has bought anything.
    case noOtherCustomer
    /// There are no certificates for receipts.
    case noReceipts
}

extension ForgeryImpossible: CustomStringConvertible {
    /// What is missing and what to do.
    public var description: String {
        switch self {
        case .onlyIn(let environment):
            "This kind is told from a genuine text in \(environment) only: ask there."
        case .notASubscription:
            "Only a subscription has renewal information: name a transaction of one."
        case .noOtherCustomer:
            "Nobody else has bought anything in this app: let a second customer buy first."
        case .noReceipts: "This store signs no receipts."
        }
    }
}
