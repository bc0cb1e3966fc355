import DueWork
import Logging
import Storage
public import SubscriptionRules

/// A named copy of a world.
public struct WorldCopy: Sendable, Hashable {
    /// A letter and then letters, digits and hyphens, all lower case, 32 at most.
    public let name: String
    /// What the world's clock showed when it was copied.
    public let copied: Instant
    /// What it takes up, in bytes.
    public let size: Int64
    /// Whether its notifications go out once it is served; a snapshot never is.
    public let isDelivering: Bool
}

extension Store {
    /// How many copies of a kind there may be.
    public static let mostCopies = 100

    /// Copies the whole world under a name, to come back to, while it goes on.
    ///
    /// - Throws: `StoreError.setting(.invalid)` for what is no name, and `.copy` for what stands in
    ///   its way.
    @discardableResult
    public func snapshot(_ name: String) async throws -> WorldCopy {
        let place = try Self.place(.snapshot, name)
        return try await copying.take(.snapshot, name) { [self] progress in
            try await make(place, progress) { _, _ in }
            log.notice("snapshot made", metadata: ["name": "\(name)"])
            return try await copy(place)
        }
    }

    /// The snapshots, in the order of their names.
    ///
    /// - Parameters:
    ///   - name: only those behind it; nil for all.
    ///   - limit: how many at most.
    public func snapshots(
        after name: String? = nil, limit: Int = .max
    ) async throws -> [WorldCopy] {
        try await copies(.snapshot, after: name, limit: limit)
    }

    /// Removes a snapshot.
    ///
    /// - Throws: `StoreError.unknown(.snapshot)`.
    public func removeSnapshot(_ name: String) async throws {
        // Not while it is being put back.
        try await copying.take(.snapshot, name) { [database] _ in
            guard let place = CopyPlace(.snapshot, name),
                try await database.copies.remove(place)
            else { throw StoreError.unknown(.snapshot, name) }
        }
    }

    /// What is being copied or put back by this process.
    public var copyUnderWay: CopyUnderWay? { copying.underWay }
}

extension Store {
    static func place(_ kind: CopyPlace.Kind, _ name: String) throws -> CopyPlace {
        guard let place = CopyPlace(kind, name) else {
            throw StoreError.setting(
                .invalid(
                    "name",
                    reason: "it must be a letter and then letters, digits and hyphens, all lower "
                        + "case, \(CopyPlace.longestName) at most"))
        }
        return place
    }

    /// Makes a copy in which nothing is left of who serves the world.
    ///
    /// - Parameter prepare: makes of the copy's world and standing what they are to be.
    func make(
        _ place: CopyPlace, _ progress: @escaping @Sendable (CopyProgress) -> Void,
        _ prepare: @escaping @Sendable (inout World, inout CopyStanding) -> Void
    ) async throws {
        let there = try await database.copies.all(place.kind)
        guard !there.contains(where: { $0.place == place }) else {
            throw StoreError.copy(.exists(place.kind, place.name))
        }
        guard there.count < Store.mostCopies else {
            throw StoreError.copy(.tooMany(place.kind, most: Store.mostCopies))
        }
        let machine = machineNow
        do {
            try await database.copies.make(place, progress: progress) { [self] session in
                var world = try world(session)
                var standing = try CopyStanding(of: session)
                standing.copied = world.time(machine: machine).now
                prepare(&world, &standing)
                try world.save(session)
                try standing.save(in: session)
                try ServingRows.remove(from: session)
            }
        } catch let error as StorageError {
            throw Store.refusal(of: error, place)
        }
    }

    /// What a database says against a copy, as a refusal where something can be done about it.
    private static func refusal(of error: StorageError, _ place: CopyPlace) -> any Error {
        switch error.code {
        case .uniqueViolation: StoreError.copy(.exists(place.kind, place.name))
        case .diskFull: StoreError.copy(.noRoom)
        case .readOnly: StoreError.copy(.notAllowed(error.message))
        case .invalidStatement where error.statement == nil:
            StoreError.setting(.invalid("name", reason: error.message))
        default: error
        }
    }

    func copies(
        _ kind: CopyPlace.Kind, after name: String?, limit: Int
    ) async throws -> [WorldCopy] {
        var copies: [WorldCopy] = []
        // Each of them is opened to be read.
        for stored in try await database.copies.all(kind) where stored.place.name > name ?? "" {
            guard copies.count < limit else { break }
            do {
                copies.append(try await copy(stored))
            } catch let error as StorageError where [.busy, .connectionLost].contains(error.code) {
                throw error
            } catch {
                // One that was removed meanwhile is none any more, nor one that cannot be read.
            }
        }
        return copies
    }

    func copy(_ place: CopyPlace) async throws -> WorldCopy {
        let all = try await database.copies.all(place.kind)
        guard let stored = all.first(where: { $0.place == place }) else {
            throw StoreError.unknown(place.kind == .fork ? .fork : .snapshot, place.name)
        }
        return try await copy(stored)
    }

    private func copy(_ stored: StoredCopy) async throws -> WorldCopy {
        let standing = try await database.copies.read(stored.place) { session in
            try CopyStanding(of: session)
        }
        return WorldCopy(
            name: stored.place.name, copied: standing.copied ?? .earliest, size: stored.size,
            isDelivering: standing.isDelivering)
    }
}
