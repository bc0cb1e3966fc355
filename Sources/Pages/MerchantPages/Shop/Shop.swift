package import HTTPSurface
package import HTMLPages
import HTTPTypes
import Hummingbird
package import MerchantHTTP
import TimeAndChance

/// The merchant's pages for customers, at `/shop`: what an app shows of its own, from the paywall
/// to the price sheet.
///
/// What a page shows and does are calls of `/v1` as the app on a device makes them. What is sold,
/// and for how much, the store says: its own pages confirm each purchase (SHP-1).
package struct Shop: Sendable {
    let access: ShopAccess
    let store: any ShopStore
    /// Who may show these pages within their own.
    let framers: PageFramers
    let forms = FormsTaken()

    package init(
        _ access: ShopAccess, store: any ShopStore, framers: PageFramers = PageFramers()
    ) {
        self.access = access
        self.store = store
        self.framers = framers
    }

    /// Where it is.
    package static let path = "/shop"

    /// All its pages, and what their forms do.
    package var endpoints: [Endpoint<MerchantSite>] {
        accessPages + paywallPages + sheetPages + contentPages + helpPages
    }
}

extension MerchantServer {
    /// Puts the shop at `/shop`.
    package mutating func show(_ shop: Shop) {
        pages += shop.endpoints
        shopLinks = shop.access
    }
}

extension Surface {
    /// The merchant's pages for customers.
    static let shop = Surface(
        "shop", "What the merchant's customers look at.", root: "shop", errors: PageErrors.shop)
}

// MARK: Kinds of endpoints

extension Shop {
    /// A page that a signed-in customer sees; others are sent to sign in first. Looking at it
    /// changes nothing.
    ///
    /// - Parameter path: below `/shop`.
    func page(
        _ path: String, _ name: String,
        _ make: @escaping @Sendable (ShopVisit) async throws -> Page
    ) -> Endpoint<MerchantSite> {
        looking(path, name) { visit in
            var page = try await make(visit)
            if let said = visit.asked(ShopDone.field).flatMap({ visit.words.done($0) }) {
                page.blocks.insert(Notice(.good, said), at: 0)
            }
            return try await visit.response(to: page)
        }
    }

    /// The same, which may also answer with another address.
    func looking(
        _ path: String, _ name: String,
        _ answer: @escaping @Sendable (ShopVisit) async throws -> Response
    ) -> Endpoint<MerchantSite> {
        endpoint(.get, path, name) { call in
            guard let visit = try await ShopVisit(call, shop: self) else {
                return .seeOther(ShopPath.signIn(returningTo: call.request.uri.description))
            }
            return try await visit.answering { try await answer(visit) }
        }
    }

    /// What a customer's form does; one that is sent twice is carried out once.
    ///
    /// - Parameter act: does it, and says where the browser goes then.
    func action(
        _ path: String, _ name: String,
        _ act: @escaping @Sendable (ShopVisit, FormInput) async throws -> String
    ) -> Endpoint<MerchantSite> {
        endpoint(.post, path, name) { call in
            guard let visit = try await ShopVisit(call, shop: self) else {
                return .seeOther(ShopPath.signIn(returningTo: nil))
            }
            return try await visit.answering {
                try SameOrigin.require(call)
                let form = try await FormInput(call)
                return .seeOther(
                    try await forms.once(visit.key(of: form)) { try await act(visit, form) })
            }
        }
    }

    /// Anything below `/shop`.
    func endpoint(
        _ method: HTTPRequest.Method, _ path: String, _ name: String,
        _ handle: @escaping @Sendable (Call<MerchantSite>) async throws -> Response
    ) -> Endpoint<MerchantSite> {
        Endpoint(
            method, path.isEmpty ? Shop.path : "\(Shop.path)/\(path)", "shop.\(name)", on: .shop,
            description: OperationDescription(
                .tools, "A page for a customer",
                success: .ok("The page.", .text("HTML."))),
            handle: handle)
    }
}

/// What an address says of what was just done.
enum ShopDone {
    static let field = "done"

    static func added(_ name: String, to path: String) -> String {
        path + (path.contains("?") ? "&" : "?") + "\(field)=\(name)"
    }
}

/// What a form carries so that it is carried out once, however often it is sent.
enum ShopForm {
    static let field = "form"

    /// For a form on a page that is being made.
    static func hidden() -> PageForm.Hidden {
        PageForm.Hidden(field, Randomness.token("form_"))
    }
}
