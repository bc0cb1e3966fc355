import HTMLPages

/// The groups of pages, and the pages of the group that a path belongs to.
struct Navigation {
    let groups: [PageLink]
    /// Empty where the group is one page.
    let pages: [PageLink]

    /// Pages below none of those that are named.
    private static let elsewhere = [
        "/console/subscriptions": ConsolePath.customers, "/console/sign-up": ConsolePath.customers,
        "/console/bills": ConsolePath.refunds, "/console/apps": ConsolePath.settings,
    ]

    /// - Parameter path: of the present page; nil where it is none of the console's.
    init(at path: String?) {
        let present = path.map { path in
            Self.elsewhere.first { Self.lies(path, below: $0.key) }?.value ?? path
        }
        func isHere(_ page: PageLink) -> Bool {
            present.map { Self.lies($0, below: page.href) } ?? false
        }
        let all = ConsoleWords.groups
        groups = all.map { group in
            PageLink(
                group.title, group.pages[0].href, isCurrent: group.pages.contains(where: isHere))
        }
        let here = all.first { $0.pages.contains(where: isHere) }?.pages ?? []
        pages =
            here.count < 2
            ? [] : here.map { PageLink($0.text, $0.href, isCurrent: isHere($0)) }
    }

    private static func lies(_ path: String, below other: String) -> Bool {
        path == other || path.hasPrefix("\(other)/")
    }
}

extension PageFrame {
    /// Shows the groups of pages.
    mutating func navigate(at path: String?) {
        let navigation = Navigation(at: path)
        nav = navigation.groups
        group = navigation.pages
    }
}
