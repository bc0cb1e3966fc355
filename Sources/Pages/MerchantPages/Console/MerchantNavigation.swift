import HTMLPages

/// The groups of pages, and the pages of the group that a path belongs to.
struct MerchantNavigation {
    let groups: [PageLink]
    /// Empty where the group is one page.
    let pages: [PageLink]

    /// - Parameter path: of the present page; nil where it is none of the console's.
    init(at path: String?) {
        // Plans lie beside campaigns, since each has a number and no app in its address.
        let path = path.map { $0.hasPrefix("/console/plans/") ? MerchantPath.campaigns : $0 }
        func isHere(_ page: PageLink) -> Bool {
            guard let path else { return false }
            if path == page.href { return true }
            // Everything lies below the overview.
            return page.href != MerchantPath.overview && path.hasPrefix("\(page.href)/")
        }
        let all = MerchantWords.groups
        groups = all.map { group in
            PageLink(
                group.title, group.pages[0].href, isCurrent: group.pages.contains(where: isHere))
        }
        let here = all.first { $0.pages.contains(where: isHere) }?.pages ?? []
        pages =
            here.count < 2
            ? [] : here.map { PageLink($0.text, $0.href, isCurrent: isHere($0)) }
    }
}
