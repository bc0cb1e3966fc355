import AppStoreWire
import SubscriptionRules
import Timeline

/// What stands in a request, counted, for whoever is told what was checked.
struct RequestFacts {
    private let json: JSONValue
    private var skus: [String] = []
    private var names: [String] = []
    private var descriptions: [String] = []
    private var amounts: [Int64] = []
    private var offers = 0
    private var codes: [String] = []

    init(_ json: JSONValue?) {
        self.json = json ?? .object([:])
        gather(self.json)
    }

    private static let coded: Set = [
        "period", "taxCode", "currency", "storefront", "effective", "reason", "refundType",
        "refundReason", "targetProductId",
    ]

    private mutating func gather(_ value: JSONValue) {
        for element in value.array ?? [] { gather(element) }
        for (name, member) in (value.object ?? [:]).sorted(by: { $0.key < $1.key }) {
            switch (name, member) {
            case ("SKU", .string(let text)), ("currentSKU", .string(let text)): skus.append(text)
            case ("displayName", .string(let text)): names.append(text)
            case ("description", .string(let text)): descriptions.append(text)
            case ("dependentSKUs", .array(let all)): skus += all.compactMap(\.string)
            case ("price", _), ("proratedPrice", _), ("refundAmount", _):
                if let amount = member.wholeNumber { amounts.append(amount) }
            case (_, .string(let text)) where Self.coded.contains(name):
                let code = "\(name) \(text)"
                if !codes.contains(code) { codes.append(code) }
            default:
                if name == "offer", member.object != nil { offers += 1 }
                gather(member)
            }
        }
    }

    /// What kind of object it is: `CREATE_SUBSCRIPTION, version 1, 7 members of the right types`.
    var form: String {
        let head = [
            json["operation"]?.string, json["version"]?.string.map { "version \($0)" },
        ].compactMap(\.self)
        let members = counted(json.object?.count ?? 0, "member")
        return (head + ["\(members), all of the documented types"]).joined(separator: ", ")
    }

    /// How the request names itself.
    var reference: String {
        let info = json["requestInfo"]
        let token = info?["appAccountToken"]?.string
        return [
            "requestReferenceId \(info?["requestReferenceId"]?.string ?? "") is a UUID",
            token.map { $0.isEmpty ? "no account token from now on" : "account token \($0)" },
            info?["consistencyToken"]?.string.map { "consistency token \($0)" },
        ].compactMap(\.self).joined(separator: ", ")
    }

    /// How long texts are, and may be.
    var lengths: String {
        let parts = [
            Self.lengths(skus, "SKU", AdvancedCommerceLimit.sku),
            Self.lengths(names, "name", AdvancedCommerceLimit.displayName),
            Self.lengths(descriptions, "description", AdvancedCommerceLimit.description),
        ].compactMap(\.self)
        return parts.isEmpty ? "there are none" : parts.joined(separator: "; ")
    }

    private static func lengths(_ texts: [String], _ what: String, _ most: Int) -> String? {
        guard let longest = texts.map(\.unicodeScalars.count).max() else { return nil }
        return "\(counted(texts.count, what)), the longest of \(longest) of \(most) characters"
    }

    /// How much is asked for.
    ///
    /// - Parameter currency: nil where it is not known.
    func numbers(in currency: Currency?) -> String {
        guard let least = amounts.min(), let most = amounts.max() else { return "there are none" }
        func words(_ amount: Int64) -> String {
            currency.map { Money.plainText(amount, $0.code) } ?? "\(amount) milliunits"
        }
        let range = least == most ? words(most) : "\(words(least)) to \(words(most))"
        let offered = offers == 0 ? "" : ", \(counted(offers, "offer")) no dearer than the item"
        return "\(counted(amounts.count, "amount")), \(range)\(offered)"
    }

    /// Which published words it has.
    var words: String {
        codes.isEmpty ? "there are none" : codes.joined(separator: ", ") + ": all of them known"
    }
}
