import AppStoreSigning
import FoundationEssentials
import Logging
import OutboxHTTP
import Storage
import StoragePostgres
import StorageSQLite
import Store
import StoreKitFile
import SubscriptionRules
import TimeAndChance
import Timeline

/// A store with its app, opened as a plan says.
struct Opening: Sendable {
    let store: Store
    let app: App
    let database: any Database
    let post: HTTPPost
    /// What the person who started it should know.
    let notes: [String]

    /// Opens the database, makes a world if there is none, adds the app and imports the file.
    ///
    /// - Parameter catalogue: the file that the plan names, read already.
    static func open(
        _ plan: ServePlan, in directory: DataDirectory, identity: Identity,
        catalogue: StoreKitFile?, log: Logger
    ) async throws -> Opening {
        let database = try Self.database(plan, in: directory)
        let post = HTTPPost()
        do {
            let store = try await Self.store(
                on: database, plan, identity: identity, mustExist: directory.isComplete,
                post: post, log: log)
            var shop = ShopFitting(store: store, plan: plan)
            let app = try await shop.fit(catalogue)
            if plan.hasExample, !directory.isComplete {
                try await Self.playExample(in: store, app)
            }
            try directory.markComplete()
            return Opening(
                store: store, app: app, database: database, post: post, notes: shop.notes)
        } catch {
            await post.close()
            await database.close()
            throw Self.failure(error, in: directory)
        }
    }

    private static func playExample(in store: Store, _ app: App) async throws {
        guard let example = ExampleWorld(store, app: app, today: SystemTime.now()) else {
            throw Failure.refused(
                "--example needs the products of Examples/Garden.storekit, which its customers "
                    + "buy: name that file.")
        }
        try await example.play()
    }

    /// Opens the store itself.
    ///
    /// - Parameter mustExist: whether a database without a world is refused.
    static func store(
        on database: any Database, _ plan: ServePlan, identity: Identity, mustExist: Bool,
        post: HTTPPost, log: Logger
    ) async throws -> Store {
        try await Store(
            database: database, signer: JWSSigner(chain: identity.chain),
            clock: StoreClock(
                plan.clockMode ?? .running, showing: plan.beginning(today: SystemTime.now()),
                machine: SystemTime.now()),
            seed: Randomness.token("seed_"), post: post,
            deliveriesAtOnce: plan.deliveriesAtOnce, mailroom: plan.mailroom,
            receiptChain: { identity.receiptChain },
            machineTime: SystemTime.now, log: log,
            ownership: WorldOwnership(
                rootDER: identity.chain.rootDER, mustExist: mustExist, adopts: plan.adopts),
            processName: processName, version: Perennial.version, claimTime: plan.claimTime)
    }

    /// The machine and the process number.
    private static var processName: String {
        let process = ProcessInfo.processInfo
        return "\(process.hostName):\(process.processIdentifier)"
    }

    /// Lets go of what other processes may go on with, of the database and of all connections.
    func close() async {
        // A database that is away lets go by itself, when the claim time is over.
        try? await store.leave()
        await post.close()
        await database.close()
    }

    private static func database(
        _ plan: ServePlan, in directory: DataDirectory
    ) throws -> any Database {
        do {
            let limits = plan.databaseLimits
            if let url = plan.databaseURL {
                return try PostgresDatabase(
                    url: url, connections: plan.databaseConnections, limits: limits)
            }
            if directory.isTemporary { return try SQLiteDatabase.ephemeral(limits: limits) }
            guard !directory.isComplete || directory.exists(directory.database) else {
                throw Failure.refused(
                    "\(directory.database) is missing; put it back from a backup, or name its "
                        + "database with --database-url. To begin a new world, remove "
                        + "\(directory.completeMark).")
            }
            return try SQLiteDatabase(path: directory.database, limits: limits)
        } catch {
            throw failure(error, in: directory)
        }
    }

    /// Refuses a database that nobody can reach, before anything is made for it.
    static func checkDatabase(_ url: String) async throws {
        do {
            let database = try PostgresDatabase(url: url)
            do {
                try await database.read { _ in }
            } catch {
                await database.close()
                throw error
            }
            await database.close()
        } catch let error as StorageError {
            throw failure(error)
        }
    }

    private static func failure(_ error: StorageError) -> Failure {
        // A server's words may have lines and an end of their own.
        let words = error.message.split { $0.isWhitespace }.joined(separator: " ")
        let remedy =
            error.code == .corrupt
            ? ". Put that right, or the database back from a backup; `perennial world check` names "
                + "every row that cannot be read." : ""
        return Failure.refused("The database cannot be used: \(words)\(remedy)")
    }

    static func failure(_ error: any Error, in directory: DataDirectory) -> any Error {
        switch error {
        case is WorldIsForeign:
            Failure.refused(
                "The database belongs to other certificates than those in "
                    + "\(directory.certificates): start with the data directory that it was made "
                    + "with, or put its certificates back from a backup. To sign for it with these "
                    + "from now on, start once with --adopt.")
        case is WorldIsMissing:
            Failure.refused(
                "The database holds no world, though there was one: put it back from a backup. To "
                    + "begin a new world, remove \(directory.completeMark).")
        case let error as AtomicFile.Failure:
            Failure.refused("The data directory cannot be written: \(error).")
        case let error as StorageError: failure(error)
        case StoreError.setting(.appExists(let bundleID)):
            Failure.refused(
                "\(bundleID) cannot be added: another app has its Apple id; choose one with "
                    + "--app-apple-id.")
        case StoreError.setting(.invalid(let what, let reason)):
            Failure.refused("\(what) cannot be imported: \(reason); give it a new identifier.")
        default: error
        }
    }
}

/// Adds the app to a store and puts the products into it.
private struct ShopFitting {
    let store: Store
    let plan: ServePlan
    var notes: [String] = []

    init(store: Store, plan: ServePlan) {
        self.store = store
        self.plan = plan
    }

    mutating func fit(_ catalogue: StoreKitFile?) async throws -> App {
        let apps = try await store.apps()
        let bundleID = try bundleID(among: apps)
        let known = apps.first { $0.bundleID == bundleID }?.catalogue ?? Catalogue()
        if let catalogue { try check(catalogue, known) }
        if let app = apps.first(where: { $0.bundleID == bundleID }) {
            try await goOn(app)
        } else {
            var settings = App.Settings(name: bundleID)
            settings.notificationURL = plan.notificationURL
            settings.sandboxNotificationURL = plan.notificationURL
            do {
                try await store.addApp(
                    bundleID: bundleID, appleID: plan.appAppleID,
                    settings: settings)
            } catch StoreError.setting(.appExists(let taken)) {
                // Another process that starts just now may have been faster.
                guard let app = try await store.apps().first(where: { $0.bundleID == bundleID })
                else { throw StoreError.setting(.appExists(taken)) }
                try await goOn(app)
            }
        }
        if !apps.isEmpty {
            try await noteUnknownNames()
            try await noteClock()
            try await noteLongPause()
        }
        if let catalogue {
            try await store.importCatalogue(
                catalogue.catalogue, for: Storefront(code: catalogue.storefront),
                in: catalogue.locale, bundleID: bundleID)
        }
        if let catalogue, let note = Self.differences(of: catalogue.catalogue, from: known) {
            notes.append("\(bundleID): \(note).")
        }
        if let catalogue {
            notes += PriceNotes.lines(
                catalogue.catalogue, over: known,
                in: Storefront(code: catalogue.storefront) ?? .usa
            ).map { "\(bundleID): \($0)." }
        }
        let app = try await store.app(bundleID: bundleID)
        if let before = apps.first(where: { $0.bundleID == bundleID })?.settings.storefront,
            before != app.settings.storefront
        {
            notes.append(
                "new customers of \(bundleID) are at home in \(app.settings.storefront.code) now, "
                    + "no longer in \(before.code), as the file says.")
        }
        if app.catalogue.products.allSatisfy({ $0.deleted != nil }) {
            notes.append(
                "\(bundleID) sells nothing yet: start with `perennial serve FILE.storekit`, or "
                    + "send such a file to the running store with the operator token, as PUT "
                    + "/connect/v1/apps/\(bundleID)/catalogue.")
        }
        return app
    }

    /// Refuses a file whose products are sold as something else, each with its place.
    private func check(_ file: StoreKitFile, _ known: Catalogue) throws {
        let conflicts = file.conflicts(with: known)
        guard !conflicts.isEmpty else { return }
        throw Failure.refused(
            "Nothing of the catalogue was imported: "
                + conflicts.map(\.description).joined(separator: " "))
    }

    /// What a file does to a catalogue that is there, in words; nil where it does nothing, and
    /// where there is none yet.
    private static func differences(of file: Catalogue, from known: Catalogue) -> String? {
        guard !known.products.isEmpty else { return nil }
        let before = Dictionary(known.products.map { ($0.id, $0) }) { first, _ in first }
        let added = file.products.filter { before[$0.id] == nil }.map(\.id)
        let changed = file.products.filter { product in
            guard var old = before[product.id] else { return false }
            // Prices that were set for single storefronts are no business of the file's.
            old.prices = product.prices
            return old != product
        }.map(\.id)
        let named = Set(file.products.map(\.id))
        let left = known.products.filter { $0.deleted == nil }.map(\.id)
            .filter { !named.contains($0) }
        let parts = [
            ("adds", added, ""), ("changes", changed, ""), ("leaves", left, " that it lacks"),
        ].filter { !$0.1.isEmpty }.map { verb, ids, which in
            "\(verb) \(counted(ids.count, "product"))\(which) (\(listed(ids)))"
        }
        return parts.isEmpty ? nil : "the file " + parts.joined(separator: ", ")
    }

    /// The first few of a list.
    private static func listed(_ ids: [String]) -> String {
        ids.prefix(5).joined(separator: ", ") + (ids.count > 5 ? ", …" : "")
    }

    private func bundleID(among apps: [App]) throws -> String {
        if let bundleID = plan.bundleID { return bundleID }
        guard let first = apps.first else { return ServePlan.usualBundleID }
        if apps.count == 1 { return first.bundleID }
        if apps.contains(where: { $0.bundleID == ServePlan.usualBundleID }) {
            return ServePlan.usualBundleID
        }
        let names = apps.map(\.bundleID).joined(separator: ", ")
        throw Failure.refused("The store has several apps (\(names)); choose one with --bundle-id.")
    }

    /// An app that is there keeps what it has; only the URL may be set anew.
    private mutating func goOn(_ app: App) async throws {
        if let wanted = plan.appAppleID, wanted != app.appleID {
            notes.append("\(app.bundleID) keeps its Apple id \(app.appleID).")
        }
        guard let url = plan.notificationURL else { return }
        try await store.configure(bundleID: app.bundleID) { settings in
            settings.notificationURL = url
            settings.sandboxNotificationURL = url
        }
    }

    /// Nobody can take back what a machine's clock that is years ahead makes happen at once.
    private mutating func noteLongPause() async throws {
        let reading = try await store.clockReading()
        guard reading.mode == .system, let last = reading.latestChange,
            reading.now.since(last) > .days(31)
        else { return }
        let days = reading.now.since(last).milliseconds / Span.days(1).milliseconds
        notes.append(
            "nothing has happened in this world for \(days) days, since \(last.plainText): what "
                + "became due happens now, by the machine's clock.")
    }

    /// Rows that cannot be read are passed over for good, which is better known at once.
    private mutating func noteUnknownNames() async throws {
        for unknown in try await store.unknownNames().prefix(5) {
            let name = unknown.name.map { "the \(unknown.kind) \($0)" } ?? "a \(unknown.kind)"
            notes.append(
                "\(unknown.place) names \(name), which this version does not know: nothing "
                    + "happens to that row. Put the name right, or go on with a version that knows "
                    + "it; `perennial world check` lists every such row.")
        }
    }

    private mutating func noteClock() async throws {
        guard plan.clockMode != nil || plan.moment != nil else { return }
        let mode = try await store.clockReading().mode
        notes.append(
            "this world exists already and keeps its \(mode.rawValue) clock; --clock and --at "
                + "shape new ones.")
    }
}

extension ServePlan {
    /// What a new world's clock shows first; nil for the machine's time.
    fileprivate func beginning(today: Instant) -> Instant? {
        moment ?? (hasExample ? today - ExampleWorld.past : nil)
    }
}
