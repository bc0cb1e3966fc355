extension String {
    /// A name without case, spaces, hyphens and underscores: `Free Trial`, `FREE_TRIAL` and
    /// `freeTrial` all have one form.
    package var foldedName: String {
        String(lowercased().filter { $0 != " " && $0 != "-" && $0 != "_" })
    }
}

extension Sequence<String> {
    /// The one of these names that is meant, in whatever spelling it is written; nil for none.
    package func spelling(of name: String) -> String? {
        let folded = name.foldedName
        var near: String?
        for candidate in self {
            if candidate == name { return candidate }
            if near == nil, candidate.foldedName == folded { near = candidate }
        }
        return near
    }
}
