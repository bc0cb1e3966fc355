import AppStoreWire
import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import StoreHTTP

/// One family: who is in it, what is shared, and what can be done about it.
struct FamilyView: Sendable {
    private let visit: Visit
    let id: String
    let members: [Answer]
    let purchases: [Answer]
    private let created: Answer

    private typealias Words = ConsoleWords.Families

    init(_ visit: Visit) async throws {
        self.visit = visit
        id = try visit.part("id")
        created = try await visit.desk.get(StorePath("connect", "v1", "families", id))
        members = try created.list("members")
        purchases = try created.list("purchases")
    }

    /// Whose family it is.
    var organiser: String {
        get throws {
            try members.first { try $0.bool("organiser") }?.text("account") ?? id
        }
    }

    var page: Page {
        get async throws {
            let organiser = try organiser
            let path = StorePath("connect", "v1", "families", id)
            return Page(
                Words.name(organiser), trail: [PageLink(Words.title, ConsolePath.families)],
                [
                    Facts([
                        (
                            Words.organiser,
                            Cell(PageLink(organiser, ConsolePath.customer(organiser)))
                        ),
                        (Words.people, Cell(Words.count(members.count))),
                        (Words.since, visit.momentCell(created, "created")),
                        (Words.number, .code(id)),
                    ]),
                    PageSection(
                        Words.members, id: "members", about: Words.membersAbout,
                        [try memberTable, memberLinks]),
                    PageSection(
                        Words.purchases, id: "purchases", about: Words.purchasesAbout,
                        [try await purchaseTable]),
                    visit.same(
                        SameCall(Words.title, .get, path, command: ["family", "show", organiser]),
                        SameCall(
                            FamilyAct.join.title, .post, StorePath(parts: path.parts + ["members"]),
                            body: #"{"account":"dora"}"#,
                            command: ["family", "add", organiser, "dora"]),
                        SameCall(
                            FamilyAct.end.title, .delete, path,
                            command: ["family", "end", organiser])),
                ])
        }
    }

    private var memberTable: DataTable {
        get throws {
            DataTable(
                Words.members,
                columns: [Words.account, Words.role, Words.joined, Words.newPurchases, Words.act],
                rows: try members.map { member in
                    let account = try member.text("account")
                    let isOrganiser = try member.bool("organiser")
                    let shares = try member.bool("sharesNewPurchases")
                    let removal = StorePath("console", "families", id, FamilyAct.remove.rawValue)
                        .with("account", account).with("preview", "1").text
                    return DataTable.Row([
                        Cell(PageLink(account, ConsolePath.customer(account))),
                        isOrganiser ? .badge(Words.organiserRole, .plain) : Cell(Words.memberRole),
                        visit.momentCell(member, "joined"),
                        .badge(
                            shares ? Words.shared : Words.kept, shares ? .good : .plain),
                        isOrganiser ? .none : Cell(PageLink(Words.remove, removal)),
                    ])
                }, empty: "")
        }
    }

    /// What can be done with the family as a whole.
    private var memberLinks: LinkList {
        let acts = members.count < 6 ? [FamilyAct.join, .end] : [.end]
        return LinkList(
            acts.map { act in
                PageLink(
                    act.title,
                    ConsolePath.family(id, act.rawValue) + (act == .end ? "?preview=1" : ""))
            }, label: ConsoleWords.Acts.sectionTitle)
    }

    private var purchaseTable: DataTable {
        get async throws {
            let subscriptions = try await subscriptions
            return DataTable(
                Words.purchases,
                columns: [
                    Words.product, Words.purchaser, Words.sharing, Words.sharedWith, Words.act,
                ],
                rows: try purchases.map { one in
                    let account = try one.text("account")
                    let original = try one.text("originalTransactionId")
                    let product = try one.text("productId")
                    let isShared = try one.bool("shared")
                    let holders = try one.list("sharedWith").map { holder in
                        Words.holder(
                            try holder.text("account"),
                            since: visit.locale.moment(try holder.moment("since")))
                    }
                    let change = StorePath("console", "families", id, FamilyAct.share.rawValue)
                        .with("transaction", original).text
                    return DataTable.Row([
                        subscriptions.contains(original)
                            ? Cell(PageLink(product, ConsolePath.subscription(original)))
                            : Cell(product, detail: original),
                        Cell(PageLink(account, ConsolePath.customer(account))),
                        .badge(
                            isShared ? Words.shared : Words.notShared, isShared ? .good : .plain),
                        Cell(
                            holders.isEmpty ? Words.nobody : holders.joined(separator: ", ")),
                        Cell(PageLink(Words.change, change)),
                    ])
                }, empty: Words.nothing)
        }
    }

    /// Which of what is shared are subscriptions, and so have a page.
    private var subscriptions: Set<String> {
        get async throws {
            var found: Set<String> = []
            for account in Set(try purchases.map { try $0.text("account") }).sorted() {
                let customer = try await visit.desk.get(
                    StorePath("connect", "v1", "customers", account))
                found.formUnion(
                    try customer.list("subscriptions").map { try $0.text("originalTransactionId") })
            }
            return found
        }
    }
}
