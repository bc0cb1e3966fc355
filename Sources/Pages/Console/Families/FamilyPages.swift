import AppStoreWire
import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import StoreHTTP
import Timeline

extension Console {
    /// People who share what they buy.
    var familyPages: [Endpoint<StoreSite>] {
        [families, newFamily, createFamily, family] + familyActs
    }

    private var families: Endpoint<StoreSite> {
        page("families", "families") { visit in
            typealias Words = ConsoleWords.Families
            let account = visit.asked("account")
            let path = StorePath("connect", "v1", "families").with("account", account)
            let list = try await FilteredList(
                visit,
                path.with("after", visit.asked("after")).with("limit", String(Visit.pageSize)))
            var page = try list.page(
                Words.title, lead: Words.lead, to: ConsolePath.families,
                [list.field("account", Words.somebody, refusedBy: "unknownAccount")]
            ) { answer in
                let families = try answer.list("families")
                return [
                    try visit.familyTable(
                        families,
                        more: visit.more(
                            answer, to: StorePath("console", "families").with("account", account),
                            "after", families.last?.text("id")))
                ]
            }
            page.blocks += [
                LinkList([
                    PageLink(
                        Words.make,
                        StorePath("console", "families", "new")
                            .with("organiser", account).text)
                ]),
                visit.same(
                    SameCall(
                        Words.title, .get, path,
                        command: account.map { ["family", "show", $0] } ?? ["family", "list"])),
            ]
            return page
        }
    }

    /// Asks who shall be in a family, and shows what making it will do.
    private var newFamily: Endpoint<StoreSite> {
        page("families/new", "newFamily") { visit in try await visit.newFamilyPage() }
    }

    private var createFamily: Endpoint<StoreSite> {
        action(
            "families", "createFamily", on: { visit in try await visit.newFamilyPage() }
        ) { visit, form in
            let made = try await visit.desk.ask(
                .post, StorePath("connect", "v1", "families"), FamilyOrder(form).body)
            return ConsolePath.family(try made.text("id"))
        }
    }

    private var family: Endpoint<StoreSite> {
        page("families/{id}", "family") { visit in
            let view = try await FamilyView(visit)
            return try await view.page
        }
    }
}

/// A family that somebody wants, as it was filled in.
struct FamilyOrder {
    let organiser: String
    let members: [String]

    init(_ form: FormInput) {
        organiser = form.text("organiser") ?? ""
        members = form["members"].split(whereSeparator: \.isNewline).compactMap { line in
            let name = line.drop { $0.isWhitespace }
            return name.lastIndex { !$0.isWhitespace }.map { String(name[...$0]) }
        }
    }

    /// What `/connect` is asked.
    var body: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.field("organiser", organiser)
            json.field("members", members)
        }
        return json.bytes
    }
}

extension FamilyOrder {
    /// Asks for it, with what is wrong with whom.
    fileprivate func form(_ refusal: ConnectRefusal?) -> PageForm {
        typealias Words = ConsoleWords.Families
        // `/connect` names the account, and not the member of the request.
        let message = refusal?.message ?? ""
        let isAboutMember =
            !message.contains(organiser) && members.contains { message.contains($0) }
        return PageForm(
            .ask, action: ConsolePath.families + "/new", button: ConsoleWords.Acts.see,
            hidden: [.init("preview", "1")],
            fields: [
                Field(
                    "organiser", Words.organiser, in: "family", value: organiser,
                    hint: Words.organiserHint, problem: isAboutMember ? nil : refusal?.message,
                    isRequired: true),
                Field(
                    "members", Words.members, .longText, in: "family",
                    value: members.joined(separator: "\n"), hint: Words.membersHint,
                    problem: isAboutMember ? refusal?.message : nil),
            ])
    }
}

extension Visit {
    fileprivate func familyTable(_ families: [Answer], more: PageLink?) throws -> DataTable {
        typealias Words = ConsoleWords.Families
        return DataTable(
            Words.title, columns: [Words.organiser, Words.members, Words.since],
            rows: try families.map { family in
                let members = try family.list("members").map { try $0.text("account") }
                return DataTable.Row([
                    Cell(
                        PageLink(
                            members.first ?? "", ConsolePath.family(try family.text("id")))),
                    Cell(members.dropFirst().joined(separator: ", ")),
                    momentCell(family, "created"),
                ])
            }, empty: Words.none, more: more)
    }

    fileprivate func newFamilyPage() async throws -> Page {
        typealias Words = ConsoleWords.Families
        let form = try refused?.form ?? FormInput(call.query)
        let order = FamilyOrder(form)
        var page = Page(
            Words.make, lead: Words.makeAbout,
            trail: [PageLink(Words.title, ConsolePath.families)], [])
        let path = StorePath("connect", "v1", "families")
        var refused: ConnectRefusal?
        var preview: [any PageBlock] = []
        if form.text("preview") != nil {
            do {
                let told = try await desk.ask(.post, path, order.body, rehearses: true)
                preview = [
                    rehearsal(
                        try told.list("entries"),
                        PageForm(
                            .change, action: ConsolePath.families, button: Words.make,
                            hidden: [
                                FormID.hidden(), .init("organiser", order.organiser),
                                .init("members", order.members.joined(separator: "\n")),
                            ], way: PageLink(Words.leaveIt, ConsolePath.families)))
                ]
            } catch let refusal as ConnectRefusal {
                refused = refusal
                page.status = refusal.status
                page.blocks.append(Notice(.bad, refusal.message, id: "problem"))
            }
        }
        page.blocks.append(order.form(refused))
        page.blocks += preview
        page.blocks.append(
            same(
                SameCall(
                    Words.make, .post, path, body: String(decoding: order.body, as: UTF8.self),
                    command: ["family", "create", order.organiser] + order.members)))
        return page
    }

    /// What something will do, which was done and taken back, and the button that does it.
    func rehearsal(_ entries: [Answer], _ form: PageForm) -> PageSection {
        PageSection(
            ConsoleWords.Acts.previewTitle, id: "preview", about: ConsoleWords.Acts.previewAbout,
            [rehearsalTable(entries), form])
    }

    private func rehearsalTable(_ entries: [Answer]) -> DataTable {
        typealias Words = ConsoleWords.Subscription
        return DataTable(
            ConsoleWords.Acts.previewTitle,
            columns: [
                Words.when, Words.what, ConsoleWords.Customers.product, Words.amount, Words.notice,
            ],
            rows: entries.map { entry in
                let event = (try? entry.timelineEntry).flatMap { one in
                    Life(entry: one, locale.figures).events.first
                }
                let name = entry.optionalText("event") ?? ""
                return DataTable.Row([
                    momentCell(entry, "at"),
                    Cell(event?.text ?? ConsoleWords.happening(name)),
                    Cell(entry.optionalText("productId") ?? ""),
                    .number(event?.amount ?? ""),
                    Cell(entry.texts("notices").joined(separator: ", ")),
                ])
            }, empty: ConsoleWords.Acts.changesNothing, shown: .first(ConsoleWords.showMore))
    }
}
