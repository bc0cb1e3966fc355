// swift-tools-version: 6.2
// Apple's own library, to be timed beside ours: a package of its own, since it needs an older
// swift-crypto. APPLE_LIBRARY is where a checkout of apple/app-store-server-library-swift lies.
import PackageDescription

guard let library = Context.environment["APPLE_LIBRARY"] else {
    fatalError("APPLE_LIBRARY is not set: name a checkout of apple/app-store-server-library-swift")
}

let package = Package(
    name: "apple-library",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "AppStoreServerLibrary", path: library)],
    targets: [
        .executableTarget(
            name: "AppleLibrary",
            dependencies: [
                .product(name: "AppStoreServerLibrary", package: "AppStoreServerLibrary")
            ])
    ],
    swiftLanguageModes: [.v6]
)
