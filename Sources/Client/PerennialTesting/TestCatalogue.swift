import StoreKitFile
public import SubscriptionRules

/// What a test's app sells: the file that Xcode wrote, or products built in code.
///
/// ```swift
/// .perennial("Tests/Garden.storekit")
/// .perennial(TestCatalogue {
///     $0.subscription("club.monthly", price: 9_990, every: .month)
///     $0.product("coins", price: 990, .consumable)
/// })
/// ```
public struct TestCatalogue: Sendable, Hashable, ExpressibleByStringLiteral {
    private enum Source: Sendable, Hashable {
        case file(String)
        case built(Catalogue)
    }

    private let source: Source

    /// The path of a `.storekit` file.
    public init(stringLiteral path: String) { source = .file(path) }

    /// The path of a `.storekit` file, from the folder of the file that names it.
    public static func file(_ path: String, from file: String = #filePath) -> TestCatalogue {
        guard !path.hasPrefix("/") else { return TestCatalogue(stringLiteral: path) }
        let folder = file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
        return TestCatalogue(stringLiteral: folder + path)
    }

    /// Products that a closure adds.
    public init(_ build: (inout Builder) -> Void) {
        var builder = Builder()
        build(&builder)
        source = .built(builder.catalogue)
    }

    /// Adds products one by one.
    public struct Builder {
        var catalogue = Catalogue()

        /// Adds an auto-renewable subscription.
        ///
        /// - Parameters:
        ///   - price: in thousandths of a dollar: 9.99 is `9_990`.
        ///   - group: a customer has one subscription of each group at a time.
        ///   - level: 1 is the best: to move there is an upgrade.
        public mutating func subscription(
            _ id: String, price: Int64, every period: CalendarPeriod, in group: String = "main",
            level: Int = 1, isFamilyShareable: Bool = false, offers: [Offer] = []
        ) {
            if !catalogue.groups.contains(where: { $0.id == group }) {
                catalogue.groups.append(SubscriptionGroup(id: group, referenceName: group))
            }
            catalogue.products.append(
                Product(
                    id: id, type: .autoRenewableSubscription, isFamilyShareable: isFamilyShareable,
                    basePrice: price,
                    subscription: SubscriptionTerms(
                        groupID: group, level: level, period: period, offers: offers)))
        }

        /// Adds what is no auto-renewable subscription.
        public mutating func product(
            _ id: String, price: Int64, _ type: ProductType, isFamilyShareable: Bool = false
        ) {
            catalogue.products.append(
                Product(
                    id: id, type: type, isFamilyShareable: isFamilyShareable, basePrice: price))
        }
    }

    /// What the store imports.
    ///
    /// - Throws: `TestStoreFailure` with everything that is wrong with the file.
    func read() throws -> (catalogue: Catalogue, storefront: Storefront?, locale: String?) {
        switch source {
        case .built(let catalogue): return (catalogue, nil, nil)
        case .file(let path):
            do throws(StoreKitFileError) {
                let file = try StoreKitFile.read(path: path)
                return (file.catalogue, Storefront(code: file.storefront), file.locale)
            } catch {
                throw TestStoreFailure("The catalogue \(path) cannot be sold: \(error)")
            }
        }
    }
}
