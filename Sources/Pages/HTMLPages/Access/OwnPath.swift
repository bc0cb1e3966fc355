/// Where pages may send a browser that says itself where it wants to go.
package enum OwnPath {
    /// A path that leads to a page of a site; nil for any other, so that nobody is sent elsewhere
    /// by a link to the sign-in.
    ///
    /// - Parameter root: the site's first page, such as `/console`.
    package static func of(_ path: String, below root: String) -> String? {
        guard path == root || path.hasPrefix("\(root)/") || path.hasPrefix("\(root)?") else {
            return nil
        }
        let isPlain = path.utf8.allSatisfy {
            (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\")
        }
        // A browser takes a part of dots for the way up, also where they are encoded.
        let climbs = path.prefix { $0 != "?" }.lowercased().replacing("%2e", with: ".")
            .split(separator: "/").contains { $0 == "." || $0 == ".." }
        return isPlain && !climbs && path.utf8.count <= 2000 ? path : nil
    }
}
