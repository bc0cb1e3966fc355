import AppStoreWire
import SubscriptionRules

/// Reads the top level of a configuration; its extensions read the parts, one file each.
///
/// It goes on after a problem, so that one run names all of them. What it collects after the
/// first problem is thrown away by ``StoreKitFile``.
struct CatalogueReader {
    var findings: Findings
    private(set) var version = ""
    private(set) var storefront = Storefront.usa
    /// Whether the file names none.
    var isStorefrontAssumed = false
    /// The language that the file is written in first; nil where it names none.
    private(set) var locale: String?
    private(set) var policies = AppPolicies()
    /// How many products have pictures, which nothing here shows.
    var imageCount = 0
    private(set) var groups: [SubscriptionGroup] = []
    private(set) var products: [Product] = []

    /// The path of each product and group read so far, by identifier.
    private(set) var productPaths: [String: String] = [:]
    private var groupPaths: [String: String] = [:]
    /// Subscriptions that stand outside `subscriptionGroups`, until the groups are known.
    var looseSubscriptions: [LooseSubscription] = []
    /// Their places in that list, by each name under which a group may list them.
    var loosePlaces: [String: Int] = [:]
    /// Groups that hold nothing themselves, until the loose subscriptions are settled.
    var groupsWithoutEntries: [(id: String, path: String)] = []

    init(file: String) { findings = Findings(file: file) }

    /// The keys that Xcode writes at the top level.
    private static let knownKeys: Set<String> = [
        "appPolicies", "identifier", "nonRenewingSubscriptions", "products", "settings",
        "subscriptionBundleGroups", "subscriptionGroups", "subscriptionOffersKeyPair",
        "subscriptionSuiteGroups", "version",
    ]

    /// Arrays of products that generated files keep under keys of their own, and what is in them.
    private static let strayArrays: [String: ProductType] = [
        "nonConsumableIAP": .nonConsumable,
        "nonConsumableProducts": .nonConsumable,
        "nonRenewableSubscriptions": .nonRenewingSubscription,
        "nonRenewingSubscriptionProducts": .nonRenewingSubscription,
        "subscriptions": .autoRenewableSubscription,
    ]

    /// Reads the whole configuration.
    mutating func read(_ root: Node) {
        guard isConfiguration(root) else { return }
        readVersion(root)
        storefront = readSettings(root)
        locale = readLocale(root)
        policies = readPolicies(root)
        for key in ["products", "subscriptionGroups"] where root.member(key) == nil {
            findings.warn(
                root.path(of: key), "The key is missing; taken as an empty list.",
                remedy: "Nothing to do if that is meant.")
        }
        for node in findings.objects("products", of: root) {
            readProduct(node, assumed: nil)
        }
        for node in findings.objects("nonRenewingSubscriptions", of: root) {
            readProduct(node, assumed: .nonRenewingSubscription)
        }
        readStrayKeys(root)
        for node in findings.objects("subscriptionGroups", of: root) { readGroup(node) }
        settleLooseSubscriptions()
        noteEmptyGroups()
        noteWhatIsNotSold(root)
        noteEmptiness(root)
    }

    /// A JSON object with none of the format's own keys is some other file.
    private mutating func isConfiguration(_ root: Node) -> Bool {
        let keys = Set(root.value.object?.keys.map { $0 } ?? [])
        let telling: Set<String> = ["products", "subscriptionGroups", "nonRenewingSubscriptions"]
        if !keys.isDisjoint(with: telling.union(Self.strayArrays.keys)) { return true }
        findings.fail(
            root.path, "The object has none of the keys of a StoreKit configuration.",
            remedy: "Give a file with \"products\" or \"subscriptionGroups\", as Xcode writes it.")
        return false
    }

    private mutating func readVersion(_ root: Node) {
        let known = 6
        guard let node = root.member("version") else {
            findings.warn(
                "$.version", "The format version is missing; read by the keys that are there.",
                remedy: "Save the file from Xcode.")
            return
        }
        if let major = node.value.integer {
            version = String(major)
            findings.warn(
                node.path, "The format version is a bare number; read as major version \(major).",
                remedy: "Save the file from Xcode.")
        } else if let major = node.member("major")?.value.integer {
            version = "\(major).\(node.member("minor")?.value.integer ?? 0)"
        } else {
            findings.warn(
                node.path, "The format version is \(node.kind) without a major number; ignored.",
                remedy: "Save the file from Xcode.")
        }
        if let major = version.split(separator: ".").first.flatMap({ Int64($0) }), major > known {
            findings.warn(
                node.path, "Format version \(version) is newer than the known ones, up to 6.3.",
                remedy: "Compare this report with what Xcode shows.")
        }
    }

    private mutating func readStrayKeys(_ root: Node) {
        let keys = root.value.object?.keys.filter { !Self.knownKeys.contains($0) } ?? []
        for key in keys.sorted() {
            // An empty list says nothing, wherever it stands.
            guard root.member(key)?.value != .array([]) else { continue }
            let path = root.path(of: key)
            guard let type = Self.strayArrays[key], let node = root.member(key) else {
                findings.warn(
                    path, "Xcode does not know this key; ignored.",
                    remedy: "Nothing to do unless it holds products.")
                continue
            }
            // One generated file keeps its only product under such a key (SKF-3).
            findings.warn(
                path,
                "Xcode does not know this key; its products are read as \(Spelling.word(type)).",
                remedy: "Move them to where Xcode keeps them.")
            let nodes = node.value.object == nil ? findings.objects(key, of: root) : [node]
            for node in nodes { readProduct(node, assumed: type) }
        }
    }

    /// Parts of newer formats and local secrets, of which the store makes no use.
    private mutating func noteWhatIsNotSold(_ root: Node) {
        for (key, name) in [
            ("subscriptionSuiteGroups", "Subscription suites"),
            ("subscriptionBundleGroups", "Subscription bundles"),
        ] where root.member(key)?.elements?.isEmpty == false {
            findings.warn(
                root.path(of: key), "\(name) are not sold by this store; left out.",
                remedy: "Test with ordinary subscription groups.")
        }
        if root.member("subscriptionOffersKeyPair") != nil {
            findings.warn(
                root.path(of: "subscriptionOffersKeyPair"),
                "The key in the file is not used, and not stored.",
                remedy: "Nothing is to be done: this store sells no promotional offers yet.")
        }
    }

    private mutating func noteEmptiness(_ root: Node) {
        guard products.isEmpty, findings.problems.isEmpty else { return }
        findings.warn(
            root.path, "The file has no products.",
            remedy: "Add some in Xcode, or synchronise the file with App Store Connect.")
    }

    // MARK: What was read

    /// Adds a product, unless its identifier is taken.
    mutating func add(_ product: Product, from node: Node) {
        if let first = productPaths[product.id] {
            findings.fail(
                node.path(of: "productID"),
                "The product identifier \(quoted(product.id)) is also at \(first).",
                remedy: "Give each product an identifier of its own.")
            return
        }
        productPaths[product.id] = node.path(of: "productID")
        products.append(product)
    }

    /// Adds a group, unless its identifier is taken.
    mutating func add(_ group: SubscriptionGroup, at path: String) {
        if let first = groupPaths[group.id] {
            findings.fail(
                path, "The group identifier \(quoted(group.id)) is also at \(first).",
                remedy: "Give each group an identifier of its own.")
            return
        }
        groupPaths[group.id] = path
        groups.append(group)
    }

    /// Where a product with an identifier was read, if it was.
    func path(ofProduct id: String) -> String? { productPaths[id] }

    /// Whether a group with an identifier was read.
    func hasGroup(_ id: String) -> Bool { groupPaths[id] != nil }
}
