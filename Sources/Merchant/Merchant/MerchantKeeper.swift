import DueWork
import Logging
public import Outbox
public import ServiceLifecycle
import Storage
import SubscriptionRules
public import TimeAndChance

/// Background work: processes what was accepted, at once and again every second, as long as the
/// process runs. Several processes may serve one database.
public struct MerchantKeeper: Service {
    private let merchant: Merchant
    private let post: (any Post)?
    private let wait: @Sendable (Duration) async -> Void

    /// - Parameters:
    ///   - post: sends notifications on to other servers; nil where nothing goes on.
    ///   - wait: how time passes between two looks, replaced in tests.
    public init(
        _ merchant: Merchant, post: (any Post)? = nil,
        wait: @escaping @Sendable (Duration) async -> Void = SystemTime.wait
    ) {
        self.merchant = merchant
        self.post = post
        self.wait = wait
    }

    /// Works until it is cancelled.
    ///
    /// - Throws: `StorageError` with `newerSchema` once a later version has migrated the database.
    public func run() async throws {
        // However often it rings while something is done, one look afterwards finds it all.
        let (rings, bell) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        merchant.ring(with: bell)
        let (looks, lookBell) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let (work, workBell) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        merchant.ringForLooks(with: [lookBell, workBell])
        try await cancelWhenGracefulShutdown {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    // What another process accepted and did not live to process.
                    while !Task.isCancelled {
                        bell.yield()
                        await wait(.seconds(1))
                    }
                }
                group.addTask { try await process(rings) }
                group.addTask { try await tidyHourly() }
                if let post { group.addTask { await forward(by: post) } }
                group.addTask {
                    while !Task.isCancelled {
                        lookBell.yield()
                        workBell.yield()
                        await wait(.seconds(3600))
                    }
                }
                group.addTask { try await look(looks) }
                group.addTask { try await rebuild(work) }
                group.addTask { try await workOnCampaigns() }
                // Where one of them throws, the others are cancelled.
                for try await _ in group {}
            }
        }
    }

    /// Does what is due of looks for what was missed: at the start, every hour, and when it rings.
    /// Rebuilds, which take longer, go on beside it.
    private func look(_ rings: AsyncStream<Void>) async throws {
        var isStart = true
        for await _ in rings {
            do {
                for report in try await merchant.lookWhereDue(isStart: isStart) { log(report) }
                isStart = false
            } catch let error as StorageError where error.code == .newerSchema {
                throw error
            } catch {
                merchant.log.warning("gaps were not looked for", metadata: ["error": "\(error)"])
            }
        }
    }

    /// Removes bodies and foreign notifications that are kept no longer, and gives up what could
    /// not be forwarded.
    private func tidyHourly() async throws {
        let setbacks = Setbacks("retention", log: merchant.log)
        while !Task.isCancelled {
            do {
                try await merchant.removeOldBodies()
                try await merchant.removeSetAside()
                try await merchant.giveUpForwarding(at: SystemTime.now())
                setbacks.isOver()
                await wait(.seconds(3600))
            } catch let error as StorageError where error.code == .newerSchema {
                throw error
            } catch {
                await setbacks.meet(error, waiting: wait)
            }
        }
    }

    /// Does what is due of campaigns, every second.
    private func workOnCampaigns() async throws {
        let setbacks = Setbacks("campaigns", log: merchant.log)
        while !Task.isCancelled {
            do {
                try await merchant.workOnCampaigns()
                setbacks.isOver()
                await wait(.seconds(1))
            } catch let error as StorageError where error.code == .newerSchema {
                throw error
            } catch {
                await setbacks.meet(error, waiting: wait)
            }
        }
    }

    private func rebuild(_ rings: AsyncStream<Void>) async throws {
        for await _ in rings {
            do {
                try await merchant.workOnRebuilds()
            } catch let error as StorageError where error.code == .newerSchema {
                throw error
            } catch {
                merchant.log.warning("rebuilds wait", metadata: ["error": "\(error)"])
            }
        }
    }

    private func log(_ report: GapReport) {
        merchant.log.log(
            level: report.problem == nil ? .info : .warning, "looked for gaps",
            metadata: [
                "app": "\(report.bundleID)", "environment": "\(report.environment.name)",
                "kind": "\(report.kind.rawValue)", "read": "\(report.read)",
                "healed": "\(report.healed)", "changed": "\(report.changed)",
                "problem": "\(report.problem ?? "none")",
            ])
    }

    /// Sends notifications on, each server by itself, so that a slow one holds up no other.
    private func forward(by post: any Post) async {
        let now: @Sendable () -> Instant = SystemTime.now
        var setbacks: [ForwardLane: Setbacks] = [:]
        await withTaskGroup(of: ForwardLane?.self) { group in
            var served: Set<ForwardLane> = []
            group.addTask { nil }
            for await lane in group {
                if let lane {
                    served.remove(lane)
                    continue
                }
                if Task.isCancelled { continue }
                for lane in merchant.forwardLanes where served.insert(lane).inserted {
                    let own = setbacks[lane] ?? Setbacks("forwarding", log: merchant.log)
                    setbacks[lane] = own
                    group.addTask {
                        await own.attempt(waiting: wait) {
                            while !Task.isCancelled,
                                try await merchant.forwardNext(in: lane, by: post, at: now)
                            {}
                        }
                        return lane
                    }
                }
                group.addTask {
                    await wait(.seconds(1))
                    return nil
                }
            }
        }
    }

    private func process(_ rings: AsyncStream<Void>) async throws {
        let setbacks = Setbacks("notifications", log: merchant.log)
        for await _ in rings {
            do {
                try await merchant.settle()
                setbacks.isOver()
            } catch let error as StorageError where error.code == .newerSchema {
                throw error
            } catch {
                await setbacks.meet(error, waiting: wait)
            }
        }
    }
}

/// The service group logs its services by reflection, and a merchant holds keys.
extension MerchantKeeper: CustomStringConvertible, CustomReflectable {
    public var description: String { "MerchantKeeper" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
