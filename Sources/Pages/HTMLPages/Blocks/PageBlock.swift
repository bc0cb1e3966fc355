package import Mustache

/// A part of a page. What a page shows is made of few kinds of them, so that all pages look and
/// read alike; each kind has one template.
///
/// Templates read stored properties by their names, and only those: what they branch on is a
/// `Bool` that is stored. Whatever a template reads says what it has by each name.
package protocol PageBlock: Sendable, MustacheParent {
    /// The name of its template.
    var template: String { get }
}

/// Something to go to.
package struct PageLink: Sendable, Hashable {
    package var text: String { didSet { broken = BrokenText(text) } }
    private(set) var broken: BrokenText
    /// A path of this server, percent-encoded.
    package var href: String
    package var isCurrent: Bool
    /// Whether it is a file to be kept and no page.
    package var isFile: Bool
    /// The name of the framed page that it is opened in; nil for the window.
    package var frame: String?

    package init(
        _ text: String, _ href: String, isCurrent: Bool = false, isFile: Bool = false,
        frame: String? = nil
    ) {
        self.text = text
        broken = BrokenText(text)
        self.href = href
        self.isCurrent = isCurrent
        self.isFile = isFile
        self.frame = frame
    }
}

/// How something is meant, besides what its words say.
package enum Tone: String, Sendable {
    case plain, good, attention, bad, quiet
}

/// A part of a page with a heading.
package struct PageSection: PageBlock {
    package let template = "section"
    let id: String?
    let headingID: String
    let title: String
    let about: String?
    let isLandmark: Bool
    let blocks: [any PageBlock]

    /// - Parameters:
    ///   - id: names it in links; unique on its page.
    ///   - about: a sentence below the heading.
    ///   - isLandmark: whether one can jump to it by its name; not so of many that are alike, of
    ///     which several may have the same.
    package init(
        _ title: String, id: String, about: String? = nil, isLandmark: Bool = true,
        _ blocks: [any PageBlock]
    ) {
        self.title = title
        self.isLandmark = isLandmark
        self.id = id
        headingID = "\(id)-heading"
        self.about = about
        self.blocks = blocks
    }
}

/// Paragraphs.
package struct Prose: PageBlock {
    package let template = "prose"
    let paragraphs: [String]

    package init(_ paragraphs: String...) { self.paragraphs = paragraphs }
}

/// A list of things to go to.
package struct LinkList: PageBlock {
    package let template = "links"
    let label: String?
    let links: [PageLink]
    let isTabs: Bool

    /// - Parameters:
    ///   - label: what the list is, for those who do not see it.
    ///   - isTabs: whether it is a choice between views of the same thing.
    package init(_ links: [PageLink], label: String? = nil, isTabs: Bool = false) {
        self.links = links
        self.label = label
        self.isTabs = isTabs
    }
}

/// A text for machines that people may want to read, folded away.
package struct CodeText: PageBlock {
    package let template = "code"
    let title: String
    let text: String
    let isOpen: Bool

    package init(_ title: String, _ text: String, isOpen: Bool = false) {
        self.title = title
        self.text = text
        self.isOpen = isOpen
    }
}

/// Another document of this server, shown within the page and shut off from it: it runs nothing,
/// sends nothing and knows nothing of who looks.
package struct FramedDocument: PageBlock {
    package let template = "framed"
    let title: String
    let source: String

    /// - Parameters:
    ///   - title: what it is, for those who do not see it.
    ///   - source: a path of this server, percent-encoded, which answers `Response.framed`.
    package init(_ title: String, source: String) {
        self.title = title
        self.source = source
    }
}

/// A message about what was done or is wrong.
package struct Notice: PageBlock {
    package let template = "notice"
    let tone: String
    /// What screen readers take it for.
    let role: String
    let id: String?
    let strong: String?
    let text: String
    let link: PageLink?
    let hasItems: Bool
    let items: [Item]

    /// One of several things that it names.
    struct Item: Sendable {
        let text: String
        let isLink: Bool
        let href: String
    }

    package init(
        _ tone: Tone, _ text: String, strong: String? = nil, link: PageLink? = nil,
        id: String? = nil, items: [PageLink] = []
    ) {
        self.tone = tone.rawValue
        role = tone == .bad ? "alert" : "status"
        self.text = text
        self.strong = strong
        self.link = link
        self.id = id
        hasItems = !items.isEmpty
        self.items = items.map { Item(text: $0.text, isLink: !$0.href.isEmpty, href: $0.href) }
    }
}

/// By which other ways the same is had: calls of an interface, and command lines.
package struct SameElsewhere: PageBlock {
    package let template = "same"
    let summary: String
    let items: [Item]

    /// One thing that the page shows or does.
    package struct Item: Sendable, Hashable {
        let about: String
        let call: String?
        let command: String?

        package init(_ about: String, call: String?, command: String?) {
            self.about = about
            self.call = call
            self.command = command
        }
    }

    package init(_ summary: String, _ items: [Item]) {
        self.summary = summary
        self.items = items
    }
}

/// How far something has come that takes a while. Where scripts run it follows by itself.
package struct Progress: PageBlock {
    package let template = "progress"
    let label: String
    let text: String
    let permille: Int
    /// Where the events come from that move it on.
    let stream: String
    let reload: PageLink

    /// - Parameter permille: how much of it is done, in thousandths.
    package init(
        _ label: String, text: String, permille: Int, stream: String, reload: PageLink
    ) {
        self.label = label
        self.text = text
        self.permille = min(max(permille, 0), 1000)
        self.stream = stream
        self.reload = reload
    }
}

/// Offers to load the page anew, and where scripts run does so after a while.
package struct TryAgain: PageBlock {
    package let template = "again"
    let text: String
    let about: String

    /// - Parameter about: says that it happens by itself.
    package init(_ text: String, _ about: String) {
        self.text = text
        self.about = about
    }
}
