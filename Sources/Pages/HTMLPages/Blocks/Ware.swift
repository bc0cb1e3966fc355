/// Something that is or was for sale: its picture, its name, and what there is to say of it.
package struct Ware: PageBlock {
    package let template = "ware"
    let image: String
    let alt: String
    let name: String
    let lines: [String]

    /// - Parameters:
    ///   - image: a path of this server, percent-encoded.
    ///   - alt: what it shows, for those who do not see it.
    ///   - lines: a paragraph each, below the name.
    package init(_ name: String, image: String, alt: String, lines: [String] = []) {
        self.name = name
        self.image = image
        self.alt = alt
        self.lines = lines
    }
}
