import HTTPSurface
import HTTPTypes

/// What is refused about products that are, or are not yet, discontinued.
extension ErrorBody {
    static func productDeleted(_ id: String) -> ErrorBody {
        ErrorBody(
            .conflict, "productDeleted",
            "\(id) was deleted, and its identifier never comes back: give a new product another "
                + "one.",
            field: "productId")
    }

    static func stillForSale(_ id: String) -> ErrorBody {
        ErrorBody(
            .conflict, "stillForSale",
            "\(id) is still for sale: take it off sale in all storefronts first.",
            field: "productId")
    }
}
