import AppStoreWire
import ArgumentParser
import ConnectAnswers
import NIOHTTP1
import SubscriptionRules
import Timeline

/// What concerns customers' devices.
struct DevicesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "List customers' devices and their queues; wipe and remove devices.",
        discussion: """
            The store knows a device by its name, from its first sign-in. Each device has its own \
            queue: purchases and renewals wait there until the app finishes them.

              perennial customer devices anna
              perennial customer devices show anna phone
              perennial customer devices wipe anna phone
              perennial customer devices remove anna phone
            """,
        subcommands: [
            DevicesListCommand.self, DevicesShowCommand.self, DevicesWipeCommand.self,
            DevicesRemoveCommand.self,
        ], defaultSubcommand: DevicesListCommand.self)
}

/// Lists devices.
struct DevicesListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List a customer's devices.",
        discussion: """
              perennial customer devices list anna
              perennial customer devices list anna --sandbox --json
            """)

    @Argument(help: "The account.", transform: Reading.account)
    var account: String

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let client = try store.client(of: which)
        let answer = try await client.get(
            Devices.path(account).with("bundleId", which.bundleID))
        try store.show(answer, of: which) { style in
            let devices = try answer.list("devices")
            guard !devices.isEmpty else { return ["\(account) has no devices yet"] }
            var table = Columns(
                [
                    ("device", .left), ("number", .right), ("app", .left), ("since", .left),
                    ("signed in", .left), ("waiting", .right),
                ], first: ["device", "waiting"])
            for one in devices {
                table.add([
                    try one.text("name"), try one.text("id"), try one.text("bundleId"),
                    try one.moment("registered").plainText,
                    try one.integer("signIns") > 0 ? "yes" : "no",
                    "\(try one.integer("waiting"))",
                ])
            }
            return table.lines(style)
        }
    }
}

/// Shows what waits on a device.
struct DevicesShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the queue of a device.",
        discussion: """
              perennial customer devices show anna phone
              perennial customer devices show anna 12 --json
            """)

    @OptionGroup var device: DeviceArguments

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let client = try store.client(of: which)
        let answer = try await client.get(try await device.path(client, which))
        try store.show(answer, of: which) { style in
            let queue = try answer.list("queue")
            let waiting = try answer.integer("waiting")
            guard !queue.isEmpty else { return ["nothing waits on \(try answer.text("name"))"] }
            var table = Columns(
                [("waits", .left), ("since", .left), ("", .left), ("transaction", .right)],
                first: ["waits", "since"])
            for one in queue {
                table.add([
                    try one.text("productId"), try one.moment("purchased").plainText,
                    one.value["restored"]?.bool == true ? "restored" : "",
                    try one.text("transactionId"),
                ])
            }
            let more = waiting - Int64(queue.count)
            return table.lines(style) + (more > 0 ? ["and \(more) more"] : [])
        }
    }
}

/// Wipes a device.
struct DevicesWipeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wipe",
        abstract: "Wipe a device: sign it out and clear its queue.",
        discussion: """
            Like erasing everything on the device. After the next sign-in it can restore its \
            purchases.

              perennial customer devices wipe anna phone
            """)

    @OptionGroup var device: DeviceArguments

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let client = try store.client(of: which)
        let path = try await device.path(client, which)
        _ = try await client.send(.POST, StorePath(parts: path.parts + ["wipe"]))
        try store.show(try await client.get(path), of: which) { _ in
            ["\(device.name) is wiped: nobody is signed in on it"]
        }
    }
}

/// Removes a device.
struct DevicesRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove a device; the next sign-in under its name is a new device.",
        discussion: """
              perennial customer devices remove anna phone
            """)

    @OptionGroup var device: DeviceArguments

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let client = try store.client(of: which)
        let path = try await device.path(client, which)
        // What it was.
        let answer = try await client.get(path)
        _ = try await client.send(.DELETE, path)
        try store.show(answer, of: which) { _ in ["\(device.name) is removed"] }
    }
}

/// Which device is meant.
struct DeviceArguments: ParsableArguments {
    @Argument(help: "The account.", transform: Reading.account)
    var account: String

    @Argument(help: "The device's name, or its number.")
    var name: String

    /// The path of the device, which is looked for by its name first.
    ///
    /// - Throws: `Failure` where the customer has no such device, or several of the name.
    func path(_ client: StoreClient, _ which: AppOption) async throws -> StorePath {
        let found = try await client.get(
            Devices.path(account).with("bundleId", which.bundleID)
        ).list("devices")
        var ids = try found.filter { try $0.text("name") == name }.map { try $0.text("id") }
        if ids.isEmpty { ids = try found.map { try $0.text("id") }.filter { $0 == name } }
        guard let id = ids.first else {
            throw Failure.refused(
                "\(account) has no device \(name); `perennial customer devices ACCOUNT` lists "
                    + "those there "
                    + "are.")
        }
        guard ids.count == 1 else {
            throw Failure.refused(
                "\(account) has \(name) with \(ids.count) apps: name the app with --bundle-id.")
        }
        return Devices.path(account, id)
    }
}

/// Where devices are.
private enum Devices {
    static func path(_ account: String, _ parts: String...) -> StorePath {
        StorePath(parts: ["connect", "v1", "customers", account, "devices"] + parts)
    }
}
