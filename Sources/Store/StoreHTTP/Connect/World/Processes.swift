import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store
import SubscriptionRules

extension ConnectSurface {
    /// The processes that serve this world.
    static let listProcesses = Endpoint.operatorOnly(
        .get, "/connect/v1/processes", "listProcesses",
        OperationDescription(
            .theOperator, "List the processes that serve this world together",
            detail: "In the order in which they joined, both environments. One that ended in order "
                + "is not shown any more; one that did not is shown for an hour.",
            success: .ok(
                "The processes.",
                .object(
                    "Processes.",
                    .required("processes", .list("In order.", of: .named("Process"))))))
    ) { call, _ in
        let processes = try await call.store.processes()
        return .object { json in
            json.array("processes") { json in
                for process in processes { json.elementObject { process.write(to: &$0) } }
            }
        }
    }

    static let processSchema = Schema.object(
        "One of the processes that serve a world together. Its moments are the database's clock's.",
        .required("id", .text("Its identifier: one that is started again has another.")),
        .required("name", .text("The machine and the process number.")),
        .required("version", .text("The program's version.")),
        .required("started", .moment("When it joined.")),
        .required("seen", .moment("When it was heard of last.")),
        .required(
            "isAlive",
            .boolean("Whether it was heard of so lately that what it holds is its own.")),
        .required("movesClock", .boolean("Whether it is moving the world's clock now.")),
        .required(
            "lanes",
            .list(
                "Where it delivers notifications now.",
                of: .object(
                    "The notifications of an app in an environment.",
                    .required("bundleId", .text("The app.")),
                    .required("environment", environmentSchema),
                    .required("until", .moment("Until when, unless it is heard of before."))))))
}

extension StoreProcess {
    fileprivate func write(to json: inout JSONWriter) {
        json.field("id", id)
        json.field("name", name)
        json.field("version", version)
        json.field("started", started.iso8601)
        json.field("seen", seen.iso8601)
        json.field("isAlive", isAlive)
        json.field("movesClock", movesClock)
        json.array("lanes") { json in
            for lane in lanes {
                json.elementObject { json in
                    json.field("bundleId", lane.bundleID)
                    json.field("environment", lane.environment.wire)
                    json.field("until", lane.until.iso8601)
                }
            }
        }
    }
}
