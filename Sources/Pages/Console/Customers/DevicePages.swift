import AppStoreWire
import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import StoreHTTP

/// What can be done with a device.
enum DeviceAct: String, CaseIterable, Sendable {
    case wipe, remove

    var title: String { ConsoleWords.Devices.title(of: self) }
}

extension Console {
    /// A device with its queue, what its forms do, and the receipt of the app on it.
    var devicePages: [Endpoint<StoreSite>] {
        [
            page("customers/{account}/devices/{id}", "device") { visit in
                try await visit.devicePage()
            },
            page("customers/{account}/devices/{id}/receipt", "receipt") { visit in
                try await visit.receiptPage()
            },
            action("customers/{account}/devices/{id}/{act}", "doDeviceAct") { visit, _ in
                try await visit.performDeviceAct()
            },
        ]
    }
}

extension Visit {
    func devicePath(_ account: String, _ parts: [String] = []) -> StorePath {
        StorePath(parts: ["connect", "v1", "customers", account, "devices"] + parts)
    }

    /// The devices of a customer, each with how much waits there.
    func deviceSection(_ account: String) async throws -> PageSection {
        typealias Words = ConsoleWords.Devices
        let devices = try await desk.get(devicePath(account)).list("devices")
        let table = DataTable(
            Words.title,
            columns: [Words.device, Words.app, Words.registered, Words.signedIn, Words.waiting],
            rows: try devices.map { device in
                let isSignedIn = try device.integer("signIns") > 0
                return DataTable.Row([
                    Cell(
                        PageLink(
                            try device.text("name"),
                            ConsolePath.device(account, try device.text("id")))),
                    Cell(try device.text("bundleId")), momentCell(device, "registered"),
                    .badge(
                        isSignedIn ? Words.yes : Words.no, isSignedIn ? .good : .plain),
                    .number(locale.number(Int(try device.integer("waiting")))),
                ])
            }, empty: Words.none)
        return PageSection(Words.title, id: "devices", about: Words.about, [table])
    }

    /// - Parameter path: of the page of its receipt.
    private func facts(of device: Answer, path: String) throws -> Facts {
        typealias Words = ConsoleWords.Devices
        return Facts([
            (Words.app, Cell(try device.text("bundleId"))),
            (Words.registered, momentCell(device, "registered")),
            (Words.signIns, .number(locale.number(Int(try device.integer("signIns"))))),
            (Words.receipt, Cell(PageLink(ConsoleWords.Receipts.link, path))),
        ])
    }

    fileprivate func devicePage() async throws -> Page {
        typealias Words = ConsoleWords.Devices
        let (account, id) = (try part("account"), try part("id"))
        let path = devicePath(account, [id])
        let device = try await desk.get(path)
        let queue = try device.list("queue")
        let more = Int(try device.integer("waiting")) - queue.count
        return Page(
            try device.text("name"), lead: Words.about,
            trail: [
                PageLink(ConsoleWords.Customers.title, ConsolePath.customers),
                PageLink(account, ConsolePath.customer(account)),
            ],
            [
                try facts(of: device, path: ConsolePath.device(account, id, "receipt")),
                PageSection(
                    Words.queue, id: "queue",
                    about: more > 0 ? Words.more(locale.number(more)) : nil,
                    [
                        DataTable(
                            Words.queue,
                            columns: [Words.product, Words.since, Words.transaction, Words.why],
                            rows: try queue.map { one in
                                let isRestored = one.value["restored"]?.bool == true
                                return DataTable.Row([
                                    Cell(try one.text("productId")),
                                    momentCell(one, "purchased"),
                                    .code(try one.text("transactionId")),
                                    isRestored ? .badge(Words.restored, .plain) : .none,
                                ])
                            }, empty: Words.nothing)
                    ]),
            ]
                + DeviceAct.allCases.map { act in
                    PageSection(
                        act.title, id: act.rawValue, about: Words.about(act),
                        [
                            PageForm(
                                .danger, action: ConsolePath.device(account, id, act.rawValue),
                                button: act.title, hidden: [FormID.hidden(), Preview.hidden])
                        ])
                } + [
                    same(
                        SameCall(
                            Words.thisPage, .get, path,
                            command: ["customer", "devices", "show", account, id]),
                        SameCall(
                            DeviceAct.wipe.title, .post, devicePath(account, [id, "wipe"]),
                            command: ["customer", "devices", "wipe", account, id]),
                        SameCall(
                            DeviceAct.remove.title, .delete, path,
                            command: ["customer", "devices", "remove", account, id]))
                ])
    }

    fileprivate func performDeviceAct() async throws -> String {
        let (account, id) = (try part("account"), try part("id"))
        guard let act = DeviceAct(rawValue: try part("act")) else { throw ErrorBody.unknownPage }
        switch act {
        case .wipe:
            _ = try await desk.send(.post, devicePath(account, [id, "wipe"]))
            return ConsolePath.device(account, id)
        case .remove:
            _ = try await desk.send(.delete, devicePath(account, [id]))
            return ConsolePath.customer(account)
        }
    }
}
