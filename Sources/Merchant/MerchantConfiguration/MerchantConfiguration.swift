import FoundationEssentials
public import Merchant
public import PlacedYAML
import Yams

/// What a merchant serves, and how: read from one YAML file, from stores' ready files, or both.
public struct MerchantConfiguration: Sendable {
    /// At least one, each with another bundle id.
    public private(set) var apps: [ConfiguredApp] = []
    public private(set) var server = ServerSettings()
    /// How campaigns reach customers. A change takes effect at the next start.
    public private(set) var channels = ChannelSettings()
    /// Every file that it was read from: where one changes, it is to be read again.
    public private(set) var files: [String] = []

    /// How the server runs; nil where nothing was said. A change takes effect at the next start.
    public struct ServerSettings: Hashable, Sendable {
        public var host: String?
        public var port: Int?
        /// The data directory's path.
        public var data: String?
        public var databaseURL: String?
        public var limits = Limits()

        /// How many requests a second each token may send; 0 for as many as it likes.
        public struct Limits: Hashable, Sendable {
            public var app: Int?
            public var server: Int?
            public var theOperator: Int?

            public init() {}
        }

        public init() {}
    }

    /// How large a file may be, in bytes.
    private static let sizeLimit = 1 << 20

    /// What `Merchant` is opened with.
    public var setups: [AppSetup] { apps.map(\.setup) }

    /// Reads a configuration.
    ///
    /// - Parameters:
    ///   - file: the path of the YAML file, if there is one.
    ///   - stores: paths of stores' ready files: each is an app.
    /// - Throws: everything that is wrong with any of them.
    public static func read(
        file: String?, stores: [String] = []
    ) throws(ConfigurationErrors) -> MerchantConfiguration {
        var configuration = MerchantConfiguration()
        var problems = Problems()
        if let file { configuration.read(file, &problems) }
        for path in stores {
            let place = Place(file: path, member: "--store", line: nil, node: "")
            var reader = AppReader(folder: Paths.folder(of: path))
            let app = reader.app(ofStoreAt: path, place, &problems)
            configuration.files += reader.files
            configuration.add(app, place, &problems)
        }
        try problems.check()
        return configuration
    }

    private mutating func read(_ path: String, _ problems: inout Problems) {
        files.append(path)
        guard let data = FileManager.default.contents(atPath: path) else {
            return problems.add(path, "There is no such file that can be read: correct the path.")
        }
        guard data.count <= Self.sizeLimit else {
            return problems.add(path, "The file has more than 1 MiB: give a configuration.")
        }
        guard let text = String(validating: data, as: UTF8.self) else {
            return problems.add(path, "The file is not UTF-8: save it as such.")
        }
        let root: Node?
        do {
            root = try Yams.compose(yaml: text)
        } catch {
            return problems.add(complaint: error, path)
        }
        guard let root else {
            return problems.add(path, line: 1, "The file is empty: name the apps below `apps:`.")
        }
        let place = Place(file: path, member: "", line: root.mark?.line ?? 1, node: root)
        guard var members = Members(place, &problems) else { return }
        let apps = members.need(
            "apps", "name the apps below it, each as `- bundleId: …`", &problems)
        if let apps { read(apps: apps, &problems) }
        if let server = members.take("server", &problems) { read(server: server, &problems) }
        channels = ChannelSettings.read(&members, &problems)
        members.finish(&problems)
    }

    private mutating func read(apps place: Place, _ problems: inout Problems) {
        var reader = AppReader(folder: Paths.folder(of: place.file))
        for element in place.elements(&problems) ?? [] {
            let app = reader.app(element, &problems)
            add(app, element, &problems)
        }
        files += reader.files
    }

    private mutating func add(
        _ app: ConfiguredApp?, _ place: Place, _ problems: inout Problems
    ) {
        guard let app else { return }
        guard !apps.contains(where: { $0.setup.bundleID == app.setup.bundleID }) else {
            return problems.add(place, "is \(app.setup.bundleID) again: name each app once.")
        }
        apps.append(app)
    }

    private mutating func read(server place: Place, _ problems: inout Problems) {
        guard var members = Members(place, &problems) else { return }
        server.host = members.take("host", &problems)?.text(&problems)
        server.port = members.take("port", &problems)?.number(0...65535, &problems).map { Int($0) }
        server.data = members.take("data", &problems)?.text(&problems)
            .map { Paths.path($0, from: Paths.folder(of: place.file)) }
        if let url = members.take("databaseUrl", &problems), let text = url.text(&problems) {
            if text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") {
                server.databaseURL = text
            } else {
                problems.add(url, "must be a URL of PostgreSQL: write postgres://user@host/name.")
            }
        }
        if let limits = members.take("limits", &problems) { read(limits: limits, &problems) }
        members.finish(&problems)
    }

    private mutating func read(limits place: Place, _ problems: inout Problems) {
        guard var members = Members(place, &problems) else { return }
        func limit(_ name: String, _ members: inout Members, _ problems: inout Problems) -> Int? {
            members.take(name, &problems)?.number(0...1_000_000, &problems).map { Int($0) }
        }
        server.limits.app = limit("app", &members, &problems)
        server.limits.server = limit("server", &members, &problems)
        server.limits.theOperator = limit("operator", &members, &problems)
        members.finish(&problems)
    }
}
