import AppStoreWire
import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes

/// What a customer is about to buy, as the address or the form says it.
struct PurchaseOrder: Sendable {
    let productID: String
    let quantity: Int
    /// Each with the name of its field; those that are not said are left out.
    private let said: [String: String]

    /// What an order can say besides its product: how a subscription is billed, the win-back
    /// offer, the promotional offer with its developer's signature, and the developer's own name
    /// for the customer.
    private static let fields = [
        "billing", "quantity", "winBack", "promotional", "signature", "token",
    ]

    /// - Throws: an `ErrorBody` where it cannot be bought so often.
    init(_ visit: Visit) throws {
        productID = try visit.part("product")
        var said: [String: String] = [:]
        for name in Self.fields {
            let value = visit.typed(name)
            if !value.isEmpty { said[name] = value }
        }
        self.said = said
        let text = said["quantity"] ?? "1"
        guard let quantity = Int(text), (1...10).contains(quantity) else {
            throw ErrorBody(
                .badRequest, "invalidQuantity", "The quantity is 1 to 10.", field: "quantity")
        }
        self.quantity = quantity
    }

    /// How a subscription is billed; empty where there is one way, or nothing is said.
    var billing: String { said["billing"] ?? "" }

    /// The win-back offer that is asked for.
    var winBack: String? { said["winBack"] }

    /// Whether an offer is asked for, which takes the place of the introductory one.
    var asksForOffer: Bool { winBack != nil || said["promotional"] != nil }

    /// What a form sends along.
    var hidden: [PageForm.Hidden] {
        Self.fields.compactMap { name in said[name].map { PageForm.Hidden(name, $0) } }
    }

    /// Writes it as the store takes it.
    func write(to json: inout JSONWriter) {
        json.field("productId", productID)
        if quantity != 1 { json.field("quantity", quantity) }
        json.field("billingPlanType", said["billing"])
        json.field("appAccountToken", said["token"])
        if let winBack {
            json.object("offer") { json in
                json.field("type", "winBack")
                json.field("id", winBack)
            }
        } else if let promotional = said["promotional"] {
            json.object("offer") { json in
                json.field("type", "promotional")
                json.field("id", promotional)
                json.field("jws", said["signature"] ?? "")
            }
        }
    }
}
