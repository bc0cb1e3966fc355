import AppStoreWire
import Letters
import SubscriptionRules

extension App {
    /// What a customer knows a product by. One that is not in the catalogue any more has no other
    /// name than its identifier.
    func displayName(of productID: String, for customer: Customer) -> String {
        product(productID)?.texts(in: customer.locale, or: settings.locale).name ?? productID
    }
}

// What a merchant describes itself has the merchant's names (ACM-1): of the generic product under
// which it is sold the customer has never heard.

extension Plan {
    /// What a customer knows a plan by.
    func displayName(_ name: (_ productID: String) -> String) -> String {
        merchant?.texts.displayName ?? name(productID)
    }
}

extension Plan.Line {
    /// What a customer knows a line by.
    func displayName(_ name: (_ productID: String) -> String) -> String {
        texts?.displayName ?? name(sku)
    }
}

extension TransactionRecord {
    /// What a customer knows as bought with it: the plan as a whole, or the one thing.
    func displayName(_ name: (_ productID: String) -> String) -> String {
        advancedCommerce.flatMap { $0.descriptors?.displayName ?? $0.items.first?.displayName }
            ?? name(productID)
    }

    /// What was charged, as a receipt has it: of a merchant's items each one that cost something.
    ///
    /// - Parameter standard: what it costs without a code that took something off.
    func receiptLines(
        insteadOf standard: Money? = nil, _ name: (_ productID: String) -> String
    ) -> [CustomerMail.Receipt.Line] {
        let names = Dictionary(
            (advancedCommerce?.items ?? []).map { ($0.sku, $0.displayName) },
            uniquingKeysWith: { first, _ in first })
        guard !names.isEmpty else {
            return [
                .init(
                    name: name(productID), quantity: quantity, amount: price, insteadOf: standard,
                    until: expires)
            ]
        }
        return lines.filter { $0.price > 0 }.map { line in
            .init(
                name: names[line.sku] ?? line.sku, quantity: quantity,
                amount: Money(milliunits: line.price, price.currency), until: expires)
        }
    }
}
