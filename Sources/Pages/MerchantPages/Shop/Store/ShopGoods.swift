public import AppStoreWire
import SubscriptionRules

/// What an app sells in a storefront.
public struct ShopGoods: Sendable {
    /// The app's name.
    public var app: String
    public let storefront: String
    let products: [ShopProduct]
    /// A web address; nil where the developer names none that a browser may follow.
    let privacyPolicy: String?
    /// A web address, or the text itself; nil where the store's own agreement applies.
    let licence: String?

    /// - Parameters:
    ///   - answer: the store's answer to `GET /storefront/v1/products`.
    ///   - app: the app's name.
    public init(_ answer: JSONValue, app: String) {
        self.app = app
        storefront = answer["storefront"]?.string ?? "USA"
        products = (answer["products"]?.array ?? []).compactMap { ShopProduct($0) }
        privacyPolicy = answer["privacyPolicyUrl"]?.string.flatMap(Self.webAddress)
        licence = answer["licenceAgreement"]?.string
    }

    /// What the first group of subscriptions is called, if it has a name.
    package var groupName: String? { products.lazy.compactMap { $0.plan?.groupName }.first }

    /// What the app offers by itself: a generic product is sold only as what the merchant
    /// describes.
    var offered: [ShopProduct] { products.filter { !$0.isGeneric } }

    func product(_ id: String) -> ShopProduct? { products.first { $0.id == id } }

    /// What a product is called; its identifier where the store sells it no more.
    func name(_ id: String) -> String { product(id)?.name ?? id }

    /// What is unlocked is called as its group is, or as the product.
    func nameOfEntitlement(_ id: String) -> String {
        products.lazy.compactMap { $0.plan }.first { $0.group == id }?.groupName ?? name(id)
    }

    /// The address, if a browser may be sent there.
    static func webAddress(_ text: String) -> String? {
        let start = text.lowercased()
        let isPlain = text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        return isPlain && (start.hasPrefix("https://") || start.hasPrefix("http://")) ? text : nil
    }
}

/// One product.
struct ShopProduct: Sendable {
    let id: String
    let type: ProductType
    let name: String
    let about: String
    /// In milliunits.
    let price: Int64
    let currency: String
    let isShareable: Bool
    /// Whether it stands for what the merchant describes itself (Advanced Commerce).
    let isGeneric: Bool
    let plan: Plan?

    /// What an auto-renewable subscription has besides.
    struct Plan: Sendable {
        let group: String
        let groupName: String?
        let level: Int64
        let period: CalendarPeriod
        let introduction: Introduction?
    }

    /// The offer for newcomers.
    struct Introduction: Sendable {
        enum Mode: String {
            case freeTrial = "FREE_TRIAL"
            case payAsYouGo = "PAY_AS_YOU_GO"
            case payUpFront = "PAY_UP_FRONT"
        }
        let mode: Mode
        let period: CalendarPeriod
        let count: Int
        let price: Int64

        /// How long it is in all.
        var length: CalendarPeriod { period.repeated(count) }
    }

    fileprivate init?(_ value: JSONValue) {
        guard let id = value["id"]?.string,
            let type = value["type"]?.string.flatMap({ ProductType(rawValue: $0) }),
            let price = value["price"]?.integer, let currency = value["currency"]?.string
        else { return nil }
        self.id = id
        self.type = type
        self.price = price
        self.currency = currency
        let name = value["displayName"]?.string ?? ""
        self.name = name.isEmpty ? id : name
        about = value["description"]?.string ?? ""
        isShareable = value["familyShareable"]?.bool ?? false
        isGeneric = value["isGeneric"]?.bool ?? false
        plan = value["subscription"].flatMap { Plan($0) }
    }
}

extension ShopProduct.Plan {
    fileprivate init?(_ value: JSONValue) {
        guard let group = value["groupId"]?.string,
            let period = value["period"]?.string.flatMap({ CalendarPeriod(iso8601: $0) })
        else { return nil }
        self.group = group
        self.period = period
        groupName = value["groupDisplayName"]?.string
        level = value["level"]?.integer ?? 1
        introduction = value["introductoryOffer"].flatMap { ShopProduct.Introduction($0) }
    }
}

extension ShopProduct.Introduction {
    fileprivate init?(_ value: JSONValue) {
        guard let mode = value["mode"]?.string.flatMap({ Mode(rawValue: $0) }),
            let period = value["period"]?.string.flatMap({ CalendarPeriod(iso8601: $0) }),
            let count = value["periodCount"]?.integer, (1...1000).contains(count),
            let price = value["price"]?.integer
        else { return nil }
        self.mode = mode
        self.period = period
        self.count = Int(count)
        self.price = price
    }
}
