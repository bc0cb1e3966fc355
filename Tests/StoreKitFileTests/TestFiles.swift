import Foundation
import StoreKitFile
import Testing

/// Where test files are, and how tests read them.
enum TestFiles {
    /// The path of one of our own files, such as `versions/4.0.storekit`.
    static func path(_ name: String) throws -> String {
        let folder = try #require(Bundle.module.resourceURL)
        return folder.appending(path: "Files/\(name)").path
    }

    /// The names of our own files in a folder, without the extension, sorted.
    static func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path(folder))
            .filter { $0.hasSuffix(".storekit") }.map { String($0.dropLast(9)) }.sorted()
    }

    /// The root of the package.
    static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The path of the example catalogue.
    static let example = root.appending(path: "Examples/Garden.storekit").path

    /// The bytes of one of our own files.
    static func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: path(name))))
    }

    /// Reads one of our own files.
    static func read(_ name: String) throws -> StoreKitFile {
        try StoreKitFile.read(path: path(name))
    }

    /// The error with which one of our own files is refused.
    static func refusal(_ name: String) throws -> StoreKitFileError {
        let path = try path(name)
        return try #require(throws: StoreKitFileError.self) {
            try StoreKitFile.read(path: path)
        }
    }
}

extension StoreKitFile {
    /// The paths of all warnings.
    var warnedPaths: [String] { warnings.map(\.path) }
}

/// Where our small files have their subscription and its introductory offer.
let first = "$.subscriptionGroups[0].subscriptions[0]"
let introductory = first + ".introductoryOffer"
