import AppStoreWire
import SubscriptionRules

extension CatalogueReader {
    /// Reads an entry of `products`, `nonRenewingSubscriptions` or an array like them (SKF-4).
    ///
    /// - Parameter assumed: the type that the array is for; nil in `products`, which mixes them.
    mutating func readProduct(_ node: Node, assumed: ProductType?) {
        guard let type = readType(of: node, assumed: assumed),
            let id = readProductID(of: node)
        else { return }
        if type == .autoRenewableSubscription {
            keepLoose(node, productID: id)
            return
        }
        noteImage(of: node)
        let product = Product(
            id: id, type: type, referenceName: readReferenceName(of: node),
            isFamilyShareable: readFamilySharing(of: node, type: type),
            localizations: readLocalizations(of: node), basePrice: readPrice(of: node))
        add(product, from: node)
    }

    private mutating func readType(of node: Node, assumed: ProductType?) -> ProductType? {
        let path = node.path(of: "type")
        guard let word = findings.filledText("type", of: node) else {
            if let assumed {
                findings.warn(
                    path, "The product type is missing; taken as \(Spelling.word(assumed)).",
                    remedy: "Write it down.")
                return assumed
            }
            findings.fail(
                path, "The product type is missing.",
                remedy: "Write \"Consumable\" or \"NonConsumable\".")
            return nil
        }
        guard let type = Spelling.productType(word) else {
            findings.fail(
                path, "The product type \(quoted(word)) is not known.",
                remedy: "Write \"Consumable\", \"NonConsumable\" or \"NonRenewingSubscription\".")
            return nil
        }
        noteSpelling(word, of: type, at: path)
        if let assumed, assumed != type {
            findings.warn(
                path,
                "A \(Spelling.word(type)) stands among \(Spelling.word(assumed)) entries; "
                    + "its own type counts.", remedy: "Move it to where Xcode keeps it.")
        }
        return type
    }

    /// Warns of a product type that is not written as Xcode writes it.
    mutating func noteSpelling(_ word: String, of type: ProductType, at path: String) {
        guard word != Spelling.word(type) else { return }
        findings.warn(
            path, "The product type \(quoted(word)) is read as \(Spelling.word(type)).",
            remedy: "Write it as Xcode does.")
    }

    /// The product identifier; without one a product cannot be bought, so that is a problem.
    mutating func readProductID(of node: Node) -> String? {
        if let id = findings.filledText("productID", of: node) {
            noteLetters(of: id, at: node.path(of: "productID"))
            return id
        }
        let member = node.member("productID")
        // Another kind of value was noted as such.
        guard member == nil || member?.value.string != nil else { return nil }
        findings.fail(
            node.path(of: "productID"), "The product identifier is missing.",
            remedy: "Write the identifier by which the app asks for the product.")
        return nil
    }

    /// Warns of an identifier that App Store Connect would not take. Hyphens occur in files that
    /// Xcode has synchronised, so they are left alone.
    private mutating func noteLetters(of id: String, at path: String) {
        let isUsual = id.unicodeScalars.allSatisfy {
            $0.isASCII
                && ($0.properties.isAlphabetic || "0123456789._-".unicodeScalars.contains($0))
        }
        guard !isUsual else { return }
        findings.warn(
            path,
            "The product identifier \(quoted(id)) has other marks than letters, digits, dots, "
                + "underscores and hyphens, so App Store Connect would not take it; kept.",
            remedy: "Choose another identifier.")
    }

    /// The reference name; Xcode wrote null for none in 1.1 files.
    mutating func readReferenceName(of node: Node) -> String {
        findings.text("referenceName", of: node) ?? ""
    }

    /// Whether Family Sharing is on, under any of the three spellings seen.
    mutating func readFamilySharing(of node: Node, type: ProductType) -> Bool {
        var isOn = findings.flag("familyShareable", of: node)
        for other in ["familySharable", "isFamilyShareable"] where isOn == nil {
            guard let flag = findings.flag(other, of: node) else { continue }
            findings.warn(
                node.path(of: other), "\"\(other)\" is read as \"familyShareable\".",
                remedy: "Write \"familyShareable\".")
            isOn = flag
        }
        guard isOn == true, !type.canBeShared else { return isOn ?? false }
        findings.warn(
            node.path(of: "familyShareable"),
            "A \(Spelling.word(type)) cannot be shared with a family; taken as false.",
            remedy: "Turn Family Sharing off for it.")
        return false
    }

    private static let setPrice =
        "Type a price in Xcode, or set one with `perennial price set PRODUCT STOREFRONT PRICE`."

    /// The price of one in milliunits.
    ///
    /// A price that was never typed in is 0, with a warning, and the product stays. Xcode lets
    /// its user leave the field empty and goes on offering the product, so code that works there
    /// finds it here too. Leaving it out would turn a forgotten price into an unknown product,
    /// and a level of a group into a gap. What it really costs is nowhere in the file: the
    /// warning says where to type it.
    mutating func readPrice(of node: Node) -> Int64 {
        guard let member = node.member("displayPrice"), member.value != .string("") else {
            findings.warn(
                node.path(of: "displayPrice"), "No price is given; sold for 0.",
                remedy: Self.setPrice)
            return 0
        }
        guard let price = readPriceText(member) else { return 0 }
        if price == 0, !isFreeTrial(node) {
            findings.warn(
                member.path, "The price is 0, which the App Store has for free offers only; kept.",
                remedy: Self.setPrice)
        }
        return price
    }

    /// App Review has free trials of what is bought once sold as non-consumables for nothing.
    private func isFreeTrial(_ node: Node) -> Bool {
        node.member("type")?.value == .string("NonConsumable")
    }

    /// A price that is there, in milliunits; nil, and a problem noted, when it cannot be read.
    mutating func readPriceText(_ member: Node) -> Int64? {
        let text: String
        switch member.value {
        case .string(let price): text = price
        case .integer(let price):
            text = String(price)
            findings.warn(
                member.path, "The price is a number; read as \(quoted(text)).",
                remedy: "Put the price in double quotes.")
        default:
            findings.fail(
                member.path, "The price is \(member.kind), not a decimal text.",
                remedy: "Put the price in double quotes, such as \"9.99\".")
            return nil
        }
        do {
            let price = try PriceText.milliunits(text)
            noteRounding(of: price, text, at: member.path)
            return price
        } catch {
            findings.fail(member.path, error.problem, remedy: error.remedy)
            return nil
        }
    }

    /// Warns of decimals that the file's own currency does not have.
    private mutating func noteRounding(of price: Int64, _ text: String, at path: String) {
        let currency = storefront.currency
        guard !currency.allows(price) else { return }
        findings.warn(
            path,
            "\(currency.code) prices have \(currency.decimals) decimals; \(quoted(text)) is "
                + "charged as \(Money.plainText(currency.rounded(price), currency.code)).",
            remedy: "Write a price with as many decimals as the currency has.")
    }

    /// Names and descriptions by locale, at most one for each (SKF-7).
    mutating func readLocalizations(of node: Node) -> [Localization] {
        var localizations: [Localization] = []
        var locales: Set<String> = []
        for entry in findings.objects("localizations", of: node) {
            guard let locale = readLocale("locale", of: entry) else {
                findings.warn(
                    entry.path(of: "locale"), "A text without a locale is left out.",
                    remedy: "Name its locale, such as \"en_US\".")
                continue
            }
            guard isNew(locale, among: &locales, at: entry) else { continue }
            localizations.append(
                Localization(
                    locale: locale, displayName: readDisplayName(of: entry),
                    description: findings.text("description", of: entry, as: .description) ?? ""))
        }
        return localizations
    }

    /// Whether a locale has not come yet; of two texts in one language the first counts.
    mutating func isNew(
        _ locale: String, among locales: inout Set<String>, at entry: Node
    ) -> Bool {
        guard !locales.insert(locale).inserted else { return true }
        findings.warn(
            entry.path, "The locale \(quoted(locale)) comes twice; the first counts.",
            remedy: "Take one out.")
        return false
    }

    /// A locale, with an underscore; nil where there is none.
    mutating func readLocale(_ key: String, of node: Node) -> String? {
        guard let written = findings.filledText(key, of: node) else { return nil }
        let locale = written.replacing("-", with: "_")
        if locale != written {
            findings.warn(
                node.path(of: key), "The locale \(quoted(written)) is read as \(locale).",
                remedy: "Write locales with an underscore.")
        }
        return locale
    }

    private mutating func readDisplayName(of entry: Node) -> String {
        if let name = findings.text("displayName", of: entry) { return name }
        guard let name = findings.text("name", of: entry) else { return "" }
        findings.warn(
            entry.path(of: "name"), "\"name\" is read as \"displayName\".",
            remedy: "Write \"displayName\".")
        return name
    }
}
