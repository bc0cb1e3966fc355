import AppStoreWire

/// A JSON object by its members as they are written, in their order, so that one can be changed,
/// left out or written twice.
struct RawObject {
    var members: [(name: String, value: [UInt8])]

    init() { members = [] }

    /// Takes an object apart; it must be one, in the form in which ``JSONWriter`` writes.
    init(_ json: [UInt8]) {
        members = []
        var (depth, isText, start, name) = (0, false, 1, "")
        var index = 0
        while index < json.count {
            let byte = json[index]
            if isText {
                if byte == UInt8(ascii: "\\") { index += 1 }
                if byte == UInt8(ascii: "\"") { isText = false }
            } else {
                switch byte {
                case UInt8(ascii: "\""): isText = true
                case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                case UInt8(ascii: ":") where depth == 1:
                    // Names are plain: no escapes.
                    name = String(decoding: json[(start + 1)..<(index - 1)], as: UTF8.self)
                    start = index + 1
                case UInt8(ascii: ",") where depth == 1:
                    members.append((name, Array(json[start..<index])))
                    start = index + 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    depth -= 1
                    if depth == 0, start < index {
                        members.append((name, Array(json[start..<index])))
                    }
                default: break
                }
            }
            index += 1
        }
    }

    var bytes: [UInt8] {
        var bytes = [UInt8(ascii: "{")]
        for (place, member) in members.enumerated() {
            if place > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += Array("\"\(member.name)\":".utf8) + member.value
        }
        return bytes + [UInt8(ascii: "}")]
    }

    subscript(name: String) -> [UInt8]? {
        members.first { $0.name == name }?.value
    }

    /// Gives a member another value, or adds it at the end.
    mutating func set(_ name: String, raw value: String) {
        if let place = members.firstIndex(where: { $0.name == name }) {
            members[place].value = Array(value.utf8)
        } else {
            add(name, raw: value)
        }
    }

    /// Gives a member another text, or adds it at the end.
    mutating func set(_ name: String, _ text: String) { set(name, raw: text.jsonText()) }

    /// Writes a member at the end, also where there is one of the name.
    mutating func add(_ name: String, raw value: String) {
        members.append((name, Array(value.utf8)))
    }

    mutating func add(_ name: String, _ text: String) { add(name, raw: text.jsonText()) }

    mutating func remove(_ name: String) { members.removeAll { $0.name == name } }

    /// Changes a member that is an object.
    mutating func change(_ name: String, _ body: (inout RawObject) -> Void) {
        guard let place = members.firstIndex(where: { $0.name == name }) else { return }
        var inner = RawObject(members[place].value)
        body(&inner)
        members[place].value = inner.bytes
    }
}
