import Mustache

/// Parts of a page beside each other; on a narrow screen they stand below each other.
package struct PageColumns: PageBlock {
    package let template = "columns"
    let blocks: [any PageBlock]

    package init(_ columns: [PageSection]) { blocks = columns }
}

extension PageColumns: MustacheParent {
    package func child(named key: String) -> Any? {
        switch key {
        case "template": template
        case "blocks": blocks
        default: nil
        }
    }
}

/// Another page that is used within this one. The page that holds it names its server in its
/// policy, and the other one this server in its own.
package struct FramedPage: PageBlock {
    package let template = "within"
    let title: String
    let source: String
    let name: String
    let feeds: String?

    /// - Parameters:
    ///   - title: what it is, for people who do not see it.
    ///   - source: its address, percent-encoded.
    ///   - name: by which links can lead into it.
    ///   - feeds: the section whose form is sent after each page that the frame shows, where
    ///     scripts run; the section and the other frames are then shown anew.
    package init(_ title: String, source: String, name: String, feeds: String? = nil) {
        self.title = title
        self.source = source
        self.name = name
        self.feeds = feeds
    }
}

extension FramedPage: MustacheParent {
    package func child(named key: String) -> Any? {
        switch key {
        case "template": template
        case "title": title
        case "source": source
        case "name": name
        case "feeds": feeds
        default: nil
        }
    }
}
