/// What a merchant calls its plan and its items, from now on or from the next renewal: neither
/// prices nor what is delivered change (ACM-5).
public struct MerchantDescription: Hashable, Sendable {
    /// Words that change; nil leaves them.
    public struct Words: Hashable, Sendable {
        public var displayName: String?
        public var description: String?

        public init(displayName: String?, description: String?) {
            self.displayName = displayName
            self.description = description
        }

        func applied(to texts: DisplayTexts) -> DisplayTexts {
            DisplayTexts(
                displayName: displayName ?? texts.displayName,
                description: description ?? texts.description)
        }
    }

    /// What an item is called.
    public struct Item: Hashable, Sendable {
        public var currentSKU: String
        /// Its new SKU; nil where it stays.
        public var sku: String?
        public var words: Words
        public var isImmediate: Bool

        public init(_ currentSKU: String, sku: String?, _ words: Words, isImmediate: Bool) {
            self.currentSKU = currentSKU
            self.sku = sku
            self.words = words
            self.isImmediate = isImmediate
        }

        /// The same line under its new name.
        func applied(to line: Plan.Line) -> Plan.Line {
            var line = line
            line.sku = sku ?? line.sku
            line.texts = line.texts.map(words.applied)
            return line
        }
    }

    public var words: MerchantModification.Dated<Words>?
    public var items: [Item]
    public var taxCode: String?
    /// The UUID of the request, in lower case.
    public var requestID: String

    public init(
        words: MerchantModification.Dated<Words>?, items: [Item], taxCode: String?,
        requestID: String
    ) {
        self.words = words
        self.items = items
        self.taxCode = taxCode
        self.requestID = requestID
    }

    var isImmediate: Bool {
        words?.isImmediate == true || taxCode != nil || items.contains(where: \.isImmediate)
    }
}
