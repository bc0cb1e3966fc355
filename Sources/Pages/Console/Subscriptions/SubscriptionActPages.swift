import AppStoreWire
import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import Journal
import StoreHTTP
import SubscriptionRules
import Timeline

extension Console {
    /// For each act a page that asks and previews, and what its forms do.
    var subscriptionActions: [Endpoint<StoreSite>] {
        [
            page("subscriptions/{id}/{act}", "act") { visit in
                let act = try await ActView(visit)
                return act.page(act.ready ? try await act.preview() : [])
            },
            action("subscriptions/{id}/{act}", "doAct") { visit, form in
                let act = try await ActView(visit)
                return try await act.perform(form)
            },
        ]
    }
}

/// One act on its way: first what it needs, then what it would do, then it is done.
struct ActView: Sendable {
    private let visit: Visit
    private let view: SubscriptionView
    private let act: SubscriptionAct
    private let form: FormInput
    /// What the plan can be changed to, where that is asked.
    private let plans: [(value: String, text: String)]

    private typealias Words = ConsoleWords.Acts

    init(_ visit: Visit) async throws {
        guard let act = SubscriptionAct(rawValue: try visit.part("act")) else {
            throw ErrorBody.unknownPage
        }
        self.visit = visit
        self.act = act
        view = try await SubscriptionView(visit, id: visit.part("id"))
        form = try FormInput(visit.call.query)
        plans = act == .changePlan ? try await view.plans : []
    }

    /// Whether all that it needs was given.
    var ready: Bool { form.text("preview") != nil || act.fields(nil).isEmpty }

    func page(_ blocks: [any PageBlock]) -> Page {
        var all: [any PageBlock] = [Prose(Words.about(act))]
        let fields = act.fields(form, plans: plans)
        if !fields.isEmpty {
            all.append(
                PageForm(
                    .ask, action: ConsolePath.subscription(view.id, act.rawValue),
                    button: Words.see, hidden: [.init("preview", "1")], fields: fields))
        }
        return Page(
            Words.title(act),
            trail: [
                PageLink(ConsoleWords.Customers.title, ConsolePath.customers),
                PageLink(view.life.account, ConsolePath.customer(view.life.account)),
                PageLink(view.life.productID, ConsolePath.subscription(view.id)),
            ], all + blocks)
    }

    /// What it would do: it is done and taken back.
    func preview() async throws -> [any PageBlock] {
        let call = try act.call(view, form)
        let answer: Answer
        do {
            answer = try await make(call, rehearses: true)
        } catch let refusal as ConnectRefusal {
            return [
                Notice(.bad, refusal.message, id: "problem"),
                LinkList([
                    PageLink(Words.backToSubscription, ConsolePath.subscription(view.id))
                ]),
            ]
        }
        let entries = try answer.list("entries")
        var life = view.life
        life.entries += try Life(view.answer, entries: entries, now: life.now).entries
        let events = life.events.suffix(entries.count)
        return [
            PageSection(
                Words.previewTitle, id: "preview", about: Words.previewAbout,
                [
                    visit.eventTable(events),
                    PageForm(
                        act.isFinal ? .danger : .change,
                        action: ConsolePath.subscription(view.id, act.rawValue),
                        button: Words.button(act), hidden: hidden,
                        way: PageLink(
                            Words.leaveIt, ConsolePath.subscription(view.id))),
                    visit.same(
                        SameCall(
                            Words.title(act), call.method, call.path, body: call.body,
                            command: call.command),
                        SameCall(
                            Words.previewTitle, call.method, call.path,
                            body: "\(call.body) (Rehearse: true)", command: nil)),
                ])
        ]
    }

    /// What was filled in, and what was seen of the subscription when it was previewed.
    private var hidden: [PageForm.Hidden] {
        let fields = ["product", "days", "reason", "prorated"].compactMap { name in
            form.text(name).map { PageForm.Hidden(name, $0) }
        }
        return [FormID.hidden(), .init("seen", seen)] + fields
    }

    /// What tells one state of the subscription from another.
    private var seen: String { String(view.life.entries.last?.sequence ?? 0) }

    /// - Returns: where the browser goes then.
    func perform(_ form: FormInput) async throws -> String {
        // What was previewed may have become something else meanwhile: then it is shown anew.
        guard form.text("seen") == seen else {
            throw ErrorBody(.conflict, "changedMeanwhile", Words.changedMeanwhile)
        }
        _ = try await make(try act.call(view, form), rehearses: false)
        return ConsolePath.subscription(view.id)
    }

    private func make(_ call: ActCall, rehearses: Bool) async throws -> Answer {
        let account = StoreSite.Account(
            view.life.account, bundleID: try view.answer.text("bundleId"))
        return try await visit.desk.ask(
            call.method, call.path, call.bytes,
            actingFor: call.isCustomers ? account : nil, rehearses: rehearses)
    }
}

extension SubscriptionView {
    /// What the plan can be changed to: the products of its group that are for sale.
    fileprivate var plans: [(value: String, text: String)] {
        get async throws {
            let app = try answer.text("bundleId")
            let group = try answer.text("groupId")
            let catalogue = try await visit.desk.get(
                StorePath("connect", "v1", "apps", app, "catalogue"))
            return try catalogue.list("products").compactMap { product in
                guard let subscription = try? product.object("subscription"),
                    try subscription.text("groupId") == group, try product.bool("forSale")
                else { return nil }
                let id = try product.text("id")
                return (
                    id,
                    ConsoleWords.Acts.plan(
                        id, level: Int(try subscription.integer("level")),
                        period: try subscription.text("period"), isPresent: id == life.productID)
                )
            }
        }
    }

    /// What can be done now, each behind a page that says what it will do.
    var actions: PageSection {
        let possible = SubscriptionAct.allCases.filter { $0.isPossible(self) }
        return PageSection(
            ConsoleWords.Acts.sectionTitle, id: "actions",
            about: possible.isEmpty
                ? ConsoleWords.Acts.nothingPossible : ConsoleWords.Acts.sectionAbout,
            possible.isEmpty
                ? []
                : [
                    LinkList(
                        possible.map {
                            PageLink(
                                ConsoleWords.Acts.title($0),
                                ConsolePath.subscription(id, $0.rawValue))
                        }, label: ConsoleWords.Acts.sectionTitle)
                ])
    }
}
