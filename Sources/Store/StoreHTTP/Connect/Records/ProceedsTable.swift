import Store
import SubscriptionRules

/// Proceeds as comma-separated values (RFC 4180).
struct ProceedsTable {
    let lines: [ProceedsLine]

    static let header =
        "month,storefront,product,currency,charges,refunds,paid,refunded,commission,proceeds"

    /// The header and a line each, all ended by CR LF.
    var csv: String {
        ([ProceedsTable.header] + lines.map(ProceedsTable.row)).map { $0 + "\r\n" }.joined()
    }

    private static func row(_ line: ProceedsLine) -> String {
        let decimals = line.currency.decimals
        return [
            line.month, line.storefront.code, CSVText.field(line.productID), line.currency.code,
            String(line.charges), String(line.refunds), decimal(line.paid, decimals),
            decimal(line.refunded, decimals), decimal(line.commission, 3),
            decimal(line.proceeds, 3),
        ].joined(separator: ",")
    }

    /// Milliunits as a decimal number. Decimals that the currency should not have are written all
    /// the same rather than cut off.
    static func decimal(_ milliunits: Int64, _ decimals: Int) -> String {
        let thousandths = String(milliunits.magnitude % 1000)
        let digits = String(repeating: "0", count: 3 - thousandths.count) + thousandths
        let isLossless = digits.dropFirst(decimals).allSatisfy { $0 == "0" }
        let fraction = digits.prefix(isLossless ? decimals : 3)
        return (milliunits < 0 ? "-" : "") + String(milliunits.magnitude / 1000)
            + (fraction.isEmpty ? "" : "." + fraction)
    }
}
