import HTTPTypes
import TestPages
import Testing

/// A customer who looks at their pages.
extension Browser {
    /// Fills in the form of a page that goes to a path, and sends it.
    ///
    /// - Parameter values: what is filled in; all else stays as the page has it.
    func submit(
        _ page: Sight, to action: String, _ values: [String: String] = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Sight {
        let form = try #require(
            page.form(to: action), "no form to \(action)", sourceLocation: sourceLocation)
        return try await post(action, form.map { ($0.name, values[$0.name] ?? $0.value) })
    }

    /// Signs in by a customer's name.
    func signIn(_ account: String) async throws {
        let sight = try await post(
            "/account/sign-in", [("app", "com.example.app"), ("account", account)])
        #expect(sight.status == 303)
    }
}

/// What must be true of every answer of customers' pages.
func expectSafe(_ sight: Sight, sourceLocation: SourceLocation = #_sourceLocation) {
    let what = "\(sight.path): \(sight.status)"
    for (name, value) in [
        ("X-Frame-Options", "DENY"), ("Referrer-Policy", "same-origin"),
        ("X-Content-Type-Options", "nosniff"), ("Cache-Control", "no-store"),
    ] {
        let field = HTTPField.Name(name).flatMap { sight.fields[$0] }
        #expect(field == value, "\(what)", sourceLocation: sourceLocation)
    }
    #expect(
        sight.fields[.contentSecurityPolicy]?.contains("default-src 'none'") == true, "\(what)",
        sourceLocation: sourceLocation)
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
    let leads = markup.flatMap { tag in
        ["href", "src", "action"].compactMap { tag.attributes[$0] }
    }
    let away = leads.filter { !$0.hasPrefix("/account") && !$0.hasPrefix("#") && !$0.isEmpty }
    #expect(away.isEmpty, "\(what)", sourceLocation: sourceLocation)
    let ids = markup.compactMap { $0.attributes["id"] }
    #expect(Set(ids).count == ids.count, "\(what): \(ids)", sourceLocation: sourceLocation)
    #expect(markup.count { $0.name == "h1" } == 1, "\(what)", sourceLocation: sourceLocation)
}
