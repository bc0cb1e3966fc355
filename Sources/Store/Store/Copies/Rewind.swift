import DueWork
import Logging
import Outbox
import Storage
import SubscriptionRules
import TimeAndChance

extension Store {
    /// Puts the world back as a snapshot has it, all of it or nothing. Background work makes way,
    /// and whoever writes meanwhile waits or is refused as `busy`; the snapshot stays.
    ///
    /// Numbers from which identifiers follow do not go back, so that what was given out once is
    /// never given out again; nor does a `system` clock. Who serves the world and whether its
    /// notifications go out stay as they are.
    ///
    /// - Throws: `StoreError.unknown(.snapshot)`, and `.copy(.hasOutsideBank)` where a bank has
    ///   been paid for what would be forgotten.
    public func rewind(to name: String) async throws {
        guard bank == nil else { throw StoreError.copy(.hasOutsideBank) }
        try await copying.take(.rewind, name) { [self] progress in
            guard let place = CopyPlace(.snapshot, name),
                try await database.copies.all(.snapshot).contains(where: { $0.place == place })
            else { throw StoreError.unknown(.snapshot, name) }
            // An earlier version may have made it.
            try await bringUpToDate(place)
            try await movingClock { [self] in
                let lanes = try await everyLane()
                do {
                    try await outbox.holding(lanes, patience: Store.patience) { [self] in
                        try await putBack(place, progress)
                    }
                } catch is ClaimIsTaken {
                    throw StorageError(.busy, "another process has been delivering for too long")
                }
            }
            log.notice("the world was put back", metadata: ["snapshot": "\(name)"])
        }
        _ = try await clockReading()
    }

    private func bringUpToDate(_ place: CopyPlace) async throws {
        let copy = try await database.copies.open(place)
        do {
            try await copy.migrate(Schema.migrations)
        } catch {
            await copy.close()
            throw error
        }
        await copy.close()
    }

    private func putBack(
        _ place: CopyPlace, _ progress: @escaping @Sendable (CopyProgress) -> Void
    ) async throws {
        do {
            try await database.copies.putBack(place, progress: progress) { [self] session in
                Kept(
                    world: try world(session), standing: try CopyStanding(of: session),
                    serving: try ServingRows(of: session), keys: try AppKey.all(in: session),
                    revoked: try OptIn.revoked(in: session),
                    machine: machineNow)
            } preparing: { [self] kept, session in
                var world = try world(session)
                var standing = try CopyStanding(of: session)
                kept.apply(to: &world, &standing)
                try world.save(session)
                try standing.save(in: session)
                try kept.serving.replace(in: session)
                try AppKey.replace(by: kept.keys, in: session)
                try OptIn.revokeAgain(kept.revoked, in: session)
            }
        } catch let error as StorageError where error.code == .diskFull {
            throw StoreError.copy(.noRoom)
        }
        forgetRows()
        callFaults.change()
        try await refreshCallFaults()
    }

    /// Forgets what was remembered of rows that are others now.
    func forgetRows() {
        smallBusiness.forget()
        unsent.forget()
        setAside.forget()
    }

    /// How long it waits for another process to be done with a lane.
    private static let patience = Duration.seconds(30)

    /// The lanes of every app, whether anything is due in them or not.
    private func everyLane() async throws -> [Lane] {
        try await read { reader in
            reader.apps.all.flatMap { app in
                StoreEnvironment.allCases.map { environment in
                    Lane(of: app.id, in: environment)
                }
            }
        }
    }
}

/// What stays of a world that is put back.
private struct Kept: Sendable {
    let world: World
    let standing: CopyStanding
    let serving: ServingRows
    /// Who may call is no part of what is put back: a key that was revoked stays so.
    let keys: [AppKey]
    /// What customers do not share any more.
    let revoked: [OptIn]
    /// What the machine's clock shows.
    let machine: Instant

    func apply(to other: inout World, _ place: inout CopyStanding) {
        if other.clock.mode == .running, let copied = place.copied {
            // It goes on from the moment of the copy, however long ago that was.
            other.clock = StoreClock(.running, showing: copied, machine: machine)
        }
        other.nextNumber = max(other.nextNumber, world.nextNumber)
        // Whoever has read apps of either world reads them again.
        other.settingsVersion = max(other.settingsVersion, world.settingsVersion) + 1
        other.rootFingerprint = world.rootFingerprint
        place = standing
        place.rewinds += 1
    }
}
