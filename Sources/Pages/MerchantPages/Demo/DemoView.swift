import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import Hummingbird
import MerchantHTTP
import SubscriptionRules

/// The page with the three columns.
struct DemoView {
    private let demo: Demo
    private let visit: DemoVisit
    private let origin: String
    private let now: Instant
    private let names: [String]
    private let why: Answer
    private let goods: ShopGoods

    init(_ demo: Demo, _ visit: DemoVisit) async throws {
        self.demo = demo
        self.visit = visit
        let session = visit.session
        origin = demo.host.origin(reachedBy: visit.call.request.head.authority)
        now = try await demo.host.now()
        names = try await demo.host.customers(100)
        why = try await MerchantDesk(call: visit.call, caller: .theOperator).get(
            StorePath("v1", "apps", session.bundleID, "accounts", session.account, "why"))
        goods = try await demo.host.goods(of: session.bundleID, for: ShopHome(), language: "en")
    }

    var response: Response {
        get throws {
            let columns = PageColumns([phone, store, try answer()])
            var page = Page(
                DemoWords.title, lead: DemoWords.lead,
                [
                    Prose(DemoWords.clock(visit.locale.moment(now))),
                    clockForm(DemoWords.day, "P1D"), clockForm(DemoWords.month, "P1M"),
                    customerForm, columns,
                ])
            page.framed = ["'self'", origin]
            return page.response(in: .demo(visit.locale))
        }
    }

    private func clockForm(_ button: String, _ step: String) -> PageForm {
        PageForm(
            .change, action: "/demo/clock", button: button,
            hidden: [ShopForm.hidden(), .init("step", step)])
    }

    private var customerForm: PageForm {
        PageForm(
            .aside, action: "/demo/customer", button: DemoWords.choose,
            hidden: [ShopForm.hidden()],
            fields: [
                Field(
                    "account", DemoWords.customer, in: "demo", value: visit.session.account,
                    hint: hint, isRequired: true)
            ])
    }

    private var hint: String {
        let known = names.filter { $0.count <= 20 }.prefix(12).joined(separator: ", ")
        return known.isEmpty ? DemoWords.customerHint : "\(known). \(DemoWords.customerHint)"
    }

    private var phone: PageSection {
        PageSection(
            DemoWords.phone, id: "phone", about: DemoWords.phoneAbout,
            [
                FramedPage(
                    DemoWords.phone, source: ShopPath.content, name: "phone", feeds: "merchant"),
                LinkList([
                    PageLink(DemoWords.toShop, ShopPath.content, frame: "phone"),
                    PageLink(DemoWords.toAccount, "\(origin)/account", frame: "phone"),
                ]),
            ])
    }

    private var store: PageSection {
        let path = StorePath("console", "customers", visit.session.account).text
        return PageSection(
            DemoWords.store, id: "store", about: DemoWords.storeAbout,
            [
                FramedPage(DemoWords.store, source: origin + path, name: "store"),
                LinkList([PageLink(DemoWords.store, origin + path)]),
            ])
    }

    /// The merchant's column.
    private func answer() throws -> PageSection {
        var blocks: [any PageBlock] = []
        let purchases = try why.list("purchases")
        for purchase in purchases { blocks += try self.blocks(of: purchase) }
        if purchases.isEmpty { blocks.append(Prose(DemoWords.nothing)) }
        blocks.append(
            PageForm(
                .aside, action: "/demo/purchases", button: DemoWords.send,
                about: DemoWords.sendAbout, hidden: [ShopForm.hidden()]))
        blocks.append(LinkList([PageLink(DemoWords.console, MerchantPath.overview)]))
        return PageSection(
            DemoWords.merchant, id: "merchant", about: DemoWords.merchantAbout, blocks)
    }

    /// One purchase: whether it gives access, and why.
    private func blocks(of purchase: Answer) throws -> [any PageBlock] {
        let isGranted = try purchase.bool("granted")
        let unlocked = purchase.texts("entitlements").map { goods.nameOfEntitlement($0) }
        let reason = EnglishShop().reason(try purchase.text("reason"))
        return [
            Notice(
                isGranted ? .good : .attention, reason,
                strong: isGranted ? DemoWords.granted : DemoWords.refused),
            Facts([
                (DemoWords.product, Cell(goods.name(try purchase.text("productId")))),
                (
                    DemoWords.entitlement,
                    unlocked.isEmpty ? nil : Cell(unlocked.joined(separator: ", "))
                ),
                (
                    DemoWords.until,
                    purchase.optionalMoment("until").map {
                        .moment($0, visit.locale.moment($0))
                    }
                ),
            ]),
        ]
    }
}
