import HTTPTypes
import TestPages
import Testing

/// Follows all links of the console, as somebody would who looks at everything.
struct Crawler {
    /// What was seen, by path.
    private(set) var seen: [String: Sight] = [:]
    private let browser: Browser
    /// More than so many pages are not looked at.
    private let most: Int

    init(_ browser: Browser, most: Int = 300) {
        self.browser = browser
        self.most = most
    }

    /// Looks at pages and at all that they lead to.
    mutating func look(at paths: [String]) async throws {
        var waiting = paths
        while let path = waiting.popLast(), seen.count < most {
            guard seen[path] == nil else { continue }
            let sight = try await browser.get(path)
            seen[path] = sight
            waiting += sight.links
        }
    }
}

/// What must be true of every answer of the console.
func expectSafe(_ sight: Sight, sourceLocation: SourceLocation = #_sourceLocation) {
    let what = "\(sight.path): \(sight.status)"
    #expect(
        sight.fields[.contentSecurityPolicy]?.contains("default-src 'none'") == true,
        "\(what)", sourceLocation: sourceLocation)
    #expect(
        sight.fields[.xContentTypeOptions] == "nosniff", "\(what)", sourceLocation: sourceLocation)
    #expect(
        sight.fields[.cacheControl]?.contains("no-store") == true
            || sight.path.hasPrefix("/console/assets/"), "\(what)", sourceLocation: sourceLocation)
    for (name, value) in [("X-Frame-Options", "DENY"), ("Referrer-Policy", "same-origin")] {
        let field = HTTPField.Name(name).flatMap { sight.fields[$0] }
        #expect(
            field == value || sight.path.hasPrefix("/console/assets/"), "\(what)",
            sourceLocation: sourceLocation)
    }
    guard sight.isPage else { return }
    let markup = sight.markup
    let names = Set(markup.flatMap { $0.attributes.keys })
    let strange = names.filter {
        $0.hasPrefix("on") || $0 == "style"
            || !$0.allSatisfy { $0.isLetter || "-:123".contains($0) }
    }
    #expect(strange.isEmpty, "\(what)", sourceLocation: sourceLocation)
    #expect(
        markup.count { $0.name == "script" } == 1 && !markup.contains { $0.name == "style" },
        "\(what)", sourceLocation: sourceLocation)
    let leads = markup.flatMap { tag in ["href", "src", "action"].compactMap { tag.attributes[$0] }
    }
    let away = leads.filter { !$0.hasPrefix("/console") && !$0.hasPrefix("#") && !$0.isEmpty }
    #expect(away.isEmpty, "\(what)", sourceLocation: sourceLocation)
    let ids = markup.compactMap { $0.attributes["id"] }
    #expect(Set(ids).count == ids.count, "\(what): \(ids)", sourceLocation: sourceLocation)
    #expect(
        markup.first { $0.name == "html" }?.attributes["lang"] == "en", "\(what)",
        sourceLocation: sourceLocation)
    #expect(markup.count { $0.name == "h1" } == 1, "\(what)", sourceLocation: sourceLocation)
}
