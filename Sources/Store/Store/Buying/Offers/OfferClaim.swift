/// The offer that a customer asks for with a purchase, besides the introductory one that a new
/// subscriber gets unasked (TAB-5.2).
public enum OfferClaim: Sendable, Hashable {
    /// The developer's word on the introductory offer, whatever was used before.
    case introductory(isAllowed: Bool, SignedClaim)
    /// A promotional offer that the developer has signed (PRO-1).
    case promotional(id: String, SignedClaim)
    /// A win-back offer (WIN-1).
    case winBack(id: String)
    /// An offer code, in capital letters (COD-1).
    case code(String)
}

/// What was signed for a claim. Whoever makes one has verified the signature.
public struct SignedClaim: Sendable, Hashable {
    /// A UUID in lower case: one attempt to buy for each (PRO-1).
    public var nonce: String
    /// The transaction by which the developer names the customer; nil where it names nobody.
    public var transactionID: String?

    public init(nonce: String, transactionID: String? = nil) {
        self.nonce = nonce
        self.transactionID = transactionID
    }
}

extension OfferClaim {
    /// What a repeated purchase must say again.
    var text: String {
        switch self {
        case .introductory(let isAllowed, let signed): "introductory \(isAllowed) \(signed.nonce)"
        case .promotional(let id, let signed): "promotional \(id) \(signed.nonce)"
        case .winBack(let id): "winBack \(id)"
        case .code(let code): "code \(code)"
        }
    }

    /// Whether only subscriptions have such offers: what is bought once has codes alone (COD-6).
    var isForSubscriptions: Bool {
        switch self {
        case .introductory, .promotional, .winBack: true
        case .code: false
        }
    }

    var signed: SignedClaim? {
        switch self {
        case .introductory(_, let signed), .promotional(_, let signed): signed
        case .winBack, .code: nil
        }
    }
}
