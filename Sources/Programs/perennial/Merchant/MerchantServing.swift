import Logging
import Merchant
import MerchantConfiguration
import MerchantHTTP
import OutboxHTTP
import ServiceLifecycle
import TimeAndChance

/// One run of a merchant alone, from its files to its end.
enum MerchantServing {
    /// Serves until a signal ends it.
    ///
    /// - Throws: `Failure`; where the configuration has errors nothing was made.
    static func run(_ plan: MerchantServePlan) async throws {
        LoggingSystem.bootstrap(StreamLogHandler.standardError)
        var log = Logger(label: "perennial")
        log.logLevel = plan.logLevel
        let configuration: MerchantConfiguration
        do {
            configuration = try plan.configuration()
        } catch {
            throw error.said()
        }
        let clock = try await clock(plan, configuration, log)
        let place = plan.place(configuration.server)
        if let url = place.databaseURL { try await Opening.checkDatabase(url) }
        let directory = try Serving.home(place)
        defer { directory.remove() }
        let readyFiles = [directory.readyFile] + (place.readyFile.map { [$0] } ?? [])
        // What an earlier run left would look as if this one were ready.
        for file in readyFiles { try Serving.remove(readyFile: file) }
        do {
            let house = try await MerchantHouse.open(
                in: directory, databaseURL: place.databaseURL, apps: configuration.setups,
                means: try CampaignMeans(configuration.channels),
                time: { await clock?.now() ?? SystemTime.now() }, log: log)
            let announcement = MerchantAnnouncement(
                place: place, directory: directory, house: house, readyFiles: readyFiles,
                clock: clock == nil ? "the machine's" : "the store's")
            do {
                try await serve(plan, configuration, announcement, clock, log)
            } catch {
                await house.close()
                throw error
            }
            await house.close()
        } catch {
            try? Serving.remove(readyFile: directory.readyFile)
            throw Opening.failure(error, in: directory)
        }
        // The one that --ready-file names belongs to whoever named it, as long as what its tokens
        // open can be served again.
        for file in directory.isTemporary ? readyFiles : [directory.readyFile] {
            try? Serving.remove(readyFile: file)
        }
    }

    /// The store's clock, where the plan is to follow it.
    private static func clock(
        _ plan: MerchantServePlan, _ configuration: MerchantConfiguration, _ log: Logger
    ) async throws -> FollowedClock? {
        guard plan.followsStore else { return nil }
        return try await FollowedClock(plan.clockStore(of: configuration), log: log)
    }

    private static func serve(
        _ plan: MerchantServePlan, _ configuration: MerchantConfiguration,
        _ announcement: MerchantAnnouncement, _ clock: FollowedClock?, _ log: Logger
    ) async throws {
        let (house, place) = (announcement.house, announcement.place)
        let watch = ConfigurationWatch(plan, configuration, log: log) { next in
            if let clock { await clock.follow(try plan.clockStore(of: next)) }
            try await house.serve(next.setups)
            announcement.appsChanged()
        }
        try await Serving.run(
            [
                MerchantKeeper(house.merchant, post: HTTPPost()), watch,
                house.tokenWatch { announcement.appsChanged() },
                house.service(
                    host: place.host, port: place.merchantPort ?? 0, option: "--port",
                    processesFirst: false, limits: RequestLimits(configuration.server.limits)
                ) { announcement.heard($0) },
                announcement,
            ], log)
    }
}

extension RequestLimits {
    /// What a configuration says; 0 is for no limit.
    fileprivate init(_ limits: MerchantConfiguration.ServerSettings.Limits) {
        self.init()
        if let said = limits.app { app = said > 0 ? said : nil }
        if let said = limits.server { server = said > 0 ? said : nil }
        if let said = limits.theOperator { theOperator = said > 0 ? said : nil }
    }
}
