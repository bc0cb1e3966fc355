import Mustache
import SubscriptionRules

@testable import HTMLPages

/// A block of every kind, with everything that it can have.
struct Samples: Sendable {
    /// Makes the text of a place; places have names of their own.
    let text: @Sendable (String) -> String

    static let moment = Instant(milliseconds: 1_767_225_600_000)

    /// Each place says its name.
    static let plain = Samples { $0 }

    var all: [any PageBlock] { texts + forms + tables + [section, figure] }

    var link: PageLink {
        PageLink(
            text("link-text"), text("/link-href"), isCurrent: true, isFile: true,
            frame: text("link-frame"))
    }

    var section: PageSection {
        PageSection(
            text("section-title"), id: text("section-id"), about: text("section-about"),
            [Prose(text("section-prose"))])
    }

    var texts: [any PageBlock] {
        [
            Prose(text("prose-one"), text("prose-two")),
            LinkList([link], label: text("links-label"), isTabs: true),
            CodeText(text("code-title"), text("code-text"), isOpen: true),
            FramedDocument(text("framed-title"), source: text("/framed-source")),
            Notice(
                .bad, text("notice-text"), strong: text("notice-strong"), link: link,
                id: text("notice-id"),
                items: [
                    PageLink(text("item-text"), text("/item-href")),
                    PageLink(text("item-alone"), ""),
                ]),
            SameElsewhere(
                text("same-summary"),
                [
                    SameElsewhere.Item(
                        text("same-about"), call: text("same-call"), command: text("same-command"))
                ]),
            Progress(
                text("progress-label"), text: text("progress-text"), permille: 371,
                stream: text("/progress-stream"), reload: link),
            TryAgain(text("again-text"), text("again-about")),
            Offering(
                text("offering-total"), details: [text("offering-detail")],
                act: PageLink(text("act-text"), text("/act-href"))),
            PageColumns([
                PageSection(
                    text("column-title"), id: text("column-id"), [Prose(text("column-prose"))])
            ]),
            FramedPage(
                text("within-title"), source: text("/within-source"), name: text("within-name"),
                feeds: text("within-feeds")),
            Ware(
                text("ware-name"), image: text("/ware-image"), alt: text("ware-alt"),
                lines: [text("ware-line")]),
        ]
    }

    var forms: [any PageBlock] {
        [
            PageForm(
                .danger, action: text("/form-action"), button: text("form-button"),
                id: text("form-id"), about: text("form-about"),
                hidden: [PageForm.Hidden(text("hidden-name"), text("hidden-value"))],
                fields: [
                    field("plain", .text), field("search", .search), field("secret", .password),
                    field("long", .longText), field("choice", .choice(choices)),
                    field("radio", .radios(choices)),
                ], way: link, isOff: true),
            PageForm(
                .ask, action: text("/ask-action"), button: text("ask-button"),
                fields: [
                    Field(
                        text("box-name"), text("box-label"), .checkbox, in: "ask", value: "true")
                ]),
        ]
    }

    private var choices: [(value: String, text: String)] {
        [
            (text("choice-value"), text("choice-text")), (text("other-value"), text("other-text")),
        ]
    }

    private func field(_ name: String, _ kind: Field.Kind) -> Field {
        var value = text("\(name)-value")
        if case .password = kind { value = "" }
        return Field(
            text("\(name)-name"), text("\(name)-label"), kind, in: text("form"), value: value,
            hint: text("\(name)-hint"), problem: text("\(name)-problem"), isRequired: true)
    }

    var tables: [any PageBlock] {
        [
            Facts(
                [
                    (label: text("facts-label"), value: Cell(link, detail: text("facts-detail"))),
                    (
                        label: text("moment-label"),
                        value: .moment(Self.moment, text("moment-text"))
                    ),
                    (label: text("left-out"), value: nil),
                ]),
            DataTable(
                text("table-caption"), columns: [text("column-one"), text("column-two")],
                rows: [
                    DataTable.Row(
                        [
                            .badge(text("badge-text"), .attention).linked(to: text("/badge-href")),
                            .number(text("number-text")),
                        ], id: text("row-id")),
                    DataTable.Row([.code(text("code-cell")), Cell(text("last-cell"))]),
                ], empty: text("not-empty"), more: link, hidesCaption: true),
            DataTable(
                text("long-caption"), columns: [text("long-column")],
                rows: (1...13).map { DataTable.Row([Cell(text("long-\($0)"))]) },
                empty: text("not-empty"), shown: .last { [text] in text("unfold-\($0)") }),
            DataTable(
                text("long-first"), columns: [text("first-column")],
                rows: (1...13).map { DataTable.Row([Cell(text("first-\($0)"))]) },
                empty: text("not-empty"), shown: .first { [text] in text("unfold-first-\($0)") }),
            DataTable(
                text("empty-caption"), columns: [text("no-column")], rows: [],
                empty: text("table-empty")),
        ]
    }

    var figure: Figure {
        var key = Drawing(id: "key", title: "", width: 16, height: 16)
        key.circle(x: 8, y: 8, radius: 4, class: "key-class")
        return Figure(
            wide: drawing(text("wide-id")), narrow: drawing(text("narrow-id")),
            caption: text("figure-caption"), legend: [Figure.Key(text("legend-text"), key)])
    }

    func drawing(_ id: String) -> Drawing {
        var drawing = Drawing(id: id, title: text("drawing-title"), width: 100, height: 50)
        drawing.rectangle(
            x: 1, y: 2, width: 3, height: 4, class: "a", title: text("rectangle-title"))
        drawing.line(x1: 5, y1: 6, x2: 7, y2: 8, class: "b", title: text("line-title"))
        drawing.path([(9, 10), (11, 12)], isClosed: true, class: "c", title: text("path-title"))
        drawing.circle(x: 13, y: 14, radius: 15, class: "d", title: text("circle-title"))
        drawing.text(text("drawing-text"), x: 16, y: 17, anchor: .end, class: "e")
        return drawing
    }

    /// A page of all blocks, in a frame with everything.
    var page: Page {
        Page(
            text("page-title"), badge: .badge(text("page-badge"), .good), lead: text("page-lead"),
            trail: [PageLink(text("trail-text"), text("/trail-href"))], all)
    }

    var frame: PageFrame {
        var frame = PageFrame(
            site: text("frame-site"), home: text("/frame-home"), assets: text("/frame-assets"),
            environment: text("frame-environment"), environmentKind: text("frame-kind"),
            foot: text("frame-foot"), locale: .english)
        frame.clock = PageFrame.Clock(
            Self.moment, text: text("clock-text"), mode: text("clock-mode"),
            href: text("/clock-href"))
        frame.nav = [
            PageLink(text("nav-text"), text("/nav-href"), isCurrent: true)
        ]
        frame.banners = [PageFrame.Banner(text("banner-text"), link: link)]
        frame.signOut = text("/sign-out")
        frame.elsewhere = PageLink(text("elsewhere-text"), text("/elsewhere-href"))
        frame.settings = PageLink(text("settings-text"), text("/settings-href"))
        frame.group = [PageLink(text("group-text"), text("/group-href"), isCurrent: true)]
        return frame
    }

    /// A block alone, as it stands on a page.
    static func html(_ block: any PageBlock) -> String {
        PageTemplates.library.render(block, withTemplate: block.template) ?? ""
    }
}
