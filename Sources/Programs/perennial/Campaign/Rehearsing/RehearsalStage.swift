import AppStoreWire
import ConnectAnswers
import Logging
import Merchant
import MerchantConfiguration
import NIOHTTP1
import ServiceLifecycle
import Storage
import SubscriptionRules

/// A fork of the store and a copy of the merchant, wired to each other as `perennial dev` wires
/// the originals. No message leaves it.
struct RehearsalStage: Sendable {
    /// The fork, in Production.
    let store: StoreClient
    /// The copy of the merchant.
    let merchant: Merchant
    /// The same, as commands ask it.
    let client: MerchantClient
    private let group: ServiceGroup
    private let life: Task<Void, Never>
    private let directory: DataDirectory

    /// Serves a merchant beside a fork.
    ///
    /// - Parameters:
    ///   - database: the copy of the merchant's.
    ///   - readyFile: the fork's.
    static func open(
        on database: any Database, beside readyFile: String, log: Logger
    ) async throws -> RehearsalStage {
        let configuration: MerchantConfiguration
        do {
            configuration = try MerchantConfiguration.read(file: nil, stores: [readyFile])
        } catch {
            throw error.said()
        }
        guard let fork = configuration.apps.compactMap(\.store).first else {
            throw Failure.refused("\(readyFile) is no ready file of a store.")
        }
        let clock = try await FollowedClock(fork, isMoved: true, log: log)
        var place = ServePlan()
        place.home = .ephemeral
        let directory = try Serving.home(place)
        do {
            let house = try await MerchantHouse.open(
                on: database, in: directory, apps: configuration.setups, means: .rehearsing,
                time: { await clock.now() }, log: log)
            return try await serve(house, of: fork, readyFile, in: directory, log)
        } catch {
            directory.remove()
            throw error
        }
    }

    private static func serve(
        _ house: MerchantHouse, of fork: StoreReady, _ readyFile: String,
        in directory: DataDirectory, _ log: Logger
    ) async throws -> RehearsalStage {
        let address = try StoreAddress.find(
            StoreAddress.Wanted(readyFile: readyFile), environment: [:])
        let (ports, mouth) = AsyncStream<Int?>.makeStream()
        let service = house.service(
            host: "127.0.0.1", port: 0, option: "--port", processesFirst: true
        ) { mouth.yield($0) }
        var configuration = ServiceGroupConfiguration(
            services: [.init(service: service)], logger: log)
        configuration.maximumGracefulShutdownDuration = .seconds(5)
        let group = ServiceGroup(configuration: configuration)
        let life = Task {
            do {
                try await group.run()
            } catch {
                log.error("the merchant ended", metadata: ["reason": "\(error)"])
            }
            mouth.yield(nil)
        }
        for await port in ports {
            guard let port else { break }
            let ready = house.ready(url: "http://127.0.0.1:\(port)")
            let stage = RehearsalStage(
                store: StoreClient(address), merchant: house.merchant,
                client: try MerchantClient(ready, of: fork.bundleID), group: group, life: life,
                directory: directory)
            do {
                try await stage.wire(to: ready.notificationURL(of: fork.bundleID), fork.bundleID)
            } catch {
                await stage.end()
                throw error
            }
            return stage
        }
        await life.value
        throw Failure.refused("The copy of the merchant could not be served.")
    }

    /// Lets the fork send to the copy what is due, and that catch up on what it may have missed
    /// between the two copies.
    private func wire(to url: String, _ bundleID: String) async throws {
        _ = try await store.send(.PATCH, StorePath("connect", "v1", "apps", bundleID)) { json in
            json.field("notificationUrl", url)
            json.field("sandboxNotificationUrl", url)
        }
        _ = try await store.send(.PATCH, Copying.world) { json in
            json.field("deliveries", true)
        }
        let now = try await store.get(StorePath("connect", "v1", "clock")).moment("now")
        _ = try await client.gaps(healing: true, since: now - .hours(1))
        _ = try await client.settle()
    }

    /// Ends the merchant; the database is the caller's.
    func end() async {
        await group.triggerGracefulShutdown()
        await life.value
        directory.remove()
    }
}
