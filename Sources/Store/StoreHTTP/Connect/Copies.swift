import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Storage
import Store
import SubscriptionRules

/// Copies of the world: snapshots, forks, and which of them tell anybody.
extension ConnectSurface {
    private static let nameMember = Schema.Member.required(
        "name",
        .text(
            "A letter and then letters, digits and hyphens, all lower case.",
            1...CopyPlace.longestName))

    private static func path(_ about: String) -> OperationDescription.Parameter {
        .path("name", .text(about, 1...CopyPlace.longestName))
    }

    /// Why a copy is not made.
    private static let failuresOfMaking: [OperationDescription.Failure] = [
        .init(.badRequest, "invalidSetting"), .init(.conflict, "nameTaken"),
        .init(.conflict, "tooManyCopies"), .init(.conflict, "copyNotAllowed"),
        .init(.insufficientStorage, "diskFull"),
    ]

    /// The world as a whole.
    static let getWorld = Endpoint.operatorOnly(
        .get, "/connect/v1/world", "getWorld",
        OperationDescription(
            .theOperator, "Read what kind of world this is",
            success: .ok("The world.", .named("World")))
    ) { call, _ in
        let world = try await call.store.worldReading()
        return .object { world.write(to: &$0) }
    }

    /// Switches deliveries on or off.
    static let changeWorld = Endpoint.operatorOnly(
        .patch, "/connect/v1/world", "changeWorld",
        OperationDescription(
            .theOperator, "Switch the deliveries of this world on or off",
            detail: "While they are off no notification is posted and none is lost: all are in the "
                + "log, and go out once they may. What is under way is finished.",
            body: .members(.object("What is to hold.", .required("deliveries", deliveries))),
            success: .ok("What holds now.", .named("World")))
    ) { call, input in
        if let delivers = input.boolean("deliveries") {
            try await call.store.setDelivering(delivers)
        }
        let world = try await call.store.worldReading()
        return .object { world.write(to: &$0) }
    }

    /// The name behind which a page of copies begins.
    private static let lastName = Schema.text(
        "The name of the last one of the page before.", 1...CopyPlace.longestName)

    /// How the snapshots are given out.
    private static let snapshotPages = Paging(
        "snapshots", "By name.", of: .named("Snapshot"), .after, lastName)

    /// The copies that one can come back to.
    static let listSnapshots = Endpoint.operatorOnly(
        .get, "/connect/v1/snapshots", "listSnapshots",
        OperationDescription(
            .theOperator, "List the snapshots of this world",
            detail: "By name, both environments.", parameters: snapshotPages.parameters,
            success: snapshotPages.success("A page of snapshots.", "Snapshots.", [underWay]))
    ) { call, input in
        try await snapshotPages.pageByName(input) { json in
            call.store.copyUnderWay?.write(to: &json)
        } _: { after, limit in
            try await call.store.snapshots(after: after, limit: limit)
        } writing: { snapshot, json in
            json.elementObject { snapshot.write(to: &$0) }
        }
    }

    /// Copies the world.
    static let makeSnapshot = Endpoint.operatorOnly(
        .post, "/connect/v1/snapshots", "makeSnapshot",
        OperationDescription(
            .theOperator, "Copy the whole world under a name, to come back to",
            detail: "Both environments, as of one moment; the world goes on meanwhile. Answers "
                + "when the copy is complete, which takes seconds for a million subscriptions: "
                + "the list says how far it is. One copy is made at a time.",
            body: .members(.object("The copy.", nameMember)),
            success: .created("The copy is complete.", .named("Snapshot")),
            failures: failuresOfMaking)
    ) { call, input in
        let snapshot = try await call.store.snapshot(input.requiredText("name"))
        return .object(status: .created) { snapshot.write(to: &$0) }
    }

    /// Removes a snapshot.
    static let removeSnapshot = Endpoint.operatorOnly(
        .delete, "/connect/v1/snapshots/{name}", "removeSnapshot",
        OperationDescription(
            .theOperator, "Remove a snapshot", parameters: [path("The snapshot.")],
            success: .nothing("Removed."), failures: [.init(.notFound, "unknownSnapshot")])
    ) { call, _ in
        try await call.store.removeSnapshot(call.parameter("name") ?? "")
        return .empty(.noContent)
    }

    /// Puts the world back.
    static let rewind = Endpoint.operatorOnly(
        .post, "/connect/v1/snapshots/{name}/rewind", "rewind",
        OperationDescription(
            .theOperator, "Put this world back as a snapshot has it",
            detail: "All of it, both environments, or nothing. Whoever changes something meanwhile "
                + "waits or is answered `busy`. What was given out once, such as the identifier of "
                + "a transaction, is never given out again for something else. The clock goes on "
                + "from the moment of the snapshot, unless it is the machine's. The snapshot "
                + "stays.",
            parameters: [path("The snapshot.")],
            success: .ok(
                "The world is back.",
                .object("The clock.", .required("now", .moment("What it shows.")))),
            failures: [
                .init(.notFound, "unknownSnapshot"), .init(.conflict, "hasOutsideBank"),
                .init(.insufficientStorage, "diskFull"),
            ])
    ) { call, _ in
        try await call.store.rewind(to: call.parameter("name") ?? "")
        let now = try await call.store.now()
        return .object { $0.field("now", now.iso8601) }
    }

    /// How the forks are given out.
    private static let forkPages = Paging("forks", "By name.", of: .named("Fork"), .after, lastName)

    /// The copies that are served beside the world.
    static let listForks = Endpoint.operatorOnly(
        .get, "/connect/v1/forks", "listForks",
        OperationDescription(
            .theOperator, "List the forks of this world", detail: "By name, both environments.",
            parameters: forkPages.parameters,
            success: forkPages.success("A page of forks.", "Forks.", [underWay]),
            failures: [.init(.conflict, "noForksHere")])
    ) { call, input in
        let host = try call.forkHost()
        return try await forkPages.pageByName(input) { json in
            call.store.copyUnderWay?.write(to: &json)
        } _: { after, limit in
            try await host.forks(after: after, limit: limit)
        } writing: { fork, json in
            json.elementObject { fork.write(to: &$0) }
        }
    }

    /// Copies the world and serves the copy.
    static let makeFork = Endpoint.operatorOnly(
        .post, "/connect/v1/forks", "makeFork",
        OperationDescription(
            .theOperator, "Copy the whole world and serve the copy on ports of its own",
            detail: "Answers when the copy answers. It has the same keys, customers and operator "
                + "token, and a clock of its own that can be moved; nothing that is done there "
                + "changes this world. A bank outside of the store is never asked by it, and "
                + "notifications are posted only if `deliveries` says so.",
            body: .members(
                .object(
                    "The fork.", nameMember,
                    .optional(
                        "deliveries",
                        .boolean("Whether its notifications are posted; not, unless given.")))),
            success: .created("The fork answers.", .named("Fork")),
            failures: failuresOfMaking + [.init(.conflict, "noForksHere")])
    ) { call, input in
        let fork = try await call.forkHost().open(
            fork: input.requiredText("name"), delivers: input.boolean("deliveries") ?? false)
        return .object(status: .created) { fork.write(to: &$0) }
    }

    /// Ends and removes a fork.
    static let removeFork = Endpoint.operatorOnly(
        .delete, "/connect/v1/forks/{name}", "removeFork",
        OperationDescription(
            .theOperator, "End a fork and remove all that it holds",
            parameters: [path("The fork.")], success: .nothing("Removed."),
            failures: [.init(.notFound, "unknownFork"), .init(.conflict, "noForksHere")])
    ) { call, _ in
        try await call.forkHost().remove(fork: call.parameter("name") ?? "")
        return .empty(.noContent)
    }

    // MARK: Shapes

    private static let deliveries = Schema.boolean("Whether notifications are posted.")

    private static let underWay = Schema.Member.optional("underWay", .named("CopyUnderWay"))

    static let worldSchema = Schema.object(
        "What kind of world this is.", .required("deliveries", deliveries),
        .required(
            "isFork",
            .boolean("Whether it is a copy of another one, which never asks an outside bank.")))

    static let snapshotSchema = Schema.object(
        "A named copy of the world.", nameMember,
        .required("now", .moment("What the world's clock showed when it was copied.")),
        .required("size", .integer("What it takes up, in bytes.")))

    static let forkSchema = Schema.object(
        "A copy of the world that is served beside it.", nameMember,
        .required("forkedAt", .moment("What the world's clock showed when it was copied.")),
        .required("size", .integer("What it takes up, in bytes.")),
        .required("deliveries", deliveries),
        .optional(
            "production",
            .object("Production; absent where it is not served.", .required("url", .text("URL.")))),
        .optional(
            "sandbox",
            .object("Sandbox; absent where it is not served.", .required("url", .text("URL.")))),
        .optional(
            "readyFile", .text("The path of its ready file, on the machine that serves it.")))

    static let copyUnderWaySchema = Schema.object(
        "A copy that is being made, or put back.",
        .required(
            "work", .choice("What is done.", CopyUnderWay.Work.allCases.map(\.rawValue))),
        nameMember,
        .required("done", .integer("How much is done, in bytes.")),
        .required("total", .integer("How much that is in all, in bytes; an estimate.")))
}

extension Call {
    /// Who serves forks beside the store.
    fileprivate func forkHost() throws -> any ForkHost {
        guard let forks = site.server.forks else { throw StoreError.copy(.noForks) }
        return forks
    }
}

extension WorldReading {
    fileprivate func write(to json: inout JSONWriter) {
        json.field("deliveries", isDelivering)
        json.field("isFork", isFork)
    }
}

extension WorldCopy {
    fileprivate func write(to json: inout JSONWriter) {
        json.field("name", name)
        json.field("now", copied.iso8601)
        json.field("size", size)
    }
}

extension ServedFork {
    fileprivate func write(to json: inout JSONWriter) {
        json.field("name", copy.name)
        json.field("forkedAt", copy.copied.iso8601)
        json.field("size", copy.size)
        json.field("deliveries", copy.isDelivering)
        guard let address else { return }
        json.object("production") { $0.field("url", address.productionURL) }
        json.object("sandbox") { $0.field("url", address.sandboxURL) }
        json.field("readyFile", address.readyFile)
    }
}

extension CopyUnderWay {
    fileprivate func write(to json: inout JSONWriter) {
        json.object("underWay") { json in
            json.field("work", work.rawValue)
            json.field("name", name)
            json.field("done", done)
            json.field("total", total)
        }
    }
}
