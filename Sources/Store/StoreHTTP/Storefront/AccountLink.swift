import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store
package import SubscriptionRules

/// Makes links by which a customer comes from an app to the pages of the account.
package protocol AccountLinks: Sendable {
    /// - Parameter now: the machine's clock.
    func link(to account: StoreSite.Account, at site: StoreSite, now: Instant) -> AccountLink
}

/// A link that signs a customer in once.
package struct AccountLink: Sendable {
    package var path = ""
    package var expires = Instant(milliseconds: 0)

    package init(path: String, expires: Instant) {
        self.path = path
        self.expires = expires
    }

    static let form = ObjectForm<AccountLink>(
        "A link that signs the customer in once, on a browser of the same device.",
        .text(
            "path",
            "Where it leads, at the address by which the app reaches the store, such as "
                + "/account/sign-in?code=…", \.path),
        .moment("expires", "Until when it can be used, by the machine's clock.", \.expires))
}

extension StorefrontSurface {
    /// A link to the customer's pages.
    static let linkAccount = Endpoint.device(
        .post, "/storefront/v1/account/link", "linkAccount",
        OperationDescription(
            .device, "Make a link to the customer's pages",
            detail: "As an app opens the screens where subscriptions are managed. The link signs "
                + "the customer of this device in, once and within ten minutes; whoever opens it "
                + "still has to push a button, so that nothing that looks at links uses it up.",
            success: .ok("The link.", AccountLink.form.schema),
            failures: [.init(.notFound, "noAccountPages")])
    ) { call, device, _ in
        let server = call.site.server
        guard let links = server.accountLinks else { throw ErrorBody.noAccountPages }
        let customer = try await call.store.account(of: device)
        let bundleID = try await call.store.bundleID(of: device)
        let link = links.link(
            to: StoreSite.Account(customer.account, bundleID: bundleID), at: call.site,
            now: server.machineTime())
        return .object { AccountLink.form.write(link, to: &$0) }
    }
}

extension ErrorBody {
    fileprivate static let noAccountPages = ErrorBody(
        .notFound, "noAccountPages", "This server has no pages for customers.")
}
