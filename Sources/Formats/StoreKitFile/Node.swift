import AppStoreWire
import SubscriptionRules

/// A JSON value and where it stands in the file.
struct Node {
    let value: JSONValue
    /// The path from the top of the file, `$`.
    let path: String

    /// The member with a name; nil where it is absent or null, which mean the same in these files.
    func member(_ key: String) -> Node? {
        guard let value = value[key], !value.isNull else { return nil }
        return Node(value: value, path: self.path(of: key))
    }

    /// The path of a member, whether or not it is there.
    func path(of key: String) -> String {
        let isPlain =
            !key.isEmpty
            && key.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
        return isPlain ? "\(path).\(key)" : "\(path)[\(quoted(key))]"
    }

    /// The elements of an array, or nil when it is none.
    var elements: [Node]? {
        value.array?.enumerated().map { Node(value: $1, path: "\(path)[\($0)]") }
    }

    /// What kind of JSON value this is, for findings; never the value itself, which may be secret.
    var kind: String {
        switch value {
        case .null: "null"
        case .bool: "a Boolean"
        case .integer, .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension Findings {
    /// The text of a member; nil where it is absent. Another kind of value is a problem, and so is
    /// a text that cannot be kept.
    mutating func text(
        _ key: String, of node: Node, as kind: CatalogueText = .line
    ) -> String? {
        guard let member = node.member(key) else { return nil }
        if let text = member.value.string {
            if !kind.allows(text) {
                fail(
                    member.path, "The text \(quoted(text)) cannot be kept.",
                    remedy: "Write \(kind.rule).")
            }
            return text
        }
        fail(
            member.path, "This is \(member.kind), not a string.",
            remedy: "Put the text in double quotes.")
        return nil
    }

    /// The text of a member, or nil where it is absent or empty.
    mutating func filledText(_ key: String, of node: Node) -> String? {
        guard let text = text(key, of: node), !text.isEmpty else { return nil }
        return text
    }

    /// The Boolean of a member; nil where it is absent. Another kind of value is a problem.
    mutating func flag(_ key: String, of node: Node) -> Bool? {
        guard let member = node.member(key) else { return nil }
        if let flag = member.value.bool { return flag }
        fail(member.path, "This is \(member.kind), not a Boolean.", remedy: "Write true or false.")
        return nil
    }

    /// The whole number of a member; nil where it is absent. Another kind of value, or one
    /// outside `range`, is a problem.
    mutating func whole(_ key: String, of node: Node, in range: ClosedRange<Int64>) -> Int? {
        guard let member = node.member(key) else { return nil }
        if let number = member.value.integer, range.contains(number) { return Int(number) }
        let found = member.value.integer.map(String.init) ?? member.kind
        fail(
            member.path, "This is \(found), not a whole number that fits here.",
            remedy: "Write a whole number from \(range.lowerBound) to \(range.upperBound).")
        return nil
    }

    /// The objects of an array member; none where it is absent. Another kind of value is a problem,
    /// and so is an element that is no object.
    mutating func objects(_ key: String, of node: Node) -> [Node] {
        list(key, of: node).filter { isObject($0) }
    }

    /// The elements of an array member; none where it is absent.
    mutating func list(_ key: String, of node: Node) -> [Node] {
        guard let member = node.member(key) else { return [] }
        if let elements = member.elements { return elements }
        fail(
            member.path, "This is \(member.kind), not an array.",
            remedy: "Write an array, [] when there is nothing in it.")
        return []
    }

    /// Whether a value is an object; if not, that is a problem.
    mutating func isObject(_ node: Node) -> Bool {
        if node.value.object != nil { return true }
        fail(
            node.path, "This is \(node.kind), not an object.",
            remedy: "Write an object as Xcode does, or take it out.")
        return false
    }
}
