import AppStoreWire
import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import StoreHTTP

/// Attributes of a receipt or of a transaction in it, by name.
private struct ReceiptAttributes {
    let all: [Answer]
    private let named: [String: Answer]

    init(_ answer: Answer) throws {
        all = try answer.list("attributes")
        named = Dictionary(
            all.compactMap { one in one.optionalText("name").map { ($0, one) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// A value as it stands there, dates in the form of RFC 3339; nil where there is none.
    func value(_ name: String) -> String? {
        named[name]?.optionalText("value").flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension Visit {
    /// So many transactions are named; a receipt may have thousands.
    private static let mostTransactions = 50
    /// So many characters of Base64 are shown.
    private static let mostText = 24_576

    /// The receipt of the app on a device, read attribute by attribute.
    func receiptPage() async throws -> Page {
        typealias Words = ConsoleWords.Receipts
        let (account, id) = (try part("account"), try part("id"))
        let device = try await desk.get(devicePath(account, [id]))
        let (name, app) = (try device.text("name"), try device.text("bundleId"))
        let path = StorePath(parts: ["connect", "v1", "customers", account, "receipt"])
            .with("bundleId", app).with("device", name)
        let answer = try await desk.get(path)
        let decoded = try answer.object("decoded")
        let attributes = try ReceiptAttributes(decoded)
        let base64 = try answer.text("receipt")
        return Page(
            Words.title, lead: Words.lead,
            trail: [
                PageLink(ConsoleWords.Customers.title, ConsolePath.customers),
                PageLink(account, ConsolePath.customer(account)),
                PageLink(name, ConsolePath.device(account, id)),
            ],
            [
                Facts([
                    (ConsoleWords.Devices.app, Cell(app)),
                    (Words.sealedFor, .code(try answer.text("deviceIdentifier"))),
                    (Words.size, Cell(Words.bytes(locale.number(base64.utf8.count / 4 * 3)))),
                ]),
                try transactionSection(attributes), try attributeSection(attributes),
                try certificateSection(decoded), textSection(base64),
                same(
                    SameCall(
                        Words.title, .get, path,
                        command: ["customer", "receipt", account, "--app", app, "--device", name])),
            ])
    }

    /// The newest first.
    private func transactionSection(_ attributes: ReceiptAttributes) throws -> PageSection {
        typealias Words = ConsoleWords.Receipts
        let all = try attributes.all.filter { $0.optionalText("name") == "inApp" }
            .map { try ReceiptAttributes($0) }
        let shown = all.reversed().prefix(Self.mostTransactions)
        let more = all.count - shown.count
        return PageSection(
            Words.transactions, id: "transactions",
            about: more > 0 ? Words.more(locale.number(more)) : Words.transactionsAbout,
            [
                DataTable(
                    Words.transactions,
                    columns: [
                        Words.product, Words.purchased, Words.expires, Words.cancelled,
                        Words.transaction,
                    ],
                    rows: shown.map { one in
                        DataTable.Row([
                            Cell(one.value("productId") ?? ""),
                            one.value("purchaseDate").map { Cell($0) } ?? .none,
                            one.value("expiresDate").map { Cell($0) } ?? .none,
                            one.value("cancellationDate").map { Cell($0) } ?? .none,
                            one.value("transactionId").map { .code($0) } ?? .none,
                        ])
                    }, empty: Words.nothing)
            ])
    }

    private func attributeSection(_ attributes: ReceiptAttributes) throws -> PageSection {
        typealias Words = ConsoleWords.Receipts
        return PageSection(
            Words.attributes, id: "attributes",
            [
                DataTable(
                    Words.attributes, columns: [Words.number, Words.name, Words.value],
                    rows: try attributes.all.filter { $0.optionalText("name") != "inApp" }
                        .map { one in
                            DataTable.Row([
                                .number(String(try one.integer("type"))),
                                Cell(one.optionalText("name") ?? ""),
                                one.optionalText("hex").map { .code($0) }
                                    ?? Cell(one.optionalText("value") ?? ""),
                            ])
                        }, empty: Words.nothing)
            ])
    }

    private func certificateSection(_ decoded: Answer) throws -> PageSection {
        typealias Words = ConsoleWords.Receipts
        let container = try decoded.object("container")
        return PageSection(
            Words.certificates, id: "certificates",
            [
                DataTable(
                    Words.certificates, columns: [Words.subject, Words.issuer, Words.until],
                    rows: try container.list("certificates").map { one in
                        DataTable.Row([
                            Cell(one.optionalText("subject") ?? ""),
                            Cell(one.optionalText("issuer") ?? ""),
                            Cell(one.optionalText("notAfter") ?? ""),
                        ])
                    }, empty: Words.nothing)
            ])
    }

    private func textSection(_ base64: String) -> PageSection {
        typealias Words = ConsoleWords.Receipts
        let count = base64.utf8.count
        return PageSection(
            Words.text, id: "text", about: Words.textAbout,
            [
                count <= Self.mostText
                    ? CodeText(Words.text, base64) : Prose(Words.tooLong(locale.number(count)))
            ])
    }
}
