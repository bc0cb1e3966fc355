import AppStoreWire
import ServiceLifecycle
import TimeAndChance
import Timeline

/// Waits for a merchant's server, then writes the ready files and says how to use it; writes them
/// again where the apps change.
struct MerchantAnnouncement: Service {
    let place: ServePlan
    let directory: DataDirectory
    let house: MerchantHouse
    /// Where ready files go.
    let readyFiles: [String]
    /// By whose clock access ends, in words.
    let clock: String
    private let ports: AsyncStream<Int?>
    private let mouth: AsyncStream<Int?>.Continuation

    init(
        place: ServePlan, directory: DataDirectory, house: MerchantHouse, readyFiles: [String],
        clock: String
    ) {
        self.place = place
        self.directory = directory
        self.house = house
        self.readyFiles = readyFiles
        self.clock = clock
        (ports, mouth) = AsyncStream.makeStream()
    }

    /// The server answers at a port.
    func heard(_ port: Int) { mouth.yield(port) }

    /// It serves other apps from now on.
    func appsChanged() { mouth.yield(nil) }

    func run() async throws {
        var known: Int?
        for await port in ports.cancelOnGracefulShutdown() {
            known = port ?? known
            guard let known else { continue }
            let ready = house.ready(url: place.url(ofPort: known))
            for file in readyFiles { try ready.write(to: file) }
            guard port != nil else { continue }
            if place.printsJSON {
                Output.line(PrettyJSON.text(of: json(ready)))
            } else {
                for line in lines(ready, Output.style()) { Output.line(line) }
            }
        }
        // The stream ends only with the process.
    }

    private var readyFile: String { place.readyFile ?? directory.readyFile }

    /// The words, one text a line.
    private func lines(_ ready: MerchantReady, _ style: Style) -> [String] {
        let database = place.databaseURL == nil ? "" : ", database in PostgreSQL"
        let facts = [
            ("Console", ready.consoleLink(now: SystemTime.now())),
            ("Merchant", ready.url), ("Clock", clock),
            (
                "Data",
                directory.isTemporary
                    ? "temporary, deleted on exit" : directory.path + database
            ),
            ("Ready file", readyFile),
        ]
        let title = "Perennial \(Perennial.version) serves as a merchant."
        var lines = [style.paint(title, .strong), ""]
        lines += facts.map { "  " + style.paint($0.0.filled(to: 12), .faint) + $0.1 }
        lines += ["", "Send notifications (version 2) of Production and Sandbox to:", ""]
        lines += ready.apps.map { "  \(ready.notificationURL(of: $0.bundleID))" }
        let isUsual = directory.readyFile == DataDirectory.absolute(MerchantReady.usualReadyFile)
        let option = isUsual ? "" : " --ready \(Remedies.word(readyFile))"
        let program = CommandLine.arguments.first ?? "perennial"
        return lines + ["", "Try:", "", "  \(program) merchant status anna\(option)"]
    }

    /// The facts as JSON: the ready file without its secrets.
    private func json(_ ready: MerchantReady) -> JSONValue {
        .object([
            "url": .string(ready.url), "readyFile": .string(readyFile),
            "apps": .array(
                ready.apps.map { app in
                    .object([
                        "bundleId": .string(app.bundleID),
                        "notificationUrl": .string(ready.notificationURL(of: app.bundleID)),
                    ])
                }),
        ])
    }
}

/// The service group logs its services by reflection; what this one says goes to people only.
extension MerchantAnnouncement: CustomStringConvertible, CustomReflectable {
    var description: String { "MerchantAnnouncement" }
    var customMirror: Mirror { Mirror(self, children: [:]) }
}
