import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Merchant
package import SubscriptionRules

/// Makes links by which a customer comes from an app to the shop.
package protocol ShopLinks: Sendable {
    /// - Parameter now: the machine's clock.
    func link(to account: String, in bundleID: String, now: Instant) -> ShopLink
}

/// A link that signs a customer in to the shop once.
package struct ShopLink: Sendable {
    package let path: String
    package let expires: Instant

    package init(path: String, expires: Instant) {
        self.path = path
        self.expires = expires
    }
}

/// The way from the app to the shop.
enum ShopLinkSurface {
    static let endpoints: [Endpoint] = [linkShop]

    private static let form = ObjectForm<ShopLink>(
        "A link that signs the customer in once.",
        .text(
            "path",
            "Where it leads, at the merchant's address, such as /shop/sign-in?code=…", \.path),
        .moment("expires", "Until when it can be used, by the machine's clock.", \.expires))

    /// A link to the shop.
    static let linkShop = Endpoint.tokenHolder(
        .post, "/v1/apps/{bundleId}/accounts/{account}/shop-link", "linkShop",
        OperationDescription(
            .app, "Make a link to the shop",
            detail:
                "The link signs the account's customer in, once and within ten minutes; whoever "
                + "opens it still pushes a button, so that nothing that looks at links uses it up.",
            parameters: [CustomersSurface.bundleID, CustomersSurface.account],
            success: .ok("The link.", form.schema),
            failures: [
                .init(.notFound, "unknownApp"), .init(.badRequest, "reservedAccount"),
                .init(.notFound, "noShop"),
            ])
    ) { call, _ in
        let (account, bundleID) = (try call.account(), try call.bundleID())
        // An app or a name that there cannot be is refused here and not when the link is opened.
        _ = try await call.merchant.customer(account, of: bundleID)
        guard let links = call.site.server.shopLinks else {
            throw ErrorBody(.notFound, "noShop", "This merchant has no shop.")
        }
        let link = links.link(to: account, in: bundleID, now: call.server.machineTime())
        return .object { form.write(link, to: &$0) }
    }
}
