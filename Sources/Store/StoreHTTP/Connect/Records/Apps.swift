import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store
import SubscriptionRules

extension ConnectSurface {
    /// The apps in the store.
    static let listApps = Endpoint.operatorOnly(
        .get, "/connect/v1/apps", "listApps",
        OperationDescription(
            .theOperator, "List the apps",
            success: .ok(
                "The apps.",
                .object(
                    "Apps.",
                    .required("apps", .list("In the order of adding.", of: .named("App"))))))
    ) { call, _ in
        let apps = try await call.store.apps()
        let standing = try await standing(of: apps, call)
        return .object { json in
            json.array("apps") { json in
                for app in apps {
                    let sheet = AppSheet(app, standing)
                    json.elementObject { AppForm.app.write(sheet, to: &$0) }
                }
            }
        }
    }

    /// Adds an app, which sells nothing yet.
    static let addApp = Endpoint.operatorOnly(
        .post, "/connect/v1/apps", "addApp",
        OperationDescription(
            .theOperator, "Add an app",
            body: .members(
                .object(
                    "The new app.",
                    .required("bundleId", .bundleID("Its bundle identifier.")),
                    .optional(
                        "appAppleId",
                        .integer(
                            "The App Store's number; the next that is free unless given.",
                            1...Int64.max)),
                    .optional(
                        "name", .text("Its name; the bundle identifier unless given.", 1...255)))),
            success: .created("Added.", .named("App")),
            failures: [.init(.badRequest, "invalidSetting"), .init(.conflict, "appExists")])
    ) { call, input in
        let bundleID = input.requiredText("bundleId")
        try await call.store.addApp(
            bundleID: bundleID,
            appleID: input.integer("appAppleId"),
            settings: App.Settings(name: input.text("name") ?? bundleID))
        return try await reply(bundleID, call, .created)
    }

    /// One app.
    static let getApp = Endpoint.operatorOnly(
        .get, "/connect/v1/apps/{bundleId}", "getApp",
        OperationDescription(
            .theOperator, "Get an app", parameters: [bundleIDParameter],
            success: .ok("The app.", .named("App")), failures: [.init(.notFound, "unknownApp")])
    ) { call, _ in
        try await reply(call.text("bundleId"), call)
    }

    /// Sets an app up: grace periods, rules, where notifications go.
    static let changeApp = Endpoint.operatorOnly(
        .patch, "/connect/v1/apps/{bundleId}", "changeApp", canRehearse: true,
        OperationDescription(
            .theOperator, "Set an app up",
            detail: "What is not given stays. What is set holds for everything that happens from "
                + "now on.",
            parameters: [bundleIDParameter],
            body: .members(AppForm.settings.changes("The settings to change.")),
            success: .ok("The app as it is now.", .named("App")),
            failures: [.init(.badRequest, "invalidSetting"), .init(.notFound, "unknownApp")])
    ) { call, input in
        let bundleID = call.text("bundleId")
        let change = try AppForm.settings.change(by: input)
        let setsEra = input.has(AppForm.era.name)
        let setsZone = input.has(AppForm.billingZone.name)
        let setsLimit = input.has(AppForm.sandboxRenewalLimit.name)
        try await call.store.configure(bundleID: bundleID) { settings in
            change(&settings)
            guard setsEra, settings.era == .session2012 else { return }
            if !setsZone { settings.billingZone = .pacific }
            if !setsLimit { settings.sandboxRenewalLimit = 6 }
        }
        return try await reply(bundleID, call)
    }

    private static func reply(
        _ bundleID: String, _ call: Call, _ status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let app = try await call.store.app(bundleID: bundleID)
        let standing = try await standing(of: [app], call)
        let sheet = AppSheet(app, standing)
        return .object(status: status) { AppForm.app.write(sheet, to: &$0) }
    }

    /// Nil where no app asks for it: where several processes write, the whole ledger of two years
    /// is summed for it each time.
    private static func standing(
        of apps: [App], _ call: Call
    ) async throws -> SmallBusinessStanding? {
        guard apps.contains(where: \.settings.smallBusiness) else { return nil }
        return try await call.store.smallBusinessStanding()
    }

    static let bundleIDParameter = OperationDescription.Parameter.path(
        "bundleId", .bundleID("The app."))
}

extension Call {
    /// A path parameter as a name; what cannot be one names nothing.
    func text(_ parameter: String) -> String {
        guard let text = self.parameter(parameter), text.isPlainName else { return "" }
        return text
    }
}

extension String {
    /// Whether it can be an identifier at all: 1 to 1024 bytes without control characters.
    fileprivate var isPlainName: Bool {
        (1...1024).contains(utf8.count) && utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }
}
