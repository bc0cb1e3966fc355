import AppStoreWire
import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import StoreHTTP

/// What can be done with a family: each act has a page that says what it will do, and a form that
/// does it.
enum FamilyAct: String, CaseIterable, Sendable {
    case join, remove, share, end

    /// Whether it takes something from somebody.
    var isFinal: Bool { self == .remove || self == .end }

    var title: String { ConsoleWords.Families.title(of: self) }
}

extension Console {
    /// For each act a page that asks and previews, and what its form does.
    var familyActs: [Endpoint<StoreSite>] {
        [
            page("families/{id}/{act}", "familyAct") { visit in
                try await FamilyActView(visit).page()
            },
            action(
                "families/{id}/{act}", "doFamilyAct",
                on: { visit in try await FamilyActView(visit).page() }
            ) { visit, form in try await FamilyActView(visit).perform(form) },
        ]
    }
}

/// One act on its way.
struct FamilyActView: Sendable {
    private let visit: Visit
    private let family: FamilyView
    private let act: FamilyAct
    private let form: FormInput

    private typealias Words = ConsoleWords.Families

    init(_ visit: Visit) async throws {
        guard let act = FamilyAct(rawValue: try visit.part("act")) else {
            throw ErrorBody.unknownPage
        }
        self.visit = visit
        self.act = act
        family = try await FamilyView(visit)
        form = try visit.refused?.form ?? FormInput(visit.call.query)
    }

    private var path: String { ConsolePath.family(family.id, act.rawValue) }

    func page() async throws -> Page {
        var page = Page(
            act.title, lead: Words.about(act),
            trail: [
                PageLink(Words.title, ConsolePath.families),
                PageLink(Words.name(try family.organiser), ConsolePath.family(family.id)),
            ], [])
        var preview: [any PageBlock] = []
        var refusal: ConnectRefusal?
        if form.text("preview") != nil, visit.refused == nil {
            let call = try call(form)
            do {
                let told = try await visit.desk.ask(
                    call.method, call.path, call.body, rehearses: true)
                preview = [
                    visit.rehearsal(try told.list("entries"), button),
                    visit.same(
                        SameCall(
                            act.title, call.method, call.path,
                            body: call.body.map { String(decoding: $0, as: UTF8.self) },
                            command: call.command)),
                ]
            } catch let refused as ConnectRefusal {
                refusal = refused
                page.status = refused.status
                page.blocks.append(Notice(.bad, refused.message, id: "problem"))
            }
        }
        let fields = fields(refusal)
        if !fields.isEmpty {
            page.blocks.append(
                PageForm(
                    .ask, action: path, button: ConsoleWords.Acts.see,
                    hidden: [.init("preview", "1")] + target, fields: fields))
        }
        page.blocks += preview
        if page.blocks.isEmpty {
            page.blocks.append(LinkList([PageLink(Words.back, ConsolePath.family(family.id))]))
        }
        return page
    }

    private func fields(_ refusal: ConnectRefusal?) -> [Field] {
        switch act {
        case .join:
            return [
                Field(
                    "account", Words.account, in: "join", value: form["account"],
                    hint: Words.organiserHint, problem: refusal?.message, isRequired: true)
            ]
        case .share:
            let shared = (try? shares) ?? false
            return [
                Field(
                    "sharing", Words.sharing, .choice(Words.choices), in: "share",
                    value: form.text("sharing") ?? (shared ? "off" : "on"))
            ]
        case .remove, .end: return []
        }
    }

    /// Whether the purchase that is meant is shared now.
    private var shares: Bool {
        get throws {
            let one = try family.purchases.first {
                try $0.text("originalTransactionId") == form["transaction"]
            }
            return try one?.bool("shared") ?? false
        }
    }

    /// Which purchase or member is meant, as the address says it.
    private var target: [PageForm.Hidden] {
        act == .share ? [.init("transaction", form["transaction"])] : []
    }

    private var button: PageForm {
        let filled = ["account", "transaction", "sharing"].compactMap { name in
            form.text(name).map { PageForm.Hidden(name, $0) }
        }
        return PageForm(
            act.isFinal ? .danger : .change, action: path, button: act.title,
            hidden: [FormID.hidden()] + filled,
            way: PageLink(Words.leaveIt, ConsolePath.family(family.id)))
    }

    /// - Returns: where the browser goes then.
    func perform(_ form: FormInput) async throws -> String {
        let call = try call(form)
        _ = try await visit.desk.ask(call.method, call.path, call.body)
        return act == .end ? ConsolePath.families : ConsolePath.family(family.id)
    }

    private struct ConnectCall {
        let method: HTTPRequest.Method
        let path: StorePath
        var body: [UInt8]?
        let command: [String]
    }

    private func call(_ form: FormInput) throws -> ConnectCall {
        let own = ["connect", "v1", "families", family.id]
        let account = form.text("account") ?? ""
        let organiser = try family.organiser
        func json(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
            var json = JSONWriter()
            json.object(write)
            return json.bytes
        }
        switch act {
        case .join:
            return ConnectCall(
                method: .post, path: StorePath(parts: own + ["members"]),
                body: json { $0.field("account", account) },
                command: ["family", "add", organiser, account])
        case .remove:
            return ConnectCall(
                method: .delete, path: StorePath(parts: own + ["members", account]),
                command: ["family", "remove", account])
        case .share:
            let transaction = form.text("transaction") ?? ""
            let sharing = form.text("sharing") ?? ""
            return ConnectCall(
                method: .put,
                path: StorePath("connect", "v1", "transactions", transaction, "sharing"),
                body: json { $0.field("sharing", sharing) },
                command: ["family", "share", transaction, sharing])
        case .end:
            return ConnectCall(
                method: .delete, path: StorePath(parts: own),
                command: ["family", "end", organiser])
        }
    }
}
