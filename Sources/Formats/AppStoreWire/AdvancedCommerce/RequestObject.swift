/// Short for the many places that refuse.
typealias Refusal = APIError.AdvancedCommerce

/// One object of an Advanced Commerce request, read member by member.
///
/// `null` counts as absent and unknown members are passed over, as everywhere on Apple's wire. A
/// member of another JSON type is 4000173; what is wrong below the request itself is told with its
/// place.
struct RequestObject {
    private let members: [String: JSONValue]
    /// Where it stands in the request, such as `items[2]`; empty for the request itself.
    let place: String

    init(_ json: JSONValue, at place: String = "") throws(APIError) {
        guard let members = json.object else {
            throw place.isEmpty
                ? Refusal.malformedPayload
                : Refusal.malformedPayload.saying("`\(place)` is not a JSON object: send one.")
        }
        self.members = members
        self.place = place
    }

    /// The error with the place of this object before its words.
    func refusal(_ error: APIError) -> APIError {
        place.isEmpty ? error : error.saying("In `\(place)`: \(error.message)")
    }

    /// Refuses unless `condition` holds.
    func require(_ condition: Bool, or error: APIError) throws(APIError) {
        guard condition else { throw refusal(error) }
    }

    private func path(_ name: String) -> String { place.isEmpty ? name : "\(place).\(name)" }

    private func member<Value>(
        _ name: String, _ kind: String, _ read: (JSONValue) -> Value?
    ) throws(APIError) -> Value? {
        guard let json = members[name], !json.isNull else { return nil }
        guard let value = read(json) else {
            throw Refusal.malformedPayload.saying("`\(path(name))` is not \(kind): send one.")
        }
        return value
    }

    private func needed<Value>(_ value: Value?, or missing: APIError) throws(APIError) -> Value {
        guard let value else { throw refusal(missing) }
        return value
    }

    // MARK: By JSON type

    func text(_ name: String) throws(APIError) -> String? {
        try member(name, "a text") { $0.string }
    }

    func text(_ name: String, or missing: APIError) throws(APIError) -> String {
        try needed(text(name), or: missing)
    }

    func flag(_ name: String) throws(APIError) -> Bool? {
        try member(name, "true or false") { $0.bool }
    }

    func flag(_ name: String, or missing: APIError) throws(APIError) -> Bool {
        try needed(flag(name), or: missing)
    }

    func number(_ name: String) throws(APIError) -> Int64? {
        try member(name, "a whole number of 64 bits") { $0.wholeNumber }
    }

    func number(_ name: String, or missing: APIError) throws(APIError) -> Int64 {
        try needed(number(name), or: missing)
    }

    func object(_ name: String) throws(APIError) -> RequestObject? {
        guard let json = members[name], !json.isNull else { return nil }
        return try RequestObject(json, at: path(name))
    }

    func object(_ name: String, or missing: APIError) throws(APIError) -> RequestObject {
        try needed(object(name), or: missing)
    }

    func array(_ name: String) throws(APIError) -> [JSONValue]? {
        try member(name, "an array") { $0.array }
    }

    /// The items of an array, each read by `read`.
    ///
    /// - Parameters:
    ///   - empty: what an array without any item is refused with.
    ///   - tooMany: what more items than are allowed are refused with.
    func items<Item>(
        _ name: String, empty: APIError = Refusal.atLeastOneItem,
        tooMany: APIError = Refusal.moreItemsThanAllowed,
        _ read: (RequestObject) throws(APIError) -> Item
    ) throws(APIError) -> [Item]? {
        guard let elements = try array(name) else { return nil }
        try require(!elements.isEmpty, or: empty)
        try require(elements.count <= AdvancedCommerceLimit.items, or: tooMany)
        var items: [Item] = []
        for (place, element) in elements.enumerated() {
            items.append(try read(RequestObject(element, at: "\(path(name))[\(place)]")))
        }
        return items
    }

    /// A member whose text is one of the published values.
    func choice<Value: OpenEnum>(
        _ name: String, unknown: APIError
    ) throws(APIError) -> Value? where Value.RawValue == String {
        guard let value = try text(name).map(Value.init(rawValue:)) else { return nil }
        try require(value.isKnown, or: unknown)
        return value
    }

    func choice<Value: OpenEnum>(
        _ name: String, or missing: APIError, unknown: APIError
    ) throws(APIError) -> Value where Value.RawValue == String {
        try needed(choice(name, unknown: unknown), or: missing)
    }
}
