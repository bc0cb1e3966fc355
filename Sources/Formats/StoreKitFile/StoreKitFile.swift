public import SubscriptionRules

/// A `.storekit` configuration file, as Xcode writes it, read into a catalogue.
///
/// Two outcomes, never a mixture: either a whole catalogue, with a warning for each thing that
/// was assumed or left out, or ``StoreKitFileError`` with everything that stands in the way.
/// What decides: a thing is tolerated when Xcode itself writes it, or when only one reading of
/// it makes sense; it is an error when reading it wrongly would sell something else than meant.
/// So a price that was never typed in is 0 with a warning, because Xcode keeps such a product on
/// offer and leaving it out would make an unknown product of it; a price with a comma is an
/// error.
///
/// The format has no published schema; what is known of it stands under SKF in docs/rules.md. Keys
/// are read by presence, whatever `version` says. The private key of `subscriptionOffersKeyPair` is
/// neither stored nor shown.
public struct StoreKitFile: Sendable {
    /// Everything that the file sells, prices as numbers without a currency.
    public let catalogue: Catalogue
    /// The storefront that the prices are meant for, by alpha-3 code: `_storefront`, else `USA`.
    public let storefront: String
    /// Whether the file names no storefront, so that ``storefront`` is assumed.
    public let isStorefrontAssumed: Bool
    /// The language that the app is written in first: `_locale`; nil where the file names none.
    public let locale: String?
    /// How many products have promotional images, which are not read: nothing here shows them.
    public let imageCount: Int
    /// What was assumed or left out, in the order of reading.
    public let warnings: [Finding]
    /// What is right and could be better; the file is sold as it is.
    public let advice: [Finding]
    /// The format version that the file gives, such as `4.0`; empty where it gives none.
    public let version: String
    /// Where each product stands in the file, by its identifier.
    let places: [String: String]
    /// The name by which findings call the file.
    let name: String

    /// The most bytes that a file may have: 16 MiB. The largest real one seen has 16 kB.
    public static let largestSize = 16 * 1024 * 1024

    /// How many things of each kind the catalogue has.
    public var counts: Counts { Counts(catalogue) }

    /// Reads a file by its path.
    ///
    /// - Parameter path: a file, or a folder with the extension (the form that Xcode uses once
    ///   there are promotional images), in which `Configuration.storekit` is read.
    public static func read(path: String) throws(StoreKitFileError) -> StoreKitFile {
        let file = try FileBytes.read(path: path)
        return try read(bytes: file.bytes, name: file.name)
    }

    /// The bytes of a file that can be read, for a store elsewhere that reads them again.
    public static func bytes(path: String) throws(StoreKitFileError) -> [UInt8] {
        let file = try FileBytes.read(path: path)
        _ = try read(bytes: file.bytes, name: file.name)
        return file.bytes
    }

    /// Reads the bytes of a file.
    ///
    /// - Parameter name: the file's name, for the findings.
    public static func read(
        bytes: [UInt8], name: String
    ) throws(StoreKitFileError) -> StoreKitFile {
        let root = try Container.root(of: bytes, name: name)
        var reader = CatalogueReader(file: name)
        reader.read(root)
        guard reader.findings.problems.isEmpty else {
            throw StoreKitFileError(
                problems: reader.findings.problems, warnings: reader.findings.warnings)
        }
        let catalogue = Catalogue(
            groups: reader.groups, products: reader.products, policies: reader.policies)
        return StoreKitFile(
            catalogue: catalogue, storefront: reader.storefront.code,
            isStorefrontAssumed: reader.isStorefrontAssumed, locale: reader.locale,
            imageCount: reader.imageCount, warnings: reader.findings.warnings,
            advice: Advice.all(
                on: catalogue, file: name, places: reader.productPaths),
            version: reader.version, places: reader.productPaths, name: name)
    }

    /// What stands in the way of importing the file where a catalogue is sold already: products
    /// that were deleted, or would change their type or their group, which customers' purchases
    /// rest on.
    public func conflicts(with known: Catalogue) -> [Finding] {
        let sold = Dictionary(known.products.map { ($0.id, $0) }) { first, _ in first }
        return catalogue.products.compactMap { product in
            guard let before = sold[product.id] else { return nil }
            let (was, now) = (before.subscription?.groupID, product.subscription?.groupID)
            let problem: String
            if before.deleted != nil {
                return Finding(
                    file: name, path: places[product.id] ?? "$",
                    problem: "The product \(quoted(product.id)) was deleted from the app.",
                    remedy: "Its identifier never comes back: take it out of the file, or give the "
                        + "product another one.")
            }
            if before.type != product.type {
                problem =
                    "is sold as \(before.type.rawValue), and here it is "
                    + "\(product.type.rawValue)"
            } else if was != now {
                problem =
                    "is sold in the group \(quoted(was ?? "")), and here it is in "
                    + quoted(now ?? "")
            } else {
                return nil
            }
            return Finding(
                file: name, path: places[product.id] ?? "$",
                problem: "The product \(quoted(product.id)) \(problem).",
                remedy: "A product keeps its type and its group for ever: give this one an "
                    + "identifier of its own.")
        }
    }

    /// How many things of each kind a catalogue has.
    public struct Counts: Hashable, Sendable {
        /// Subscription groups, empty ones too.
        public let groups: Int
        /// Products of this type.
        public let autoRenewableSubscriptions: Int
        /// Products of this type.
        public let nonRenewingSubscriptions: Int
        /// Products of this type.
        public let consumables: Int
        /// Products of this type.
        public let nonConsumables: Int
        /// Offers of all kinds.
        public let offers: Int

        /// Products of all types.
        public var products: Int {
            autoRenewableSubscriptions + nonRenewingSubscriptions + consumables + nonConsumables
        }

        /// Counts a catalogue.
        public init(_ catalogue: Catalogue) {
            func count(_ type: ProductType) -> Int {
                catalogue.products.count { $0.type == type }
            }
            groups = catalogue.groups.count
            autoRenewableSubscriptions = count(.autoRenewableSubscription)
            nonRenewingSubscriptions = count(.nonRenewingSubscription)
            consumables = count(.consumable)
            nonConsumables = count(.nonConsumable)
            offers = catalogue.products.reduce(0) { $0 + ($1.subscription?.offers.count ?? 0) }
        }
    }
}
