// swift-tools-version: 6.2
// A package of its own: built with `--sanitize fuzzer`, all that it stands on is instrumented.
import PackageDescription

let package = Package(
    name: "perennial-fuzzing",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "perennial", path: "..", traits: [])],
    targets: [
        .executableTarget(
            name: "Fuzzing",
            dependencies: [
                .product(name: "AppStoreSigning", package: "perennial"),
                .product(name: "AppStoreWire", package: "perennial"),
            ],
            // The main function is libFuzzer's.
            swiftSettings: [.unsafeFlags(["-parse-as-library"])])
    ],
    swiftLanguageModes: [.v6]
)
