import Mustache

/// The templates that are compiled into the program.
enum PageTemplates {
    /// Their names, each with its text.
    static let texts: [(name: String, text: String)] = [
        ("page", PackageResources.page_mustache), ("again", PackageResources.again_mustache),
        ("blocks", PackageResources.blocks_mustache),
        ("cell", PackageResources.cell_mustache), ("code", PackageResources.code_mustache),
        ("columns", PackageResources.columns_mustache),
        ("facts", PackageResources.facts_mustache), ("figure", PackageResources.figure_mustache),
        ("form", PackageResources.form_mustache), ("framed", PackageResources.framed_mustache),
        ("links", PackageResources.links_mustache),
        ("notice", PackageResources.notice_mustache),
        ("offering", PackageResources.offering_mustache),
        ("within", PackageResources.within_mustache),
        ("progress", PackageResources.progress_mustache),
        ("prose", PackageResources.prose_mustache), ("row", PackageResources.row_mustache),
        ("same", PackageResources.same_mustache),
        ("section", PackageResources.section_mustache),
        ("table", PackageResources.table_mustache), ("ware", PackageResources.ware_mustache),
    ].map { ($0.0, String(decoding: $0.1, as: UTF8.self)) }

    /// All of them, parsed once.
    static let library: MustacheLibrary = {
        MustacheContentTypes.register(EscapingByScalar(), named: EscapingByScalar.name)
        var library = MustacheLibrary()
        for (name, text) in texts {
            do {
                try library.register(text, named: name)
            } catch {
                preconditionFailure("the template \(name) cannot be read: \(error)")
            }
        }
        return library
    }()
}
