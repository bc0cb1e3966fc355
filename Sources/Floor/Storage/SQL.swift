/// A statement's text with numbered placeholders, and the values bound to them in order.
///
/// `"\(value)"` becomes `$n` and a bind, so a value can never be read as SQL.
public struct SQL: ExpressibleByStringInterpolation, Sendable {
    /// The text, with `$1`, `$2`… for the binds.
    public var text: String
    /// What the placeholders stand for: `binds[0]` is `$1`.
    public var binds: [SQLValue]

    /// Makes a statement of text that is already numbered and its binds.
    public init(text: String, binds: [SQLValue] = []) {
        self.text = text
        self.binds = binds
    }

    /// Makes a statement without binds.
    public init(stringLiteral value: String) {
        self.init(text: value)
    }

    /// Makes a statement of an interpolated literal.
    public init(stringInterpolation: Interpolation) {
        self.init(text: stringInterpolation.text, binds: stringInterpolation.binds)
    }

    /// Joins two statements' texts as they are; the second one's placeholders are renumbered.
    public static func + (first: SQL, second: SQL) -> SQL {
        SQL(
            text: first.text + Placeholders.renumber(second.text, by: first.binds.count),
            binds: first.binds + second.binds)
    }

    /// Appends a statement's text as it is; its placeholders are renumbered.
    public static func += (first: inout SQL, second: SQL) {
        first.text += Placeholders.renumber(second.text, by: first.binds.count)
        first.binds += second.binds
    }

    /// Collects the text and the binds of an interpolated literal.
    public struct Interpolation: StringInterpolationProtocol, Sendable {
        var text = ""
        var binds: [SQLValue] = []

        /// Makes room for the literal parts and a placeholder for each interpolation.
        public init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + 4 * interpolationCount)
            binds.reserveCapacity(interpolationCount)
        }

        /// Appends a part of the literal.
        public mutating func appendLiteral(_ literal: String) {
            text += literal
        }

        /// Binds a value to a new placeholder.
        public mutating func appendInterpolation(_ value: some SQLConvertible) {
            bind(value.sqlValue)
        }

        /// Binds a value, or NULL for nil, to a new placeholder.
        public mutating func appendInterpolation(_ value: (some SQLConvertible)?) {
            bind(value?.sqlValue ?? .null)
        }

        /// Splices another statement in; its placeholders are renumbered.
        public mutating func appendInterpolation(_ sql: SQL) {
            text += Placeholders.renumber(sql.text, by: binds.count)
            binds += sql.binds
        }

        /// Inserts text that is SQL itself, such as a table's name; never what a user typed.
        public mutating func appendInterpolation(raw: String) {
            text += raw
        }

        /// Binds each value, separated by commas, for `IN (…)`; an empty list is written as NULL,
        /// so that `IN` finds nothing (and so does `NOT IN`: test for emptiness before that).
        public mutating func appendInterpolation(list: some Sequence<some SQLConvertible>) {
            var separator = ""
            for value in list {
                text += separator
                bind(value.sqlValue)
                separator = ", "
            }
            if separator.isEmpty { text += "NULL" }
        }

        private mutating func bind(_ value: SQLValue) {
            binds.append(value)
            text += "$"
            text += String(binds.count)
        }
    }
}
