package import HTTPSurface
import HTMLPages
import HTTPTypes
import Hummingbird
package import MerchantHTTP

/// The demonstration at `/` of a merchant that `perennial dev` runs beside a store: a customer's
/// phone, what the store knows of the customer, and what the merchant answers, next to each other.
///
/// One link opens it. It signs the browser in to all three as well, by cookies, which a host has
/// in common at all its ports.
package struct Demo: Sendable {
    let access: DemoAccess
    let shop: Shop
    let host: any DemoHost
    let forms = FormsTaken()

    package init(_ access: DemoAccess, shop: Shop, host: any DemoHost) {
        self.access = access
        self.shop = shop
        self.host = host
    }

    /// All its pages, and what their forms do.
    package var endpoints: [Endpoint<MerchantSite>] {
        [overview, open, choose, move, send, asset]
    }
}

extension MerchantServer {
    /// Puts the demonstration at `/`, and the shop that it shows at `/shop`.
    package mutating func show(_ demo: Demo) {
        show(demo.shop)
        pages += demo.endpoints
    }
}

extension Surface {
    /// The demonstration.
    static let demo = Surface(
        "demo", "A customer, the store and the merchant on one page.", root: "demo",
        errors: PageErrors.demo)
}

// MARK: Kinds of endpoints

extension Demo {
    /// What a form of the page does; the page is shown again afterwards. One that is sent twice is
    /// carried out once.
    func action(
        _ path: String, _ name: String,
        _ act: @escaping @Sendable (DemoVisit, FormInput) async throws -> Void
    ) -> Endpoint<MerchantSite> {
        endpoint(.post, "/demo/\(path)", name) { call in
            guard let visit = DemoVisit(call, demo: self) else { return .seeOther("/") }
            try SameOrigin.require(call)
            let form = try await FormInput(call)
            let key = form.text(ShopForm.field).map { "\(visit.session.identifier) \($0)" }
            return .seeOther(
                try await forms.once(key) {
                    try await act(visit, form)
                    return "/"
                })
        }
    }

    func endpoint(
        _ method: HTTPRequest.Method, _ path: String, _ name: String,
        _ handle: @escaping @Sendable (Call<MerchantSite>) async throws -> Response
    ) -> Endpoint<MerchantSite> {
        Endpoint(
            method, path, "demo.\(name)", on: .demo,
            description: OperationDescription(
                .tools, "The page of the demonstration",
                success: .ok("The page.", .text("HTML."))),
            handle: handle)
    }
}

extension Response {
    /// Sends the browser to a page with cookies of several sites of this host.
    static func seeOther(_ path: String, cookies: [String]) -> Response {
        var response = Response.seeOther(path)
        for cookie in cookies {
            response.headers.append(HTTPField(name: .setCookie, value: cookie))
        }
        return response
    }
}
