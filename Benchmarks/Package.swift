// swift-tools-version: 6.2
// A package of its own, so that the product's manifest stays small and tests never build it.
import PackageDescription

let package = Package(
    name: "perennial-benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "perennial", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.2"),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.1"),
    ],
    targets: [
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                .product(name: "Account", package: "perennial"),
                .product(name: "AppStoreSigning", package: "perennial"),
                .product(name: "AppStoreWire", package: "perennial"),
                .product(name: "Console", package: "perennial"),
                .product(name: "Journal", package: "perennial"),
                .product(name: "Merchant", package: "perennial"),
                .product(name: "MerchantPages", package: "perennial"),
                .product(name: "Outbox", package: "perennial"),
                .product(name: "Storage", package: "perennial"),
                .product(name: "StoreHTTP", package: "perennial"),
                .product(name: "Store", package: "perennial"),
                .product(name: "SubscriptionRules", package: "perennial"),
                .product(name: "TestFloor", package: "perennial"),
                .product(name: "Timeline", package: "perennial"),
                .product(name: "TimeAndChance", package: "perennial"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ])
    ],
    swiftLanguageModes: [.v6]
)
