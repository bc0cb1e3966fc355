import AppStoreWire
import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import Store
import StoreHTTP

extension Console {
    /// The world as a whole: apps, processes, copies.
    var worldPages: [Endpoint<StoreSite>] {
        [
            world, takeSnapshot, removeSnapshot, rewindAhead, rewind, makeFork, removeFork,
            changeDeliveries,
        ]
    }

    private var world: Endpoint<StoreSite> {
        page("world", "world") { visit in
            typealias Words = ConsoleWords.World
            let world = StorePath("connect", "v1", "world")
            let delivers = try await visit.desk.get(world).bool("deliveries")
            return Page(
                Words.title,
                [
                    Facts([
                        (
                            Words.deliveries,
                            .badge(delivers ? Words.on : Words.off, delivers ? .good : .attention)
                        )
                    ]),
                    PageForm(
                        .change, action: "/console/world/deliveries",
                        button: delivers ? Words.turnOff : Words.turnOn,
                        hidden: [
                            FormID.hidden(), Preview.hidden,
                            .init("deliveries", delivers ? "false" : "true"),
                        ]),
                    PageSection(
                        Words.apps, id: "apps", about: Words.appsAbout,
                        [try await visit.appTable()]),
                    PageSection(
                        Words.processes, id: "processes", [try await visit.processTable()]),
                    PageSection(
                        Words.snapshots, id: "snapshots", about: Words.snapshotsAbout,
                        try await visit.snapshotBlocks()),
                    PageSection(
                        Words.forks, id: "forks", about: Words.forksAbout,
                        try await visit.forkBlocksOrReason()),
                    visit.same(
                        SameCall(
                            Words.apps, .get, StorePath("connect", "v1", "apps"),
                            command: ["app", "list"]),
                        SameCall(
                            Words.processes, .get, StorePath("connect", "v1", "processes"),
                            command: ["world", "processes"]),
                        SameCall(
                            Words.snapshots, .get, StorePath("connect", "v1", "snapshots"),
                            command: ["world", "snapshots"]),
                        SameCall(
                            Words.forks, .get, StorePath("connect", "v1", "forks"),
                            command: ["world", "forks"]),
                        SameCall(
                            Words.deliveries, .patch, world, body: #"{"deliveries":true}"#,
                            command: ["world", "deliveries", "on"])),
                ])
        }
    }

    private var takeSnapshot: Endpoint<StoreSite> {
        action(
            "world/snapshots", "takeSnapshot",
            foretells: { visit, form, _ in
                try await visit.copyAhead(form["name"], of: "snapshots")
            }
        ) { visit, form in
            _ = try await visit.desk.send(.post, StorePath("connect", "v1", "snapshots")) {
                $0.field("name", form["name"])
            }
            return "\(ConsolePath.world)#snapshots"
        }
    }

    private var removeSnapshot: Endpoint<StoreSite> {
        action(
            "world/snapshots/remove", "removeSnapshot",
            foretells: { visit, form, _ in
                try await visit.removalAhead(form["name"], of: "snapshots")
            }
        ) { visit, form in
            _ = try await visit.desk.send(
                .delete, StorePath("connect", "v1", "snapshots", form["name"]))
            return "\(ConsolePath.world)#snapshots"
        }
    }

    /// What going back to a snapshot would lose, and the button that does it.
    private var rewindAhead: Endpoint<StoreSite> {
        page("world/rewind", "rewindAhead") { visit in
            typealias Words = ConsoleWords.World
            let name = visit.asked("name") ?? ""
            let clock = try await visit.desk.get(StorePath("connect", "v1", "clock"))
            let all = try await visit.desk.get(StorePath("connect", "v1", "snapshots"))
                .list("snapshots")
            guard let snapshot = try all.first(where: { try $0.text("name") == name }) else {
                throw ErrorBody.unknownPage
            }
            let path = StorePath("connect", "v1", "snapshots", name, "rewind")
            return Page(
                Words.rewindTitle(name),
                lead: Words.rewindLead(
                    from: visit.locale.moment(try clock.moment("now")),
                    to: visit.locale.moment(try snapshot.moment("now"))),
                trail: [PageLink(Words.title, ConsolePath.world)],
                [
                    PageForm(
                        .danger, action: "/console/world/rewind", button: Words.rewind,
                        about: Words.rewindAbout,
                        hidden: [FormID.hidden(), .init("name", name)],
                        way: PageLink(Words.leaveIt, ConsolePath.world)),
                    visit.same(
                        SameCall(Words.rewind, .post, path, command: ["world", "rewind", name])),
                ])
        }
    }

    private var rewind: Endpoint<StoreSite> {
        action("world/rewind", "rewind") { visit, form in
            _ = try await visit.desk.send(
                .post, StorePath("connect", "v1", "snapshots", form["name"], "rewind"))
            return ConsolePath.overview
        }
    }

    private var makeFork: Endpoint<StoreSite> {
        action(
            "world/forks", "makeFork",
            foretells: { visit, form, _ in try await visit.copyAhead(form["name"], of: "forks") }
        ) { visit, form in
            _ = try await visit.desk.send(.post, StorePath("connect", "v1", "forks")) {
                $0.field("name", form["name"])
            }
            return "\(ConsolePath.world)#forks"
        }
    }

    private var removeFork: Endpoint<StoreSite> {
        action(
            "world/forks/remove", "removeFork",
            foretells: { visit, form, _ in
                try await visit.removalAhead(form["name"], of: "forks")
            }
        ) { visit, form in
            _ = try await visit.desk.send(
                .delete, StorePath("connect", "v1", "forks", form["name"]))
            return "\(ConsolePath.world)#forks"
        }
    }

    private var changeDeliveries: Endpoint<StoreSite> {
        action(
            "world/deliveries", "changeDeliveries",
            foretells: { visit, form, _ in [try await visit.deliveriesAhead(form)] }
        ) { visit, form in
            _ = try await visit.desk.send(.patch, StorePath("connect", "v1", "world")) {
                $0.field("deliveries", form["deliveries"] == "true")
            }
            return ConsolePath.world
        }
    }
}

extension Visit {
    fileprivate func appTable() async throws -> DataTable {
        typealias Words = ConsoleWords.World
        let environment = call.site.environment
        return DataTable(
            Words.apps, columns: [Words.app, Words.bundle, Words.notificationURL],
            rows: try await desk.apps().map { app in
                DataTable.Row([
                    Cell(PageLink(app.settings.name, ConsolePath.app(app.bundleID))),
                    .code(app.bundleID),
                    Cell(app.settings.notificationURL(in: environment) ?? Words.nowhere),
                ])
            }, empty: Words.noApps)
    }

    fileprivate func processTable() async throws -> DataTable {
        typealias Words = ConsoleWords.World
        let answer = try await desk.get(StorePath("connect", "v1", "processes"))
        return DataTable(
            Words.processes, columns: [Words.process, Words.version, Words.started, Words.seen],
            rows: try answer.list("processes").map { one in
                DataTable.Row([
                    Cell(try one.text("name"), detail: try one.text("id")),
                    Cell(try one.text("version")), momentCell(one, "started"),
                    momentCell(one, "seen"),
                ])
            }, empty: Words.noProcesses)
    }

    fileprivate func snapshotBlocks() async throws -> [any PageBlock] {
        typealias Words = ConsoleWords.World
        let all = try await desk.get(StorePath("connect", "v1", "snapshots")).list("snapshots")
        var blocks: [any PageBlock] = [
            DataTable(
                Words.snapshots, columns: [Words.name, Words.at, Words.size],
                rows: try all.map { one in
                    DataTable.Row([
                        Cell(try one.text("name")), momentCell(one, "now"),
                        .number(Words.bytes(locale.number(Int(try one.integer("size"))))),
                    ])
                }, empty: Words.noSnapshots),
            PageForm(
                .change, action: "/console/world/snapshots", button: Words.take,
                hidden: [FormID.hidden(), Preview.hidden],
                fields: [
                    Field(
                        "name", Words.name, in: "snapshot", hint: Words.nameHint, isRequired: true)
                ]),
        ]
        if !all.isEmpty {
            let names = try all.map { (value: try $0.text("name"), text: try $0.text("name")) }
            blocks += [
                PageForm(
                    .ask, action: "/console/world/rewind", button: Words.rewindLook,
                    fields: [Field("name", Words.rewind, .choice(names), in: "rewind")]),
                removal("snapshot", Words.removeSnapshot, names),
            ]
        }
        return blocks
    }

    /// A form that removes one of several copies.
    private func removal(
        _ kind: String, _ label: String, _ names: [(value: String, text: String)]
    ) -> PageForm {
        PageForm(
            .danger, action: "/console/world/\(kind)s/remove", button: ConsoleWords.World.remove,
            hidden: [FormID.hidden(), Preview.hidden],
            fields: [Field("name", label, .choice(names), in: "remove-\(kind)")])
    }

    /// The forks, or why this server has none.
    fileprivate func forkBlocksOrReason() async throws -> [any PageBlock] {
        do {
            return try await forkBlocks()
        } catch let refusal as ConnectRefusal {
            return [Notice(.attention, refusal.message)]
        }
    }

    private func forkBlocks() async throws -> [any PageBlock] {
        typealias Words = ConsoleWords.World
        let all = try await desk.get(StorePath("connect", "v1", "forks")).list("forks")
        return [
            DataTable(
                Words.forks, columns: [Words.name, Words.at, Words.address],
                rows: try all.map { one in
                    DataTable.Row([
                        Cell(try one.text("name")), momentCell(one, "forkedAt"),
                        forkCell(one),
                    ])
                }, empty: Words.noForks),
            PageForm(
                .change, action: "/console/world/forks", button: Words.fork,
                hidden: [FormID.hidden(), Preview.hidden],
                fields: [
                    Field("name", Words.name, in: "fork", hint: Words.nameHint, isRequired: true)
                ]),
        ]
            + (all.isEmpty
                ? []
                : [
                    removal(
                        "fork", Words.removeFork,
                        try all.map { (try $0.text("name"), try $0.text("name")) })
                ])
    }

    /// Where a fork's console is, in the environment of this page.
    private func forkCell(_ fork: Answer) -> Cell {
        let place = try? fork.object(isSandbox ? "sandbox" : "production").text("url")
        return place.map { Cell(PageLink("\($0)/console", "\($0)/console")) } ?? .none
    }
}
