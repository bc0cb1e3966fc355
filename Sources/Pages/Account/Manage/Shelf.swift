import AppStoreWire
import ConnectAnswers
import HTMLPages
import StoreHTTP
import SubscriptionRules

/// What an app is called and sells, in the reader's language, what is not for sale any more too.
struct Shelf: Sendable {
    let app: AppSheet
    private let products: [String: JSONValue]
    private let home: String
    /// The locales that texts are looked for in, best first.
    private let locales: [String]

    /// - Throws: `Refusal`; `UnusableAnswer`.
    init(_ visit: Visit) async throws {
        let bundleID = visit.session.bundleID
        app = try await visit.desk.get(StorePath("connect", "v1", "apps", bundleID))
            .read(AppForm.app, into: AppSheet())
        let catalogue = try await visit.desk.get(
            StorePath("connect", "v1", "apps", bundleID, "catalogue"))
        home = try catalogue.text("locale")
        locales = [visit.locale.language, visit.customer.locale, home]
        var products: [String: JSONValue] = [:]
        for product in try catalogue.list("products") {
            products[try product.text("id")] = product.harmless
        }
        self.products = products
    }

    /// What a product is called.
    func name(_ id: String) -> String { text("displayName", of: id) ?? id }

    /// What it brings; nil where the developer says nothing.
    func description(_ id: String) -> String? { text("description", of: id) }

    /// How long a period of it is.
    func period(_ id: String) -> CalendarPeriod? {
        products[id]?["subscription"]?["period"]?.string.flatMap { CalendarPeriod(iso8601: $0) }
    }

    private func text(_ member: String, of id: String) -> String? {
        let texts = products[id]?["localizations"]?.array ?? []
        for locale in locales {
            let language = Self.language(locale)
            let found =
                texts.first { $0["locale"]?.string == locale }
                ?? texts.first { $0["locale"]?.string.map(Self.language) == language }
            if let text = found?[member]?.string, !text.isEmpty { return text }
        }
        return texts.lazy.compactMap { $0[member]?.string }.first { !$0.isEmpty }
    }

    private static func language(_ locale: String) -> String {
        locale.prefix { $0 != "_" && $0 != "-" }.lowercased()
    }
}
