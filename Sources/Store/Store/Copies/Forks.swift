import Logging
public import Storage
import SubscriptionRules

extension Store {
    /// Copies the whole world under a name, as a world of its own with a clock that can be moved:
    /// a `system` clock becomes `running`.
    ///
    /// A fork never asks a bank outside of the database, whatever else is said of it.
    ///
    /// - Parameter delivers: whether its notifications go out.
    /// - Throws: as `snapshot`.
    @discardableResult
    public func fork(_ name: String, delivers: Bool = false) async throws -> WorldCopy {
        let place = try Self.place(.fork, name)
        return try await copying.take(.fork, name) { [self] progress in
            let machine = machineNow
            try await make(place, progress) { world, standing in
                if world.clock.mode == .system {
                    world.clock = StoreClock(
                        .running, showing: world.time(machine: machine).now, machine: machine)
                }
                standing.isFork = true
                standing.isDelivering = delivers
                standing.rewinds = 0
            }
            log.notice("fork made", metadata: ["name": "\(name)"])
            return try await copy(place)
        }
    }

    /// The forks of this world, in the order of their names.
    ///
    /// - Parameters:
    ///   - name: only those behind it; nil for all.
    ///   - limit: how many at most.
    public func forks(
        after name: String? = nil, limit: Int = .max
    ) async throws -> [WorldCopy] {
        try await copies(.fork, after: name, limit: limit)
    }

    /// The names of all forks of this world, be it that one of them cannot be read.
    public func forkNames() async throws -> [String] {
        try await database.copies.all(.fork).map(\.place.name)
    }

    /// The database of a fork, which the caller closes.
    ///
    /// - Throws: `StoreError.unknown(.fork)`.
    public func openFork(_ name: String) async throws -> any Database {
        try await database.copies.open(try await existingFork(name))
    }

    /// Removes a fork that nobody serves any more.
    ///
    /// - Throws: `StoreError.unknown(.fork)`.
    public func removeFork(_ name: String) async throws {
        let place = try await existingFork(name)
        _ = try await database.copies.remove(place)
    }

    private func existingFork(_ name: String) async throws -> CopyPlace {
        guard let place = CopyPlace(.fork, name),
            try await database.copies.all(.fork).contains(where: { $0.place == place })
        else { throw StoreError.unknown(.fork, name) }
        return place
    }
}

/// What a world is, as its operator sees it.
public struct WorldReading: Sendable, Hashable {
    /// Whether its notifications go out.
    public let isDelivering: Bool
    /// Whether it is a fork of another one.
    public let isFork: Bool
}

extension Store {
    /// Whether this world is a fork, and whether its notifications go out.
    public func worldReading() async throws -> WorldReading {
        try await read { reader in
            let standing = try CopyStanding(of: reader.session)
            return WorldReading(isDelivering: standing.isDelivering, isFork: standing.isFork)
        }
    }

    /// Lets notifications go out, or keeps them: they are told in the log, and go out once they
    /// may, in the order of their moments.
    public func setDelivering(_ delivers: Bool) async throws {
        try await write { work in
            var standing = try CopyStanding(of: work.session)
            standing.isDelivering = delivers
            try standing.save(in: work.session)
        }
        // Whoever does not ask the database is told of it as well.
        _ = try await clockReading()
    }

    /// Whether notifications go out, as it was last seen, which background work looks at every
    /// second: it may be as late as that. The database is not asked.
    public var isDelivering: Bool { lastWorld?.world.isDelivering ?? true }
}
