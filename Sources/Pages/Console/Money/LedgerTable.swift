import ConnectAnswers
import HTMLPages

extension Visit {
    /// Rows of the ledger, newest first: what each side gains makes nothing together.
    ///
    /// - Parameter isFolded: whether only the last ten are seen at first.
    func ledgerTable(
        _ entries: [Answer], isFolded: Bool, more: PageLink? = nil
    ) throws -> DataTable {
        typealias Words = ConsoleWords.Money
        return DataTable(
            Words.ledger,
            columns: [
                Words.when, Words.kind, Words.product, Words.customer, Words.developer, Words.store,
            ],
            rows: try entries.map { one in
                let currency = try one.text("currency")
                func amount(_ member: String) throws -> Cell {
                    .number(locale.amount(try one.integer(member), currency))
                }
                let sku = one.optionalText("sku").map { "\($0) · " } ?? ""
                return DataTable.Row([
                    momentCell(one, "at"), Cell(ConsoleWords.happening(try one.text("kind"))),
                    Cell(try one.text("productId"), detail: sku + (try one.text("transactionId"))),
                    try amount("customer"), try amount("developer"), try amount("store"),
                ])
            }, empty: Words.none, more: more,
            shown: isFolded ? .first(ConsoleWords.showMore) : .all)
    }
}
