import HTMLPages
import HTTPSurface
import HTTPTypes
import Hummingbird
import MerchantHTTP
import SubscriptionRules

/// One request of a signed-in customer of the shop.
struct ShopVisit: Sendable {
    let call: Call<MerchantSite>
    let shop: Shop
    let session: ShopSession
    let home: ShopHome
    let locale: PageLocale
    let words: any ShopWords
    let desk: ShopDesk
    private let stock: ShopGoods

    /// Nil for whoever is not signed in, or to an app that is served no more.
    init?(_ call: Call<MerchantSite>, shop: Shop) async throws {
        guard let session = shop.access.session(call), call.bundleIDs.contains(session.bundleID)
        else { return nil }
        self.call = call
        self.shop = shop
        self.session = session
        desk = ShopDesk(call: call, session: session)
        home = try await shop.store.home(of: session.account)
        let place = home.storefront.flatMap { Storefront(code: $0) }.map { StorefrontPlace($0) }
        locale = PageLocale(
            accepting: call.request.headers[.acceptLanguage], in: PageLocale.all,
            or: home.locale, at: place)
        words = ShopLanguages.words(for: locale.language)
        // Each page at least says whose shop it is.
        stock = try await shop.store.goods(
            of: session.bundleID, for: home, language: locale.language)
    }

    /// What the app sells here.
    func goods() -> ShopGoods { stock }

    /// The store's pages, as this browser finds them.
    var store: StorePages {
        StorePages(origin: shop.store.origin(reachedBy: call.request.head.authority))
    }

    /// What a field of the address says; nil for nothing.
    func asked(_ name: String) -> String? {
        call.query.values(name).first.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// By what a form is known: one customer's is nobody else's.
    func key(of form: FormInput) -> String? {
        form.text(ShopForm.field).map { "\(session.identifier) \(call.request.uri.path) \($0)" }
    }

    // MARK: Answers

    /// Does something; what is refused is answered with a page that says so.
    func answering(_ body: () async throws -> Response) async throws -> Response {
        do {
            return try await body()
        } catch let refusal as MerchantRefusal {
            return try await response(to: problem(refusal.status, refusal.code))
        } catch let error as ErrorBody {
            return try await response(to: problem(error.status, error.code))
        }
    }

    private func problem(_ status: HTTPResponse.Status, _ code: String) -> Page {
        let sentence =
            switch code {
            case "unknownPage": words.unknownPage
            case "otherOrigin": words.otherOrigin
            case "unknownSheet": words.noSheets
            default: words.failed
            }
        return Page(
            words.problemTitle, status: status,
            [
                Notice(.bad, sentence, id: "problem"),
                LinkList([PageLink(words.toShop, ShopPath.content)]),
            ])
    }

    /// A page in its frame; news about prices stands above each.
    ///
    /// - Parameter isCompact: whether it is for a watch, with nothing around it.
    func response(to page: Page, isCompact: Bool = false) async throws -> Response {
        var frame = PageFrame.shop(
            call, words, locale, app: stock.app, isCompact: isCompact)
        frame.look = ShopLook(of: session.bundleID, call)?.frame
        frame.framedBy = shop.framers.origins(reachedBy: call.request.head.authority)
        guard !isCompact else { return page.response(in: frame) }
        frame.signOut = ShopPath.signOut
        frame.nav = navigation
        let path = call.request.uri.path
        if path != ShopPath.sheet, try await !desk.sheets().isEmpty {
            frame.banners.append(
                .init(words.priceWaits, link: PageLink(words.increaseTitle, ShopPath.sheet)))
        }
        return page.response(in: frame)
    }

    private var navigation: [PageLink] {
        let path = call.request.uri.path
        return [
            (words.content, ShopPath.content), (words.plans, ShopPath.paywall),
            (words.help, ShopPath.help),
        ].map { text, href in
            PageLink(
                text, href,
                isCurrent: path == href || (href == ShopPath.paywall && path == ShopPath.plan))
        }
    }
}

extension PageFrame {
    /// What stands around the shop's pages, but for what only those see who are signed in.
    static func shop(
        _ call: Call<MerchantSite>?, _ words: any ShopWords, _ locale: PageLocale,
        app: String? = nil, isCompact: Bool = false
    ) -> PageFrame {
        PageFrame(
            site: app ?? words.shop, home: ShopPath.content,
            assets: "\(Shop.path)/assets/\(PageAssets.version)",
            environment: app == nil ? words.app : words.shop,
            environmentKind: isCompact ? "compact" : "none",
            foot: words.foot, locale: locale)
    }
}
