package import Store
import SubscriptionRules

/// An app as an answer tells of it.
package struct AppSheet: Sendable {
    /// How much of the Small Business Program's limit is used up.
    package struct Standing: Sendable {
        package var year = 0
        /// In milliunits of US dollars, as the proceeds are.
        package var limit: Int64 = 0
        package var proceedsThisYear: Int64 = 0
        package var proceedsLastYear: Int64 = 0
        package var isExceeded = false
        /// The codes of other currencies in which something was gained.
        package var notCounted: [String] = []
    }

    package var bundleID = ""
    package var appleID: Int64 = 0
    package var settings = App.Settings(name: "")
    /// Only of an app that is in the program.
    package var standing: Standing?
    package var productCount = 0

    /// One that an answer is read into.
    package init() {}

    init(_ app: App, _ standing: SmallBusinessStanding?) {
        bundleID = app.bundleID
        appleID = app.appleID
        settings = app.settings
        self.standing = app.settings.smallBusiness ? standing.map { Standing($0) } : nil
        productCount = app.catalogue.products.count { $0.deleted == nil }
    }
}

extension AppSheet.Standing {
    init(_ standing: SmallBusinessStanding) {
        year = standing.year
        limit = SmallBusinessProgram.limit
        proceedsThisYear = standing.proceedsThisYear
        proceedsLastYear = standing.proceedsLastYear
        isExceeded = standing.isExceeded
        notCounted = standing.notCounted.map(\.code)
    }
}
