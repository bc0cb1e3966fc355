import AppStoreWire
import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import StoreHTTP

extension Console {
    /// The world as a whole: apps, processes, copies.
    var worldPages: [Endpoint<StoreSite>] {
        [world, takeSnapshot, rewind, makeFork, changeDeliveries]
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
                            FormID.hidden(), .init("deliveries", delivers ? "false" : "true"),
                        ]),
                ] + (try await visit.appSections())
                    + [
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
                                command: ["apps"]),
                            SameCall(
                                Words.processes, .get, StorePath("connect", "v1", "processes"),
                                command: ["processes"]),
                            SameCall(
                                Words.snapshots, .get, StorePath("connect", "v1", "snapshots"),
                                command: ["snapshots"]),
                            SameCall(
                                Words.forks, .get, StorePath("connect", "v1", "forks"),
                                command: ["forks"]),
                            SameCall(
                                Words.deliveries, .patch, world, body: #"{"deliveries":true}"#,
                                command: ["deliveries", "on"])),
                    ])
        }
    }

    private var takeSnapshot: Endpoint<StoreSite> {
        action("world/snapshots", "takeSnapshot") { visit, form in
            _ = try await visit.desk.send(.post, StorePath("connect", "v1", "snapshots")) {
                $0.field("name", form["name"])
            }
            return "\(ConsolePath.world)#snapshots"
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
        action("world/forks", "makeFork") { visit, form in
            _ = try await visit.desk.send(.post, StorePath("connect", "v1", "forks")) {
                $0.field("name", form["name"])
            }
            return "\(ConsolePath.world)#forks"
        }
    }

    private var changeDeliveries: Endpoint<StoreSite> {
        action("world/deliveries", "changeDeliveries") { visit, form in
            _ = try await visit.desk.send(.patch, StorePath("connect", "v1", "world")) {
                $0.field("deliveries", form["deliveries"] == "true")
            }
            return ConsolePath.world
        }
    }
}

extension Visit {
    /// A section for each app, with all that is set.
    fileprivate func appSections() async throws -> [any PageBlock] {
        typealias Words = ConsoleWords.World
        let apps = try await desk.get(StorePath("connect", "v1", "apps")).list("apps")
        return try apps.enumerated().map { place, app in
            let members = (app.harmless.object ?? [:]).sorted { $0.key < $1.key }
            return PageSection(
                try app.text("name"), id: "app-\(place)",
                [
                    DataTable(
                        try app.text("name"), columns: [Words.setting, Words.value],
                        rows: members.map { name, value in
                            DataTable.Row([Cell.code(name), Cell(Visit.plain(value))])
                        }, empty: "")
                ])
        }
    }

    private static func plain(_ value: JSONValue) -> String {
        if case .string(let text) = value { return text }
        return pretty(value)
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
                        .number(locale.number(Int(try one.integer("size")))),
                    ])
                }, empty: Words.noSnapshots),
            PageForm(
                .change, action: "/console/world/snapshots", button: Words.take,
                hidden: [FormID.hidden()],
                fields: [
                    Field(
                        "name", Words.name, in: "snapshot", hint: Words.nameHint, isRequired: true)
                ]),
        ]
        if !all.isEmpty {
            blocks.append(
                PageForm(
                    .danger, action: "/console/world/rewind", button: Words.rewind,
                    about: Words.rewindAbout, hidden: [FormID.hidden()],
                    fields: [
                        Field(
                            "name", Words.rewind,
                            .choice(try all.map { (try $0.text("name"), try $0.text("name")) }),
                            in: "rewind")
                    ]))
        }
        return blocks
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
                        Cell((try? one.object("production").text("url")) ?? ""),
                    ])
                }, empty: Words.noForks),
            PageForm(
                .change, action: "/console/world/forks", button: Words.fork,
                hidden: [FormID.hidden()],
                fields: [
                    Field("name", Words.name, in: "fork", hint: Words.nameHint, isRequired: true)
                ]),
        ]
    }
}
