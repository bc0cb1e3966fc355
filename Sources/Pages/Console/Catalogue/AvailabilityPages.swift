import AppStoreWire
import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import StoreHTTP
import SubscriptionRules

extension Console {
    /// What forms on a product's page do about its being for sale.
    var availabilityPages: [Endpoint<StoreSite>] { [setAvailability, discontinue] }

    private var setAvailability: Endpoint<StoreSite> {
        action(
            "catalogue/{app}/{product}/availability", "setAvailability",
            on: { visit in try await visit.productPage() }
        ) { visit, form in
            let app = try visit.part("app")
            let id = try visit.part("product")
            let storefront = form["storefront"].uppercased()
            _ = try await visit.desk.send(
                .put,
                StorePath("connect", "v1", "apps", app, "products", id, "availability")
            ) { json in
                json.field("forSale", form["wish"] == "on")
                json.field("storefront", storefront.isEmpty ? nil : storefront)
            }
            return StorePath("console", "catalogue", app, id).text
        }
    }

    private var discontinue: Endpoint<StoreSite> {
        action(
            "catalogue/{app}/{product}/discontinue", "discontinue",
            on: { visit in try await visit.productPage() }
        ) { visit, _ in
            let app = try visit.part("app")
            let id = try visit.part("product")
            _ = try await visit.desk.send(
                .delete, StorePath("connect", "v1", "apps", app, "products", id))
            return StorePath("console", "catalogue", app, id).text
        }
    }
}

extension Visit {
    /// Whether a product is for sale, as a mark.
    func saleCell(_ product: Answer) throws -> Cell {
        typealias Words = ConsoleWords.Catalogue
        if product.optionalMoment("deleted") != nil { return .badge(Words.deleted, .attention) }
        return .badge(
            try product.bool("forSale") ? Words.forSale : Words.offSale,
            try product.bool("forSale") ? .good : .plain)
    }

    /// Where a product is for sale, taking it off, putting it back and deleting it.
    func sale(of id: String, _ app: String) async throws -> PageSection {
        typealias Words = ConsoleWords.Catalogue
        let catalogue = try await desk.get(StorePath("connect", "v1", "apps", app, "catalogue"))
        guard let product = try catalogue.list("products").first(where: { try $0.text("id") == id })
        else { return PageSection(Words.sale, id: "sale", []) }
        let places = product.texts("offSale").joined(separator: ", ")
        var blocks: [any PageBlock] = [
            Facts([
                (Words.sale, try saleCell(product)),
                (Words.offSaleIn, places.isEmpty ? nil : Cell(places)),
                (Words.deletedAt, product.optionalMoment("deleted").map(momentCell)),
            ])
        ]
        guard product.optionalMoment("deleted") == nil else {
            return PageSection(Words.sale, id: "sale", about: Words.deletedAbout, blocks)
        }
        let desk = formDesk("sale", to: ConsolePath.product(app, id, "availability"))
        blocks.append(
            desk.form(
                .change, Words.setSale,
                [
                    desk.field(
                        "wish", Words.sale, .choice(Words.saleChoices),
                        or: try product.bool("forSale") ? "off" : "on"),
                    desk.field("storefront", Words.saleStorefront, hint: Words.saleHint),
                ], isPreviewed: true))
        if try !product.bool("forSale") {
            blocks.append(
                PageForm(
                    .danger, action: StorePath("console", "catalogue", app, id, "discontinue").text,
                    button: Words.delete, about: Words.deleteAbout,
                    hidden: [FormID.hidden(), Preview.hidden]))
        }
        blocks.append(
            same(
                SameCall(
                    Words.setSale, .put,
                    StorePath("connect", "v1", "apps", app, "products", id, "availability"),
                    body: #"{"forSale":false}"#, command: ["product", "availability", id, "off"]),
                SameCall(
                    Words.delete, .delete,
                    StorePath("connect", "v1", "apps", app, "products", id),
                    command: ["product", "discontinue", id])))
        return PageSection(Words.sale, id: "sale", about: Words.saleAbout, blocks)
    }
}
