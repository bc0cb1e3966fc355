import FoundationEssentials
import Logging
import Merchant
import Storage
import StoragePostgres
import Store
import SubscriptionRules

/// What `serve` was asked to do.
struct ServePlan: Sendable {
    /// The `.storekit` file whose products are sold.
    var catalogueFile: String?
    var home = Home.directory("perennial-data")
    var databaseURL: String?
    /// How many connections to PostgreSQL are used at once.
    var databaseConnections = PostgresDatabase.usualConnections
    var databaseLimits = DatabaseLimits()
    /// A directory with the certificates of a new store, in place of some of its own.
    var sharedCertificates = Self.usualSharedCertificates
    /// Whether a database that other certificates signed for is taken over.
    var adopts = false
    var host = "127.0.0.1"
    var port = 8080
    var sandboxPort = 8081
    /// The port of a merchant beside the store; nil for a store alone.
    var merchantPort: Int?
    /// How the shop of that merchant looks; nil for the shop's own look.
    var look: AppLook?
    /// How a new world's clock goes; nil where nothing was said.
    var clockMode: StoreClock.Mode?
    /// What a new world's clock shows first.
    var moment: Instant?
    /// Whether a new world has customers who have lived for a year.
    var hasExample = false
    /// The app; nil where nothing was said.
    var bundleID: String?
    var appAppleID: Int64?
    /// Where notifications of both environments go.
    var notificationURL: String?
    /// How many notifications of one app in one environment are under way at once.
    var deliveriesAtOnce = Store.usualDeliveriesAtOnce
    /// Who writes to customers; nil for nobody.
    var mailroom: Mailroom?
    /// How long this process keeps what it has to itself without being heard of.
    var claimTime = Store.usualClaimTime
    var limits = Limits.usual
    /// Whether customers can sign in to their pages by their names alone.
    var hasDevelopmentSignIn = true
    var readyFile: String?
    var logLevel = Logger.Level.warning
    var printsJSON = false
    /// Who uses the store, given the path of its ready file: the store stops when it returns. Nil
    /// for a store that says where it is, and serves until a signal ends it.
    var guest: (@Sendable (String) async throws -> Void)?

    /// Where the store keeps what it has.
    enum Home: Hashable, Sendable {
        case directory(String)
        /// A temporary directory, gone with the process.
        case ephemeral
    }

    /// The rate limits of the App Store Server API.
    enum Limits: Hashable, Sendable {
        /// Apple's in Production, none in Sandbox.
        case usual
        /// Apple's, a tenth of them in Sandbox.
        case apple
        case none
    }

    static let usualBundleID = "com.example.app"

    private static var usualSharedCertificates: String? {
        Variables.current.variable("PERENNIAL_CERTIFICATES")
    }
}
