import Logging
import MerchantConfiguration
import PlacedYAML
import Timeline

/// What `merchant serve` was asked to do; what the command line says counts before the file.
struct MerchantServePlan: Sendable {
    /// The YAML file.
    var configurationFile: String?
    /// Ready files of stores.
    var stores: [String] = []
    /// Where it keeps what it has; nil where nothing was said.
    var home: ServePlan.Home?
    var databaseURL: String?
    var host: String?
    var port: Int?
    /// Whether its clock is the store's.
    var followsStore = false
    var readyFile: String?
    var logLevel = Logger.Level.warning
    var printsJSON = false

    static let usualHome = "perennial-merchant"
    static let usualPort = 8090

    /// Reads what is served.
    ///
    /// - Throws: `ConfigurationErrors`.
    func configuration() throws(ConfigurationErrors) -> MerchantConfiguration {
        try MerchantConfiguration.read(file: configurationFile, stores: stores)
    }

    /// The one store whose clock is followed.
    ///
    /// - Throws: `Failure` where there is none, or several.
    func clockStore(of configuration: MerchantConfiguration) throws -> StoreReady {
        let stores = configuration.apps.compactMap(\.store)
        guard let first = stores.first else {
            throw Failure.usage(
                "--clock store needs a store: name its ready file with --store, or as `store:` in "
                    + "the configuration.")
        }
        guard stores.allSatisfy({ $0.urls == first.urls }) else {
            throw Failure.usage(
                "--clock store follows one clock, and \(counted(stores.count, "store")) are "
                    + "named: start a merchant for each.")
        }
        return first
    }

    /// Where and how it runs, as `serve` is told it.
    func place(_ server: MerchantConfiguration.ServerSettings) -> ServePlan {
        var place = ServePlan()
        place.home = home ?? .directory(server.data ?? Self.usualHome)
        // What is temporary keeps nothing anywhere else.
        place.databaseURL = databaseURL ?? (home == .ephemeral ? nil : server.databaseURL)
        place.host = host ?? server.host ?? place.host
        place.merchantPort = port ?? server.port ?? Self.usualPort
        place.readyFile = readyFile
        place.logLevel = logLevel
        place.printsJSON = printsJSON
        return place
    }
}

extension ConfigurationErrors {
    /// Says each problem in a line of its own.
    ///
    /// - Returns: what the command ends with.
    func said() -> Failure {
        for problem in problems { Output.complain("\(problem)") }
        return Failure.refused(
            "The configuration cannot be used (\(counted(problems.count, "error"))); correct it, "
                + "and look at it with `perennial merchant check FILE`.")
    }
}
