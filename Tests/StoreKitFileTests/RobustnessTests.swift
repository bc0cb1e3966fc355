import Foundation
import StoreKitFile
import SubscriptionRules
import TestFloor
import Testing

@Suite("No file can crash the reader")
struct RobustnessTests {
    private static let samples = [
        "versions/1.1.storekit", "versions/4.0.storekit", "versions/6.3.storekit",
        "tolerated/monthly-billing-plan.storekit", "tolerated/group-lists-internal-ids.storekit",
        "tolerated/switched-on.storekit", "refused/many-problems.storekit",
    ]

    /// Reads bytes and checks that whatever comes of it is whole.
    private func check(_ bytes: [UInt8], _ comment: @autoclosure () -> Comment) {
        do throws(StoreKitFileError) {
            let file = try StoreKitFile.read(bytes: bytes, name: "Odd.storekit")
            let ids = file.catalogue.products.map(\.id)
            #expect(Set(ids).count == ids.count, comment())
            _ = CatalogueReport(files: [.init(name: "Odd.storekit", file)])
                .text(colours: true) { $0.flatMap(\.self) }
        } catch {
            #expect(!error.problems.isEmpty, comment())
            let lines = error.description.split(whereSeparator: \.isNewline).count
            #expect(lines == error.problems.count, comment())
        }
    }

    @Test("A file that ends early is refused, never crashed on", arguments: samples)
    func truncated(name: String) throws {
        let bytes = try TestFiles.bytes(name)
        for length in stride(from: 0, to: bytes.count, by: 50) {
            check(Array(bytes[..<length]), "\(name) cut after \(length) bytes")
        }
    }

    @Test("A file with flipped bytes is read or refused, never crashed on", arguments: samples)
    func flipped(name: String) throws {
        let bytes = try TestFiles.bytes(name)
        for seed in 0..<400 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            var changed = bytes
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                let index = Int.random(in: 0..<changed.count, using: &random)
                changed[index] = UInt8.random(in: 0...255, using: &random)
            }
            check(changed, "\(name) with seed \(seed)")
        }
    }

    @Test("A file with swapped values is read or refused, never crashed on", arguments: samples)
    func swapped(name: String) throws {
        // Flipped bytes mostly break the JSON; this keeps it whole and makes the types wrong.
        let values = [
            "null", "true", "-1", "0", "9223372036854775807", "1e300", "\"\"", "\"P9999Y\"",
            "\"0\"", "[]", "[[]]", "{}", "[{}]", "[null]", "[\"x\"]",
        ]
        let lines = String(decoding: try TestFiles.bytes(name), as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
        for seed in 0..<300 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            var changed = lines
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let index = Int.random(in: 0..<changed.count, using: &random)
                let parts = changed[index].split(separator: " : ", maxSplits: 1)
                guard parts.count == 2, !parts[1].hasSuffix("["), !parts[1].hasSuffix("{") else {
                    continue
                }
                let comma = parts[1].hasSuffix(",") ? "," : ""
                let value = values.randomElement(using: &random) ?? "null"
                changed[index] = "\(parts[0]) : \(value)\(comma)"
            }
            check(Array(changed.joined(separator: "\n").utf8), "\(name) with seed \(seed)")
        }
    }

    /// Real files from elsewhere, which are not part of the repository.
    private static let realFiles: [URL] = {
        let folder = TestFiles.root.appending(path: "../shared/catalogs").standardizedFileURL
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.sorted().filter { $0.hasSuffix(".storekit") }.map {
            folder.appending(path: $0)
        }
    }()

    @Test(
        "Each real file gives a catalogue, or an error with file, path and remedy",
        .enabled(if: !realFiles.isEmpty), arguments: realFiles)
    func realFile(url: URL) throws {
        do throws(StoreKitFileError) {
            let file = try StoreKitFile.read(path: url.path)
            #expect(file.counts.products == file.catalogue.products.count)
        } catch {
            for problem in error.problems {
                #expect(error.description.contains(url.lastPathComponent))
                #expect(problem.path.hasPrefix("$"))
                #expect(error.description.contains("\(problem.path): "))
                #expect(problem.remedy.hasSuffix("."))
            }
        }
    }

    @Test(
        "A real file that ends early is refused", .enabled(if: !realFiles.isEmpty),
        arguments: realFiles)
    func realFileCut(url: URL) throws {
        let bytes = Array(try Data(contentsOf: url))
        for length in stride(from: 0, to: bytes.count, by: 500) {
            check(Array(bytes[..<length]), "\(url.lastPathComponent) cut after \(length) bytes")
        }
    }
}
