import AppStoreWire

/// JSON texts: what is read means the same when it is written and read again.
struct JSONPrey: Prey {
    func eat(_ bytes: [UInt8]) async {
        _ = try? VerifyReceiptRequest(parsing: bytes)
        guard let value = try? JSONValue(parsing: bytes) else { return }
        _ = try? AdvancedCommerceInAppRequest(value)
        var json = JSONWriter()
        guard write(value, to: &json) else { return }
        precondition(try! JSONValue(parsing: json.bytes) == value)
    }

    /// Whether there is nothing in the value that the writer has no way to write.
    private func write(_ value: JSONValue, to json: inout JSONWriter) -> Bool {
        switch value {
        case .null, .number: return false
        case .bool(let value): json.writeBool(value)
        case .integer(let value): json.writeInteger(value)
        case .string(let value): json.writeString(value)
        case .array(let elements):
            var isWhole = true
            json.array { json in
                for element in elements {
                    var inner = JSONWriter()
                    isWhole = write(element, to: &inner) && isWhole
                    json.element(Raw(bytes: inner.bytes))
                }
            }
            return isWhole
        case .object(let members):
            var isWhole = true
            json.object { json in
                for (name, member) in members {
                    var inner = JSONWriter()
                    isWhole = write(member, to: &inner) && isWhole
                    json.field(named: name, Raw(bytes: inner.bytes))
                }
            }
            return isWhole
        }
        return true
    }

    private struct Raw: WireEncodable {
        let bytes: [UInt8]
        func encode(to json: inout JSONWriter) { json.raw(bytes) }
    }
}
