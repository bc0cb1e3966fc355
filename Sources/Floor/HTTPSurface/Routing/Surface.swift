/// A part of a server that is called and that refuses in one way. Each endpoint says to which it
/// belongs; only a path that no endpoint has is looked for under the roots.
package struct Surface: Sendable {
    /// What its operations are grouped by in a description.
    package let name: String
    /// What it is for.
    package let about: String
    /// The first part of the paths that are its own, such as `connect`, also where there is no
    /// endpoint; nil for none, as where it lies beside others.
    package let root: String?
    /// How it tells errors.
    package let errors: any ErrorForm

    package init(_ name: String, _ about: String, root: String?, errors: any ErrorForm) {
        self.name = name
        self.about = about
        self.root = root
        self.errors = errors
    }
}
