import SubscriptionRules

extension CatalogueReport {
    /// The report for people: for each file a table of its products, then the findings.
    ///
    /// - Parameters:
    ///   - colours: whether to colour errors and warnings with ANSI escapes. Ask for it only where
    ///     a terminal shows it.
    ///   - table: draws rows as lines, the first row being the header: whoever shows them knows
    ///     how wide a line and a character are.
    public func text(colours: Bool = false, table: ([[String]]) -> [String]) -> String {
        var lines: [String] = []
        for file in files {
            lines += file.lines(Paint(isOn: colours), table)
            lines.append("")
        }
        let errors = files.reduce(0) { $0 + $1.errors.count }
        let warnings = files.reduce(0) { $0 + $1.warnings.count }
        let products = files.reduce(0) { $0 + $1.counts.products }
        lines.append(
            [
                counted(files.count, "file"), counted(products, "product"),
                counted(warnings, "warning"), counted(errors, "error"),
            ].joined(separator: ", "))
        return lines.joined(separator: "\n") + "\n"
    }
}

/// The colours of a report.
private struct Paint {
    let isOn: Bool

    func red(_ text: String) -> String { paint(text, "31") }
    func yellow(_ text: String) -> String { paint(text, "33") }
    func bold(_ text: String) -> String { paint(text, "1") }

    private func paint(_ text: String, _ code: String) -> String {
        isOn ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}

/// A number and a noun: `1 file`, `2 files`.
private func counted(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
}

extension CatalogueReport.File {
    fileprivate func lines(
        _ paint: Paint, _ table: ([[String]]) -> [String]
    ) -> [String] {
        var lines = [paint.bold(heading)]
        if !catalogue.products.isEmpty {
            lines.append("  " + summary)
            lines.append("")
            lines += table(rows()).map { "  " + $0 }
            let home = storefront ?? .usa
            lines.append("")
            lines.append(
                "  Prices are for \(home.code) (\(home.currency.code)). Every other storefront "
                    + "charges the same number in its own currency, rounded to that currency's "
                    + "decimals, until `perennial price set PRODUCT STOREFRONT PRICE` sets "
                    + "another.")
            lines += texts()
        }
        if !(warnings.isEmpty && errors.isEmpty) { lines.append("") }
        lines += errors.map { paint.red("error") + "   \($0)" }
        lines += warnings.map { paint.yellow("warning") + " \($0)" }
        if !advice.isEmpty {
            lines += ["", "  Right, and could be better:"]
            lines += advice.map { "advice  \($0)" }
        }
        return lines
    }

    /// What customers read besides the products' texts: the names of groups, and policies.
    private func texts() -> [String] {
        let groups = catalogue.groups.filter { !$0.localizations.isEmpty }.map { group in
            "  Customers read of the group \(printable(groupName(group.id))): "
                + group.localizations.map {
                    "\(quoted(printable($0.displayName))) (\(printable($0.locale)))"
                }.joined(separator: ", ")
        }
        let policies = catalogue.policies.privacyPolicies.map { policy in
            "  Privacy policy (\(printable(policy.locale))): "
                + (policy.url.isEmpty ? "a text" : printable(policy.url))
        }
        let agreement = catalogue.policies.licenceAgreement
        let licence =
            agreement.isEmpty
            ? []
            : [
                "  Licence agreement: "
                    + (AppPolicies.isWebAddress(agreement) ? printable(agreement) : "a text")
            ]
        let images =
            imageCount == 0
            ? []
            : [
                "  Promotional images of \(counted(imageCount, "product")) are not read: nothing "
                    + "here shows them."
            ]
        let all = groups + policies + licence + images
        return all.isEmpty ? [] : [""] + all
    }

    private var heading: String {
        guard let storefront else { return "\(name): not imported" }
        let format = version.isEmpty ? "" : "format \(version), "
        let assumed = isStorefrontAssumed ? ", assumed since the file names none" : ""
        let language = locale.map { ", language \(printable($0))" } ?? ""
        return "\(name): \(format)storefront \(storefront.code) "
            + "(\(storefront.currency.code))\(assumed)\(language)"
    }

    private var summary: String {
        let counts = counts
        return [
            (counts.groups, "group"),
            (counts.autoRenewableSubscriptions, "auto-renewable subscription"),
            (counts.offers, "offer"),
            (counts.nonRenewingSubscriptions, "non-renewing subscription"),
            (counts.nonConsumables, "non-consumable"),
            (counts.consumables, "consumable"),
        ].filter { $0.0 > 0 }.map(counted).joined(separator: ", ")
    }

    /// Products, a header first; each further offer has a row of its own.
    private func rows() -> [[String]] {
        let storefront = storefront ?? .usa
        let currency = storefront.currency
        var rows = [["id", "type", "price", "period", "level", "group", "offers"]]
        for product in catalogue.products {
            let price = product.price(in: storefront).milliunits
            let terms = product.subscription
            let offers = (terms?.offers ?? []).map { $0.summary(storefront) }
            rows.append([
                printable(product.id), product.type.rawValue, Money.plainText(price, currency.code),
                terms?.period.iso8601 ?? "", terms.map { String($0.level) } ?? "",
                printable(terms.map { groupName($0.groupID) } ?? ""),
                offers.first ?? "",
            ])
            for offer in offers.dropFirst() {
                rows.append(Array(repeating: "", count: 6) + [offer])
            }
        }
        return rows
    }

    /// Groups are known by their reference names, which the file's owner gave them.
    func groupName(_ id: String) -> String {
        let name = catalogue.groups.first { $0.id == id }?.referenceName ?? ""
        return name.isEmpty ? id : name
    }
}

extension Offer {
    /// An offer in a few words: `introductory free P1M`, `code SPRING 1.99 USD each P1M, 3 times`.
    fileprivate func summary(_ storefront: Storefront) -> String {
        let kindName =
            switch kind {
            case .introductory: "introductory"
            case .promotional: "promotional"
            case .offerCode: "code"
            case .winBack: "win-back"
            }
        let amount = Money.plainText(
            price(in: storefront).milliunits, storefront.currency.code)
        let terms =
            switch mode {
            case .freeTrial: "free \(period.iso8601)"
            case .payAsYouGo:
                "\(amount) each \(period.iso8601), \(counted(periodCount, "time"))"
            case .payUpFront: "\(amount) for \(period.iso8601)"
            }
        return [kindName, printable(id), terms].filter { !$0.isEmpty }.joined(separator: " ")
    }
}
