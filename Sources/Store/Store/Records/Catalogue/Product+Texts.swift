public import SubscriptionRules

extension Product {
    /// Name and description in a locale, or the best that there is instead.
    /// A product without texts shows the developer's own name for it, or its identifier.
    ///
    /// - Parameter home: the app's own language, which comes next.
    public func texts(in locale: String, or home: String) -> (name: String, description: String) {
        let found = localizations.best(for: locale, or: home)
        let name = found?.displayName ?? ""
        guard name.isEmpty else { return (name, found?.description ?? "") }
        return (referenceName.isEmpty ? id : referenceName, found?.description ?? "")
    }
}
