import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store
import SubscriptionRules

/// The devices of customers, each with a queue of its own (RST-2).
extension ConnectSurface {
    private static let devicesPath = "/connect/v1/customers/{account}/devices"

    /// A customer's devices.
    static let listDevices = Endpoint.operatorOnly(
        .get, devicesPath, "listDevices",
        OperationDescription(
            .theOperator, "List a customer's devices",
            detail: "Each that ever signed in and was not removed, in the order in which they did.",
            parameters: [
                deviceOwner, .query("bundleId", .text("Only those with this app.", 1...255)),
            ],
            success: .ok(
                "The devices.",
                .object(
                    "Devices.",
                    .required(
                        "devices", .list("The first one first.", of: .named("Device"))))),
            failures: [.init(.notFound, "unknownAccount"), .init(.notFound, "unknownApp")])
    ) { call, input in
        let devices = try await call.store.devices(
            of: call.text("account"), bundleID: input.parameter("bundleId")?.string,
            in: call.environment)
        return .object { json in
            json.array("devices") { json in
                for device in devices { json.elementObject { device.write(to: &$0) } }
            }
        }
    }

    /// One device with its queue.
    static let getDevice = Endpoint.operatorOnly(
        .get, devicesPath + "/{device}", "getDevice",
        OperationDescription(
            .theOperator, "Get a device and what waits there",
            parameters: [deviceOwner, devicePart],
            success: .ok("The device.", .named("Device")), failures: deviceFailures)
    ) { call, _ in
        let (device, queue) = try await call.store.device(
            try call.pathIdentifier("device", of: .device), of: call.text("account"),
            in: call.environment)
        return .object { json in
            device.write(to: &json)
            json.array("queue") { json in
                for one in queue { json.elementObject { one.write(to: &$0) } }
            }
        }
    }

    /// Wipes a device.
    static let wipeDevice = Endpoint.operatorOnly(
        .post, devicesPath + "/{device}/wipe", "wipeDevice", canRehearse: true,
        OperationDescription(
            .theOperator, "Wipe a device",
            detail: "As when everything on it is erased: its tokens are good no more, and its "
                + "queue begins anew with what nobody has finished. What it had finished a restore "
                + "brings back.",
            parameters: [deviceOwner, devicePart], success: .nothing("Wiped."),
            failures: deviceFailures)
    ) { call, _ in
        try await call.store.wipe(
            device: try call.pathIdentifier("device", of: .device), of: call.text("account"),
            in: call.environment)
        return .empty(.noContent)
    }

    /// Removes a device.
    static let removeDevice = Endpoint.operatorOnly(
        .delete, devicesPath + "/{device}", "removeDevice", canRehearse: true,
        OperationDescription(
            .theOperator, "Remove a device",
            detail: "Its tokens are good no more. Who signs in under its name again is on a new "
                + "device.",
            parameters: [deviceOwner, devicePart], success: .nothing("Removed."),
            failures: deviceFailures)
    ) { call, _ in
        try await call.store.remove(
            device: try call.pathIdentifier("device", of: .device), of: call.text("account"),
            in: call.environment)
        return .empty(.noContent)
    }

    // MARK: Shapes

    private static let deviceOwner = OperationDescription.Parameter.path(
        "account", .text("The account, percent-encoded.", 1...256))

    private static let devicePart = OperationDescription.Parameter.path(
        "device", .identifier("The device's number."))

    private static let deviceFailures: [OperationDescription.Failure] = [
        .init(.notFound, "unknownAccount"), .init(.notFound, "unknownDevice"),
    ]

    static let deviceSchema = Schema.object(
        "A customer's device, for one app.",
        .required("id", .identifier("Its number.")),
        .required("bundleId", .text("The app on it.")),
        .required("name", .text("What it calls itself.")),
        .required("registered", .moment("When it signed in for the first time.")),
        .required("signIns", .integer("How many tokens are good on it.")),
        .required("waiting", .integer("How many transactions wait to be finished there.")),
        .optional(
            "queue",
            .list(
                "What waits, oldest first, the first \(Store.mostWaitingShown); not in lists.",
                of: .object(
                    "A transaction that waits.",
                    .required("transactionId", .identifier("The transaction.")),
                    .required("productId", .text("The product.")),
                    .required("purchased", .moment("When it was bought, or renewed.")),
                    .optional(
                        "restored",
                        .boolean(
                            "True where it waits again since a restore brought it back; absent "
                                + "else."))))))
}

extension Device {
    fileprivate func write(to json: inout JSONWriter) {
        json.field("id", String(id))
        json.field("bundleId", bundleID)
        json.field("name", name)
        json.field("registered", registered.iso8601)
        json.field("signIns", signIns)
        json.field("waiting", waiting)
    }
}

extension WaitingTransaction {
    fileprivate func write(to json: inout JSONWriter) {
        json.field("transactionId", String(id))
        json.field("productId", productID)
        json.field("purchased", purchased.iso8601)
        if isRestored { json.field("restored", true) }
    }
}
