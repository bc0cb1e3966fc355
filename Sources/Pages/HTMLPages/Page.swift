package import HTTPTypes
package import Hummingbird
import Mustache
import NIOCore
package import SubscriptionRules

/// What a person sees at an address.
package struct Page: Sendable {
    /// What it is called, in the window's title and above it.
    package var title: String
    /// A word about what it is about, such as its state.
    package var badge: Cell?
    /// A sentence below the title.
    package var lead: String?
    /// What it is part of, outermost first.
    package var trail: [PageLink]
    package var blocks: [any PageBlock]
    package var status = HTTPResponse.Status.ok
    /// Whether it shows another document within itself.
    package var isFraming = false
    /// The servers whose pages it shows within itself: `'self'`, or origins.
    package var framed: [String] = []

    package init(
        _ title: String, badge: Cell? = nil, lead: String? = nil, trail: [PageLink] = [],
        status: HTTPResponse.Status = .ok, _ blocks: [any PageBlock]
    ) {
        self.title = title
        self.badge = badge
        self.lead = lead
        self.trail = trail
        self.status = status
        self.blocks = blocks
    }
}

/// What stands around every page of a site.
package struct PageFrame: Sendable {
    /// The site's name.
    package var site: String
    /// The path of its first page.
    package var home: String
    /// The path below which the style sheet and the script are.
    package var assets: String
    /// What the pages are about, in a word that is always seen, such as `Sandbox`.
    package var environment: String
    /// The same for the style sheet.
    package var environmentKind: String
    /// The same site about something else, beside `environment`.
    package var elsewhere: PageLink?
    package var clock: Clock?
    /// What is a click away from every page, beside the clock.
    package var settings: PageLink?
    /// The groups of pages, and the pages of the present group where it has several.
    package var nav: [PageLink] = []
    package var group: [PageLink] = []
    package var banners: [Banner] = []
    /// Where a session is ended; nil where there is none.
    package var signOut: String?
    package var foot: String
    /// The origins whose pages show these within themselves; nobody else can.
    package var framedBy: [String] = []
    package var look: Look?
    package var locale: PageLocale

    package init(
        site: String, home: String, assets: String, environment: String, environmentKind: String,
        foot: String, locale: PageLocale
    ) {
        self.site = site
        self.home = home
        self.assets = assets
        self.environment = environment
        self.environmentKind = environmentKind
        self.foot = foot
        self.locale = locale
    }

    /// What the pages of one app have beside those of all: a style sheet, and a picture before the
    /// site's name, by their paths on this server.
    package struct Look: Sendable {
        package let sheet: String?
        package let icon: String?

        package init(sheet: String?, icon: String?) {
            self.sheet = sheet
            self.icon = icon
        }
    }

    /// What time it is for those whom the pages are about.
    package struct Clock: Sendable {
        let text: String
        let datetime: String
        let mode: String
        let href: String

        package init(_ now: Instant, text: String, mode: String, href: String) {
            self.text = text
            datetime = now.iso8601
            self.mode = mode
            self.href = href
        }
    }

    /// What everybody should know who sees any page.
    package struct Banner: Sendable {
        let text: String
        let link: PageLink?

        package init(_ text: String, link: PageLink? = nil) {
            self.text = text
            self.link = link
        }
    }
}

/// What the template of all pages reads.
struct PageView {
    let lang: String
    let dir: String
    let title: String
    let heading: BrokenText
    let badge: Badge?
    let lead: BrokenText?
    let trail: Trail?
    let look: PageFrame.Look?
    let site: String
    let home: String
    let assets: String
    let environment: String
    let environmentKind: String
    let elsewhere: PageLink?
    let clock: PageFrame.Clock?
    let settings: PageLink?
    let signOut: SignOut?
    let hasNav: Bool
    let nav: [PageLink]
    let hasGroup: Bool
    let group: [PageLink]
    let navLabel: String
    let skipText: String
    let banners: [PageFrame.Banner]
    let blocks: [any PageBlock]
    let foot: String

    struct Badge {
        let tone: String
        let text: String
    }

    struct Trail {
        let links: [PageLink]
    }

    struct SignOut {
        let action: String
        let text: String
    }

    init(_ page: Page, in frame: PageFrame) {
        let words = frame.locale.words
        lang = frame.locale.language
        dir = words.direction
        title = page.title
        heading = BrokenText(page.title)
        badge = page.badge.map { Badge(tone: $0.tone, text: $0.text) }
        lead = page.lead.map(BrokenText.init)
        trail = page.trail.isEmpty ? nil : Trail(links: page.trail)
        look = frame.look
        site = frame.site
        home = frame.home
        assets = frame.assets
        environment = frame.environment
        environmentKind = frame.environmentKind
        elsewhere = frame.elsewhere
        clock = frame.clock
        settings = frame.settings
        signOut = frame.signOut.map { SignOut(action: $0, text: words.signOut) }
        hasNav = !frame.nav.isEmpty
        nav = frame.nav
        hasGroup = !frame.group.isEmpty
        group = frame.group
        navLabel = words.navigation
        skipText = words.skip
        banners = frame.banners
        blocks = page.blocks
        foot = frame.foot
    }
}

extension Page {
    /// The page as HTML.
    package func html(in frame: PageFrame) -> String {
        guard
            let html = PageTemplates.library.render(
                PageView(self, in: frame), withTemplate: "page")
        else { preconditionFailure("there is no template of pages") }
        return html
    }

    /// The page as an answer that no other site can frame or feed with scripts, and that nobody
    /// keeps.
    package func response(in frame: PageFrame) -> Response {
        var fields = PageHeaders.all
        fields[.contentType] = "text/html; charset=utf-8"
        fields[.contentLanguage] = frame.locale.language
        if isFraming || !framed.isEmpty || !frame.framedBy.isEmpty {
            fields[.contentSecurityPolicy] = PageHeaders.exactPolicy(
                framing: framed + (isFraming ? ["'self'"] : []), framedBy: frame.framedBy)
        }
        // It knows only nobody and everybody of this server; the policy is exact.
        if !frame.framedBy.isEmpty, let name = HTTPField.Name("X-Frame-Options") {
            fields[name] = nil
        }
        return Response(
            status: status, headers: fields,
            body: ResponseBody(byteBuffer: ByteBuffer(string: html(in: frame))))
    }
}
