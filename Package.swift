// swift-tools-version: 6.2
// The manifest is the map: each target says in one sentence what it is, and its dependencies are
// all the arrows there are. `--explicit-target-dependency-import-check error` enforces them.
import PackageDescription

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

extension Target.Dependency {
    /// A product that the trait `Server` brings, and nobody who goes without it checks out.
    private static func server(_ name: String, of package: String) -> Self {
        product(name: name, package: package, condition: .when(traits: ["Server"]))
    }

    static let argumentParser = server("ArgumentParser", of: "swift-argument-parser")
    static let asyncHTTPClient = server("AsyncHTTPClient", of: "async-http-client")
    static let crypto = product(name: "Crypto", package: "swift-crypto")
    static let cryptoExtras = product(name: "CryptoExtras", package: "swift-crypto")
    static let httpTypes = server("HTTPTypes", of: "swift-http-types")
    static let hummingbird = server("Hummingbird", of: "hummingbird")
    static let hummingbirdCore = server("HummingbirdCore", of: "hummingbird")
    static let hummingbirdTesting = server("HummingbirdTesting", of: "hummingbird")
    static let mustache = server("Mustache", of: "swift-mustache")
    static let logging = server("Logging", of: "swift-log")
    static let nioCore = server("NIOCore", of: "swift-nio")
    static let nioHTTP1 = server("NIOHTTP1", of: "swift-nio")
    static let nioHTTP2 = server("NIOHTTP2", of: "swift-nio-http2")
    static let nioPosix = server("NIOPosix", of: "swift-nio")
    static let nioSSL = server("NIOSSL", of: "swift-nio-ssl")
    static let serviceLifecycle = server("ServiceLifecycle", of: "swift-service-lifecycle")
    static let swiftASN1 = product(name: "SwiftASN1", package: "swift-asn1")
    static let unixSignals = server("UnixSignals", of: "swift-service-lifecycle")
    static let x509 = product(name: "X509", package: "swift-certificates")
    static let yams = server("Yams", of: "Yams")
}

let package = Package(
    name: "perennial",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "perennial", targets: ["perennial"]),
        .library(name: "SubscriptionRules", targets: ["SubscriptionRules"]),
        .library(name: "Wording", targets: ["Wording"]),
        .library(name: "AppStoreWire", targets: ["AppStoreWire"]),
        .library(name: "AppStoreSigning", targets: ["AppStoreSigning"]),
        .library(name: "AppStoreForgery", targets: ["AppStoreForgery"]),
        .library(name: "Journal", targets: ["Journal"]),
        .library(name: "Storage", targets: ["Storage", "StorageSQLite", "StoragePostgres"]),
        .library(name: "Store", targets: ["Store"]),
        .library(name: "ServerAPIClient", targets: ["ServerAPIClient"]),
        .library(name: "Outbox", targets: ["Outbox", "OutboxHTTP"]),
        .library(name: "StoreHTTP", targets: ["StoreHTTP"]),
        .library(
            name: "Merchant", targets: ["Merchant", "MerchantConfiguration", "MerchantHTTP"]),
        .library(name: "PerennialKit", targets: ["PerennialKit"]),
        .library(name: "PerennialTesting", targets: ["PerennialTesting"]),
        .library(name: "Account", targets: ["Account"]),
        .library(name: "Console", targets: ["Console"]),
        .library(name: "MerchantPages", targets: ["MerchantPages"]),
        .library(name: "StoreKitFile", targets: ["StoreKitFile"]),
        .library(name: "TestFloor", targets: ["TestFloor"]),
        .library(name: "Timeline", targets: ["Timeline"]),
        .library(name: "TimeAndChance", targets: ["TimeAndChance"]),
    ],
    // `traits: []` leaves an app three packages: what stands in Rules, Formats and Client (0046).
    traits: [
        .default(enabledTraits: ["Server"]),
        .trait(name: "Server", description: "The store, the merchant, and the command line."),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-asn1.git", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-certificates.git", exact: "1.21.1"),
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-http2.git", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.6"),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.1"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache.git", from: "2.1.1"),
        .package(url: "https://github.com/jpsim/Yams.git", from: "6.2.2"),
        .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.37.0"),
        .package(
            url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.13.0"),
    ],
    targets: [
        // What is true of subscriptions, whoever asks: pure values, imports nothing at all.
        .target(
            name: "SubscriptionRules", path: "Sources/Rules/SubscriptionRules",
            swiftSettings: strict),
        // What is said to people about the rules: a text for each code, ready to be translated.
        .target(
            name: "Wording", dependencies: ["SubscriptionRules"], path: "Sources/Rules/Wording",
            swiftSettings: strict),
        // Who has access, and why: registers and time in, an answer with its reason out.
        .target(
            name: "MerchantRules", dependencies: ["SubscriptionRules"],
            path: "Sources/Rules/MerchantRules", swiftSettings: strict),
        // Apple's published JSON, one type a file; unknown values survive a round trip.
        .target(name: "AppStoreWire", path: "Sources/Formats/AppStoreWire", swiftSettings: strict),
        // What happened, as it is stored, told and read: events with what belongs to them.
        .target(
            name: "Journal", dependencies: ["SubscriptionRules", "AppStoreWire"],
            path: "Sources/Store/Journal", swiftSettings: strict),
        // The machine's time and its randomness, what follows from a seed, and turns.
        .target(
            name: "TimeAndChance", dependencies: ["SubscriptionRules", .crypto],
            path: "Sources/Floor/TimeAndChance", swiftSettings: strict),
        // YAML whose values know where they stand, and what is wrong with a file.
        .target(
            name: "PlacedYAML", dependencies: [.yams], path: "Sources/Floor/PlacedYAML",
            swiftSettings: strict),
        // Certificates, JWS signing and verifying, request tokens, receipts.
        .target(
            name: "AppStoreSigning",
            dependencies: ["AppStoreWire", .crypto, .cryptoExtras, .x509, .swiftASN1],
            path: "Sources/Formats/AppStoreSigning", swiftSettings: strict),
        // Proofs that are wrong on purpose, each in one way that has a name, to test verifiers.
        .target(
            name: "AppStoreForgery",
            dependencies: [
                "AppStoreSigning", "AppStoreWire", .crypto, .cryptoExtras, .x509, .swiftASN1,
            ],
            path: "Sources/Formats/AppStoreForgery", swiftSettings: strict),
        // The seam to a database: SQL text with binds, rows, sessions, migrations, errors.
        .target(
            name: "Storage", dependencies: ["SubscriptionRules"], path: "Sources/Floor/Storage",
            swiftSettings: strict),
        // The C library of SQLite, from the system.
        .systemLibrary(
            name: "CSQLite", path: "Sources/Floor/CSQLite", pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"])]),
        // The seam over SQLite: the embedded default.
        .target(
            name: "StorageSQLite", dependencies: ["Storage", "CSQLite"],
            path: "Sources/Floor/StorageSQLite", swiftSettings: strict),
        // The C library of PostgreSQL, from the system.
        .systemLibrary(
            name: "CPostgres", path: "Sources/Floor/CPostgres", pkgConfig: "libpq",
            providers: [.apt(["libpq-dev"])]),
        // The seam over PostgreSQL (through libpq).
        .target(
            name: "StoragePostgres", dependencies: ["Storage", "CPostgres"],
            path: "Sources/Floor/StoragePostgres", swiftSettings: strict),
        // Reads the `.storekit` files that Xcode writes into a catalogue.
        .target(
            name: "StoreKitFile", dependencies: ["SubscriptionRules", "AppStoreWire"],
            path: "Sources/Formats/StoreKitFile", swiftSettings: strict),
        // What customers are told by mail, as plain values, and who writes it.
        .target(
            name: "Letters", dependencies: ["SubscriptionRules"], path: "Sources/Store/Letters",
            swiftSettings: strict),
        // The engine: commands, queries, the sweeper, the courier, the clock, the bank.
        .target(
            name: "Store",
            dependencies: [
                "SubscriptionRules", "AppStoreWire", "AppStoreSigning", "Journal", "Storage",
                "TimeAndChance", "DueWork", "Outbox", "Letters", "Mail", .logging,
                .serviceLifecycle, .crypto,
            ], path: "Sources/Store/Store", swiftSettings: strict),
        // Work that is done by itself: by which of several processes, again after it failed, and
        // around what is damaged.
        .target(
            name: "DueWork",
            dependencies: ["SubscriptionRules", "Storage", "TimeAndChance", .logging],
            path: "Sources/Floor/DueWork", swiftSettings: strict),
        // Delivers what was written in a transaction after it: in lanes, in order, again and again.
        .target(
            name: "Outbox",
            dependencies: ["SubscriptionRules", "Storage", "TimeAndChance", "DueWork", .logging],
            path: "Sources/Floor/Outbox", swiftSettings: strict),
        // Keeps from a client of HTTP what no server may answer, for it would trap.
        .target(
            name: "HTTPAnswers", dependencies: [.nioCore, .nioHTTP1, .nioHTTP2],
            path: "Sources/Floor/HTTPAnswers", swiftSettings: strict),
        // Posts messages over HTTP: whatever a server answers is an outcome.
        .target(
            name: "OutboxHTTP",
            dependencies: [
                "Outbox", "HTTPAnswers", .asyncHTTPClient, .nioCore, .nioHTTP1, .nioSSL,
            ],
            path: "Sources/Floor/OutboxHTTP", swiftSettings: strict),
        // Asks the App Store Server API, Apple's or a store's: retries, keys, limits, pages.
        .target(
            name: "ServerAPIClient",
            dependencies: [
                "AppStoreWire", "AppStoreSigning", "SubscriptionRules", "TimeAndChance",
                "HTTPAnswers", .asyncHTTPClient, .nioCore, .nioHTTP1,
            ], path: "Sources/Floor/ServerAPIClient", swiftSettings: strict),
        // A mail as a value, and as a message (RFC 5322); what can come of handing it over.
        .target(
            name: "Mail", dependencies: ["SubscriptionRules"], path: "Sources/Floor/Mail",
            swiftSettings: strict),
        // The C library of curl, from the system.
        .systemLibrary(
            name: "CCurl", path: "Sources/Floor/CCurl", pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev"])]),
        // Hands mails to a relay by SMTP (through libcurl): whatever comes of it is an outcome.
        .target(
            name: "MailSMTP", dependencies: ["Mail", "CCurl"], path: "Sources/Floor/MailSMTP",
            swiftSettings: strict),
        // A push as a value; hands it to APNs over HTTP/2: whatever comes of it is an outcome.
        .target(
            name: "Push",
            dependencies: [
                "SubscriptionRules", "AppStoreWire", "AppStoreSigning", "TimeAndChance",
                "HTTPAnswers", .asyncHTTPClient, .crypto, .nioCore, .nioHTTP1, .nioPosix, .nioSSL,
            ], path: "Sources/Floor/Push", swiftSettings: strict),
        // Endpoints declared once: routes, descriptions, checks of input, errors, limits, metrics.
        .target(
            name: "HTTPSurface",
            dependencies: [
                "SubscriptionRules", "AppStoreWire", "Storage", "TimeAndChance", .hummingbird,
                .hummingbirdCore, .httpTypes, .nioCore, .nioHTTP1, .logging,
            ], path: "Sources/Floor/HTTPSurface", swiftSettings: strict),
        // The store's routes, one folder a surface.
        .target(
            name: "StoreHTTP",
            dependencies: [
                "Store", "Letters", "Journal", "SubscriptionRules", "Wording", "AppStoreWire",
                "AppStoreSigning", "AppStoreForgery", "StoreKitFile", .nioCore, "Storage",
                "HTTPSurface", "TimeAndChance",
                "DueWork", "Outbox", .hummingbird, .httpTypes, .logging,
            ], path: "Sources/Store/StoreHTTP", swiftSettings: strict),
        // The developer's side: intake, registers, accounts, entitlements. Knows no store.
        .target(
            name: "Merchant",
            dependencies: [
                "MerchantRules", "SubscriptionRules", "Wording", "AppStoreWire",
                "AppStoreSigning", "ServerAPIClient", "Storage", "Outbox", "Mail", "Push",
                "TimeAndChance", "DueWork", .logging, .crypto, .serviceLifecycle,
            ], path: "Sources/Merchant/Merchant", swiftSettings: strict),
        // The merchant's configuration: one YAML file, or the ready files of stores.
        .target(
            name: "MerchantConfiguration",
            dependencies: [
                "Merchant", "MerchantRules", "SubscriptionRules", "AppStoreWire",
                "AppStoreSigning", "Outbox", "Mail", "TimeAndChance", "PlacedYAML", .crypto,
                .swiftASN1, .yams,
            ], path: "Sources/Merchant/MerchantConfiguration", swiftSettings: strict),
        // The merchant's routes.
        .target(
            name: "MerchantHTTP",
            dependencies: [
                "Merchant", "MerchantConfiguration", "MerchantRules", "SubscriptionRules",
                "AppStoreWire", "AppStoreSigning", "HTTPSurface", "PlacedYAML",
                "TimeAndChance", .hummingbird, .httpTypes, .nioCore, .logging,
            ], path: "Sources/Merchant/MerchantHTTP", swiftSettings: strict),
        // How wide a character is in a terminal, from the C library.
        .systemLibrary(name: "CTerminal", path: "Sources/Store/CTerminal"),
        // A subscription's life as a drawing in text; how wide and how coloured is an argument.
        .target(
            name: "Timeline", dependencies: ["Journal", "SubscriptionRules", "CTerminal"],
            path: "Sources/Store/Timeline", swiftSettings: strict),
        // What a store answered on `/connect`, read member by member: for whoever asks it.
        .target(
            name: "ConnectAnswers",
            dependencies: [
                "AppStoreWire", "AppStoreSigning", "Journal", "SubscriptionRules", "Timeline",
                "HTTPSurface",
            ], path: "Sources/Store/ConnectAnswers", swiftSettings: strict),
        // What all pages are made of: blocks, templates, drawings, locales, who may send a form.
        .target(
            name: "HTMLPages",
            dependencies: [
                "HTTPSurface", "SubscriptionRules", "TimeAndChance", "AppStoreWire",
                .mustache, .crypto, .hummingbird, .httpTypes, .nioCore, .serviceLifecycle,
            ], path: "Sources/Pages/HTMLPages", resources: [.embedInCode("Resources")],
            swiftSettings: strict),
        // The operator's pages: what `/connect` tells and does, for people.
        .target(
            name: "Console",
            dependencies: [
                "HTMLPages", "StoreHTTP", "HTTPSurface", "ConnectAnswers", "AppStoreWire",
                "SubscriptionRules", "Timeline", "TimeAndChance", "Store", "Journal", "Letters",
                "StoreKitFile",
                .hummingbird, .httpTypes,
            ], path: "Sources/Pages/Console", swiftSettings: strict),
        // Customers' pages of the store: what `/storefront` tells and does, for people.
        .target(
            name: "Account",
            dependencies: [
                "HTMLPages", "StoreHTTP", "HTTPSurface", "ConnectAnswers", "AppStoreWire",
                "SubscriptionRules", "TimeAndChance", "Store", .hummingbird, .httpTypes,
            ], path: "Sources/Pages/Account", swiftSettings: strict),
        // The merchant's pages: its operator's console, and its customers' shop.
        .target(
            name: "MerchantPages",
            dependencies: [
                "HTMLPages", "Merchant", "MerchantRules", "MerchantHTTP", "HTTPSurface",
                "ConnectAnswers", "AppStoreWire", "SubscriptionRules", "Timeline",
                "TimeAndChance", .hummingbird, .httpTypes,
            ], path: "Sources/Pages/MerchantPages", swiftSettings: strict),
        // Customers' mails in words: a file a language, and the two forms of each mail.
        .target(
            name: "Mails", dependencies: ["HTMLPages", "Letters", "SubscriptionRules"],
            path: "Sources/Pages/Mails", swiftSettings: strict),
        // What StoreKit is to apps, for those outside of the App Store: knows no store, but what
        // one signs and says to devices.
        .target(
            name: "PerennialKit",
            dependencies: [
                "AppStoreWire", "AppStoreSigning", .crypto,
            ], path: "Sources/Client/PerennialKit", swiftSettings: strict),
        // A store of its own for each test of a server in Swift, in the test's process.
        .target(
            name: "PerennialTesting",
            dependencies: [
                "Store", "StoreHTTP", "StorageSQLite", "StoreKitFile", "SubscriptionRules",
                "AppStoreWire", "AppStoreSigning", "ServerAPIClient", "Outbox", "OutboxHTTP",
                "TimeAndChance", .hummingbird, .logging, .serviceLifecycle,
            ], path: "Sources/Client/PerennialTesting", swiftSettings: strict),
        // An app and its developer's server in a terminal, on two devices (session 308).
        .executableTarget(
            name: "GardenApp",
            dependencies: [
                "PerennialKit", "AppStoreSigning", "AppStoreWire", .asyncHTTPClient, .nioCore,
                .nioHTTP1,
            ],
            path: "Examples/GardenApp", swiftSettings: strict),
        // The command line: the one place that picks concrete things.
        .executableTarget(
            name: "perennial",
            dependencies: [
                "Store", "StoreHTTP", "Merchant", "MerchantConfiguration", "MerchantHTTP",
                "MerchantRules", "Console", "Account", "MerchantPages", "HTMLPages",
                "ConnectAnswers", "HTTPSurface", "Outbox", "OutboxHTTP", "Mail", "Push",
                "MailSMTP", "Mails", "StoreKitFile", "SubscriptionRules", "Wording", "Timeline",
                "Journal",
                "AppStoreWire", "AppStoreSigning", "AppStoreForgery", "Storage",
                "StorageSQLite", "StoragePostgres", "TimeAndChance", "PlacedYAML",
                .argumentParser, .asyncHTTPClient, .hummingbird,
                .logging,
                .nioCore, .nioHTTP1,
                .nioPosix, .serviceLifecycle, .unixSignals,
            ], path: "Sources/Programs/perennial", swiftSettings: strict),
        // What every test can stand on: databases, programs, raw connections, seeded chance.
        .target(
            name: "TestFloor",
            dependencies: ["SubscriptionRules", "Storage", "StorageSQLite", "StoragePostgres"],
            path: "Tests/Support/TestFloor", swiftSettings: strict),
        // What tests of the store share: a world to play in, and what is compared of it.
        .target(
            name: "TestSupport",
            dependencies: [
                "Store", "Journal", "SubscriptionRules", "AppStoreWire",
                "AppStoreSigning",
                "Storage", "TimeAndChance", "Outbox", "TestFloor", .logging,
            ], path: "Tests/Support/TestSupport", swiftSettings: strict),
        // Somebody with a browser, in tests of pages, and what they see.
        .target(
            name: "TestPages", dependencies: [.hummingbirdTesting, .httpTypes, .nioCore],
            path: "Tests/Support/TestPages", swiftSettings: strict),
        // A second store, naive and slow, from the rules alone: imports nothing, least of all us.
        .target(name: "NaiveModel", path: "Tests/Support/NaiveModel", swiftSettings: strict),
        // Random worlds from a seed, played by the store and by the naive one, and compared.
        .target(
            name: "Simulation",
            dependencies: [
                "NaiveModel", "Store", "Journal", "SubscriptionRules", "AppStoreWire",
                "AppStoreSigning", "Storage", "Outbox", "TestFloor", "TestSupport", .logging,
            ], path: "Tests/Support/Simulation", swiftSettings: strict),
        // `make simulate`: as many worlds as one has patience for.
        .executableTarget(
            name: "simulate",
            dependencies: [
                "Simulation", "Store", "StorageSQLite", "TestFloor", "TimeAndChance",
                .argumentParser,
            ],
            path: "Sources/Programs/simulate", swiftSettings: strict),
        .testTarget(
            name: "SubscriptionRulesTests", dependencies: ["SubscriptionRules", "TestFloor"],
            swiftSettings: strict),
        .testTarget(
            name: "MerchantRulesTests", dependencies: ["MerchantRules", "SubscriptionRules"],
            swiftSettings: strict),
        // The merchant, with what a store has signed: each knows nothing of the other.
        .testTarget(
            name: "MerchantTests",
            dependencies: [
                "Merchant", "MerchantRules", "Store", "StoreHTTP", "SubscriptionRules",
                "AppStoreWire", "AppStoreSigning", "Storage", "Outbox", "Mail", "Push",
                "TimeAndChance", "TestFloor", "TestSupport", .hummingbirdTesting, .logging,
                .crypto,
            ], swiftSettings: strict),
        .testTarget(
            name: "MerchantHTTPTests",
            dependencies: [
                "MerchantHTTP", "Merchant", "Store", "SubscriptionRules", "AppStoreWire",
                "AppStoreSigning", "AppStoreForgery", "TestFloor", "TestSupport",
                .hummingbird, .hummingbirdTesting, .httpTypes, .logging, .nioCore,
            ], swiftSettings: strict),
        .testTarget(
            name: "MerchantConfigurationTests",
            dependencies: [
                "MerchantConfiguration", "Merchant", "MerchantRules", "SubscriptionRules",
                "AppStoreSigning", "AppStoreWire", "PlacedYAML", "TestFloor",
            ], swiftSettings: strict),
        .testTarget(
            name: "WordingTests", dependencies: ["Wording", "SubscriptionRules"],
            swiftSettings: strict),
        .testTarget(
            name: "AppStoreWireTests", dependencies: ["AppStoreWire"],
            resources: [.copy("Golden")], swiftSettings: strict),
        .testTarget(
            name: "AppStoreSigningTests",
            dependencies: [
                "AppStoreSigning", "AppStoreWire", "TestFloor", .crypto, .cryptoExtras, .x509,
                .swiftASN1,
            ], resources: [.copy("Golden")], swiftSettings: strict),
        .testTarget(
            name: "AppStoreForgeryTests",
            dependencies: ["AppStoreForgery", "AppStoreSigning", "AppStoreWire", "TestFloor"],
            swiftSettings: strict),
        .testTarget(
            name: "JournalTests", dependencies: ["Journal", "SubscriptionRules", "AppStoreWire"],
            swiftSettings: strict),
        .testTarget(
            name: "StorageTests",
            dependencies: ["Storage", "StorageSQLite", "StoragePostgres", "TestFloor"],
            swiftSettings: strict),
        .testTarget(
            name: "StoreKitFileTests",
            dependencies: ["StoreKitFile", "SubscriptionRules", "AppStoreWire", "TestFloor"],
            resources: [.copy("Files")], swiftSettings: strict),
        .testTarget(
            name: "StoreTests",
            dependencies: [
                "Store", "SubscriptionRules", "AppStoreWire", "AppStoreSigning", "Journal",
                "Storage", "TimeAndChance", "DueWork", "Outbox", "Letters", "Mail", "TestFloor",
                "TestSupport",
            ], swiftSettings: strict),
        .testTarget(
            name: "DueWorkTests",
            dependencies: ["DueWork", "Storage", "SubscriptionRules", "TestFloor", .logging],
            swiftSettings: strict),
        // A second program that delivers, which knows nothing of the store.
        .testTarget(
            name: "OutboxTests",
            dependencies: [
                "Outbox", "DueWork", "Storage", "SubscriptionRules", "TimeAndChance", "TestFloor",
                .logging,
            ], swiftSettings: strict),
        .testTarget(
            name: "MailTests",
            dependencies: ["Mail", "MailSMTP", "SubscriptionRules", "TestFloor"],
            resources: [.copy("Golden"), .copy("Servers")], swiftSettings: strict),
        // The client against a server of HTTP/2 that plays APNs.
        .testTarget(
            name: "PushTests",
            dependencies: [
                "Push", "AppStoreSigning", "AppStoreWire", "SubscriptionRules", "TestFloor",
                .crypto, .nioCore, .nioHTTP1, .nioHTTP2, .nioPosix, .nioSSL,
            ], resources: [.copy("Certificates")], swiftSettings: strict),
        // The library for apps: against a scripted store, and the real one, killed and moved.
        .testTarget(
            name: "PerennialKitTests",
            dependencies: [
                "PerennialKit", "AppStoreWire", "AppStoreSigning", "TestFloor", "perennial",
                "GardenApp",
            ], swiftSettings: strict),
        // A small server, tested as a user of the library tests theirs.
        .testTarget(
            name: "PerennialTestingTests",
            dependencies: [
                "PerennialTesting", "AppStoreWire", "AppStoreSigning", "ServerAPIClient",
                "SubscriptionRules",
            ], swiftSettings: strict),
        .testTarget(
            name: "OutboxHTTPTests", dependencies: ["OutboxHTTP", "Outbox", "TestFloor"],
            swiftSettings: strict),
        // The client against a served store, and against servers that fail.
        .testTarget(
            name: "ServerAPIClientTests",
            dependencies: [
                "ServerAPIClient", "StoreHTTP", "Store", "SubscriptionRules", "AppStoreWire",
                "AppStoreSigning", "TestFloor", "TestSupport", .hummingbirdTesting, .logging,
            ], swiftSettings: strict),
        .testTarget(
            name: "StoreHTTPTests",
            dependencies: [
                "StoreHTTP", "HTTPSurface", "Store", "SubscriptionRules", "AppStoreWire",
                "AppStoreSigning", "AppStoreForgery", "Storage", "StoragePostgres", "TimeAndChance",
                "Outbox",
                "Letters", "Mail", "TestFloor", "TestSupport",
                .hummingbird, .hummingbirdTesting, .httpTypes, .logging, .nioCore,
            ], swiftSettings: strict),
        // A second program on the floor, which knows nothing of the store.
        .testTarget(
            name: "HTTPSurfaceTests",
            dependencies: [
                "HTTPSurface", "AppStoreWire", "Storage", "SubscriptionRules", "TestFloor",
                .hummingbird, .hummingbirdTesting, .httpTypes, .logging, .nioCore, .nioPosix,
            ], swiftSettings: strict),
        .testTarget(
            name: "HTMLPagesTests",
            dependencies: [
                "HTMLPages", "HTTPSurface", "SubscriptionRules", "TestFloor", .hummingbird,
                .hummingbirdTesting, .httpTypes, .logging, .mustache, .nioCore,
            ], swiftSettings: strict),
        .testTarget(
            name: "MailsTests",
            dependencies: ["Mails", "Letters", "Mail", "SubscriptionRules"],
            resources: [.copy("Golden")], swiftSettings: strict),
        .testTarget(
            name: "ConsoleTests",
            dependencies: [
                "Console", "StoreHTTP", "HTTPSurface", "Store", "SubscriptionRules", "Journal",
                "Timeline", "AppStoreWire", "AppStoreSigning", "AppStoreForgery", "Storage",
                "Letters", "Mail", "Mails", "Outbox", "TestFloor", "TestPages", "TestSupport",
                .hummingbirdTesting, .httpTypes, .logging,
            ], swiftSettings: strict),
        // The merchant's pages over a merchant that a store tells of purchases.
        .testTarget(
            name: "MerchantPagesTests",
            dependencies: [
                "MerchantPages", "MerchantHTTP", "Merchant", "MerchantRules", "Store",
                "AppStoreWire", "AppStoreSigning", "Storage", "HTTPSurface", "SubscriptionRules",
                "TimeAndChance", "TestFloor", "TestPages", "TestSupport",
                .hummingbird, .hummingbirdTesting, .httpTypes, .logging,
            ], swiftSettings: strict),
        .testTarget(
            name: "AccountTests",
            dependencies: [
                "Account", "StoreHTTP", "HTTPSurface", "Store", "SubscriptionRules", "AppStoreWire",
                "AppStoreSigning", "TestFloor", "TestPages", "TestSupport", .hummingbirdTesting,
                .httpTypes, .logging,
            ], swiftSettings: strict),
        .testTarget(
            name: "TimelineTests", dependencies: ["Timeline", "Journal", "SubscriptionRules"],
            swiftSettings: strict),
        .testTarget(
            name: "PerennialTests",
            dependencies: [
                "perennial", "Store", "StoreKitFile", "SubscriptionRules", "Wording", "Timeline",
                "ConnectAnswers", "AppStoreSigning", "AppStoreForgery", "AppStoreWire", "Storage",
                "StorageSQLite", "StoragePostgres", "MerchantHTTP", "MerchantRules", "PlacedYAML",
                "TimeAndChance", "TestFloor", "TestSupport", .argumentParser, .logging,
                .nioHTTP1,
            ], swiftSettings: strict),
        // The real program, killed: what it promises must hold afterwards.
        .testTarget(
            name: "CrashTests",
            dependencies: [
                "perennial", "AppStoreSigning", "AppStoreWire", "Storage", "StorageSQLite",
                "Store", "SubscriptionRules", "TimeAndChance", "TestFloor", "TestSupport",
                .asyncHTTPClient, .nioCore, .nioHTTP1,
            ], swiftSettings: strict),
        // A fixed set of worlds, and the naive store against the rules' examples.
        .testTarget(
            name: "SimulationTests",
            dependencies: ["Simulation", "NaiveModel", "Store", "TestFloor", "TestSupport"],
            swiftSettings: strict),
        .testTarget(name: "TidyTests", swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)

// Where one machine builds once and then checks for long, what every check goes through is
// optimised: bytes and rows, and no more, for it takes the compiler five times as long. Never by
// default: SwiftPM takes no such flags of a package that somebody depends on.
if Context.environment["PERENNIAL_OPTIMIZED"] != nil {
    let hot = ["AppStoreWire", "AppStoreSigning", "Storage", "StoragePostgres", "StorageSQLite"]
    for target in package.targets where hot.contains(target.name) {
        target.swiftSettings?.append(.unsafeFlags(["-O"]))
    }
    // These tests do not need these modules. They wait for them, so that what much is built on is
    // compiled first, and the tests beside what would be compiled alone: SwiftPM compiles what is
    // ready from Z to A. That they import none of them is held by ImportTests.
    let delayedTests = [
        "AppStoreWire": ["SubscriptionRulesTests"],
        "AppStoreSigning": [
            "AppStoreWireTests", "HTMLPagesTests", "HTTPSurfaceTests", "JournalTests", "MailsTests",
            "StoreKitFileTests", "TimelineTests",
        ],
        "Account": ["StoreHTTPTests"],
        "perennial": ["AccountTests", "ConsoleTests"],
    ]
    for (awaited, tests) in delayedTests {
        for target in package.targets where tests.contains(target.name) {
            target.dependencies.append(.byName(name: awaited))
        }
    }
}
