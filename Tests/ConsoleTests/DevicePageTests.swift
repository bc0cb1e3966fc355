import HTTPTypes
import Store
import SubscriptionRules
import TestFloor
import TestPages
import TestSupport
import Testing

@Suite("Console: devices")
struct DevicePageTests {
    @Test(
        "A customer's page lists the devices, each has a page with its queue, and is wiped there",
        arguments: Backend.available)
    func life(_ backend: Backend) async throws {
        let world = try await ConsoleWorld(backend)
        let store = world.world.store
        let phone = try await world.world.device("ada", named: "phone <b>")
        _ = try await store.purchase(PurchaseRequest(productID: "lifetime"), by: phone)
        try await world.signedIn { browser in
            let customer = try await browser.get("/console/customers/ada")
            #expect(customer.words.contains("phone <b>"), "\(customer.words)")
            let link = try #require(customer.links.first { $0.contains("/devices/") })
            let device = try await browser.get(link)
            for words in ["phone <b>", "lifetime", "Wipe it", "Remove it"] {
                #expect(device.words.contains(words), "\(words)")
            }
            let wiped = try await browser.submit(device, to: "\(link)/wipe")
            #expect(wiped.location == "\(link)?done=doDeviceAct")
            let devices = try await store.devices(of: "ada", bundleID: nil, in: .production)
            #expect(devices.map(\.signIns) == [0] && devices.map(\.waiting) == [1])
            let again = try await browser.get(link)
            let removed = try await browser.submit(again, to: "\(link)/remove")
            #expect(removed.location?.hasPrefix("/console/customers/ada") == true)
            #expect(
                try await store.devices(of: "ada", bundleID: nil, in: .production).isEmpty)
            #expect(try await browser.get(link).status == 404)
        }
        try await world.world.check()
    }

    @Test(
        "The receipt of the app on a device is read there, attribute by attribute",
        arguments: Backend.available, StoreEnvironment.allCases)
    func receipt(_ backend: Backend, _ environment: StoreEnvironment) async throws {
        let world = try await ConsoleWorld(backend)
        let store = world.world.store
        let phone = try await world.world.device(
            "ada", in: environment, named: "6F1C2E5A-0000-4000-8000-0000000000AB")
        try await world.signedIn(environment) { browser in
            let customer = try await browser.get("/console/customers/ada")
            let link = try #require(customer.links.first { $0.contains("/devices/") })
            let device = try await browser.get(link)
            #expect(device.links.contains("\(link)/receipt"))
            let empty = try await browser.get("\(link)/receipt")
            #expect(empty.words.contains("Nothing was bought in this app."))
            _ = try await store.purchase(PurchaseRequest(productID: "lifetime"), by: phone)
            let page = try await browser.get("\(link)/receipt")
            #expect(page.status == 200)
            for words in [
                "lifetime", "com.example.app", "6f1c2e5a-0000-4000-8000-0000000000ab",
                environment == .production ? "Production" : "ProductionSandbox", "deviceHash",
                "perennial customer receipt ada --app com.example.app --device",
            ] {
                #expect(page.words.contains(words), "\(words)")
            }
            #expect(try await browser.get("/console/customers/bob/devices/9/receipt").status == 404)
        }
        try await world.world.check()
    }

    @Test("A receipt of hundreds of renewals names the newest, and how many more there are")
    func long() async throws {
        let world = try await ConsoleWorld()
        try await world.subscribe("ada")
        _ = try await world.world.store.advance(by: CalendarStep(iso8601: "P20Y")!)
        try await world.signedIn { browser in
            let customer = try await browser.get("/console/customers/ada")
            let link = try #require(customer.links.first { $0.contains("/devices/") })
            let page = try await browser.get("\(link)/receipt")
            #expect(page.words.contains("more are in it"))
            #expect(page.words.contains("too many for a page"))
            #expect(page.text.utf8.count < 100_000)
        }
    }
}
