public import SubscriptionRules

/// What `catalog check` says about one or more `.storekit` files: what each would sell, what was
/// assumed, and what stands in the way.
public struct CatalogueReport: Sendable {
    /// One entry a file, in the order given.
    public let files: [File]

    /// Reports on files that were read.
    public init(files: [File]) { self.files = files }

    /// Reads files by their paths and reports on each; a file that cannot be read is an entry
    /// with errors.
    public init(paths: [String]) { files = paths.map(File.init(path:)) }

    /// Whether any file cannot be imported: the check has failed.
    public var hasErrors: Bool { files.contains { !$0.errors.isEmpty } }

    /// What is said about one file.
    public struct File: Sendable {
        /// The file's own name.
        public let name: String
        /// The format version, such as `4.0`; empty where there is none or nothing was read.
        public let version: String
        /// The storefront that the prices are meant for; nil where nothing was read.
        public let storefront: Storefront?
        /// Whether the file names no storefront.
        public let isStorefrontAssumed: Bool
        /// The language that the file is written in first; nil where it names none.
        public let locale: String?
        /// How many products have promotional images, which are not read.
        public let imageCount: Int
        /// What the file sells; empty where nothing was read.
        public let catalogue: Catalogue
        /// What was assumed or left out.
        public let warnings: [Finding]
        /// What is right and could be better.
        public let advice: [Finding]
        /// What stands in the way of importing it.
        public let errors: [Finding]

        /// The same report under another name, such as the path as it was given: two files in
        /// different folders may have one name.
        public func named(_ other: String) -> File {
            func renamed(_ finding: Finding) -> Finding {
                let inner = finding.file.hasPrefix(name) ? finding.file.dropFirst(name.count) : ""
                return Finding(
                    file: other + inner, path: finding.path, problem: finding.problem,
                    remedy: finding.remedy)
            }
            return File(
                name: printable(other), version: version, storefront: storefront,
                isStorefrontAssumed: isStorefrontAssumed, locale: locale,
                imageCount: imageCount, catalogue: catalogue,
                warnings: warnings.map(renamed), advice: advice.map(renamed),
                errors: errors.map(renamed))
        }

        private init(
            name: String, version: String, storefront: Storefront?, isStorefrontAssumed: Bool,
            locale: String?, imageCount: Int, catalogue: Catalogue, warnings: [Finding],
            advice: [Finding], errors: [Finding]
        ) {
            self.name = name
            self.version = version
            self.storefront = storefront
            self.isStorefrontAssumed = isStorefrontAssumed
            self.locale = locale
            self.imageCount = imageCount
            self.catalogue = catalogue
            self.warnings = warnings
            self.advice = advice
            self.errors = errors
        }

        /// How many things of each kind it sells.
        public var counts: StoreKitFile.Counts { StoreKitFile.Counts(catalogue) }

        /// Reads a file and reports on it.
        public init(path: String) {
            let name = String(path.split(separator: "/").last ?? Substring(path))
            do throws(StoreKitFileError) {
                self.init(name: name, try StoreKitFile.read(path: path))
            } catch {
                self.init(name: name, error)
            }
        }

        /// Reports on a file that was read.
        public init(name: String, _ file: StoreKitFile) {
            self.name = printable(name)
            version = file.version
            storefront = Storefront(code: file.storefront)
            isStorefrontAssumed = file.isStorefrontAssumed
            locale = file.locale
            imageCount = file.imageCount
            catalogue = file.catalogue
            warnings = file.warnings
            advice = file.advice
            errors = []
        }

        /// Reports on a file that cannot be imported.
        public init(name: String, _ error: StoreKitFileError) {
            self.name = printable(name)
            version = ""
            storefront = nil
            isStorefrontAssumed = false
            locale = nil
            imageCount = 0
            catalogue = Catalogue()
            warnings = error.warnings
            advice = []
            errors = error.problems
        }
    }
}
