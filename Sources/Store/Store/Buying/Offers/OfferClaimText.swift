import AppStoreWire
import Storage

/// An offer that is asked for, as the JSON text in which a purchase that waits keeps it.
enum OfferClaimText {
    static func text(_ claim: OfferClaim) -> String {
        var json = JSONWriter(capacity: 128)
        json.object { json in
            switch claim {
            case .introductory(let isAllowed, let signed):
                json.field("kind", "introductory")
                json.field("isAllowed", isAllowed)
                write(signed, to: &json)
            case .promotional(let id, let signed):
                json.field("kind", "promotional")
                json.field("id", id)
                write(signed, to: &json)
            case .winBack(let id):
                json.field("kind", "winBack")
                json.field("id", id)
            case .code(let code):
                json.field("kind", "code")
                json.field("id", code)
            }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private static func write(_ signed: SignedClaim, to json: inout JSONWriter) {
        json.field("nonce", signed.nonce)
        json.field("transaction", signed.transactionID)
    }

    static func claim(_ text: String) throws(StorageError) -> OfferClaim {
        let json = try StoredJSON(text)
        func signed() throws(StorageError) -> SignedClaim {
            SignedClaim(
                nonce: try json.string("nonce"), transactionID: json.stringOrNil("transaction"))
        }
        switch try json.string("kind") {
        case "introductory":
            return .introductory(isAllowed: json.bool("isAllowed"), try signed())
        case "promotional": return .promotional(id: try json.string("id"), try signed())
        case "winBack": return .winBack(id: try json.string("id"))
        case "code": return .code(try json.string("id"))
        default: throw json.impossible("kind")
        }
    }
}
