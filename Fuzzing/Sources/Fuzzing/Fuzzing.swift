import Dispatch
import Foundation

/// One parser that is fed.
protocol Prey: Sendable {
    /// Feeds it; what it must never do is a precondition, and whatever it refuses is fine.
    func eat(_ bytes: [UInt8]) async
}

/// Which parser this process feeds: libFuzzer has its own main function, so the environment says.
private let prey: any Prey = {
    do {
        switch ProcessInfo.processInfo.environment["PERENNIAL_FUZZ"] {
        case "receipt": return try ReceiptPrey()
        case "jws": return try JWSPrey()
        case "json": return JSONPrey()
        case let other:
            fatalError("PERENNIAL_FUZZ is receipt, jws or json, not \(other ?? "absent")")
        }
    } catch { fatalError("\(error)") }
}()

/// What libFuzzer calls with each input that it makes up.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let done = DispatchSemaphore(value: 0)
    let prey = prey
    Task.detached {
        await prey.eat(bytes)
        done.signal()
    }
    done.wait()
    return 0
}

/// Files that are there beforehand, such as what is genuine and must be taken.
enum Seeds {
    /// The root of the project, unless the process runs elsewhere.
    static let root = ProcessInfo.processInfo.environment["PERENNIAL_ROOT"] ?? ".."

    static func bytes(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: "\(root)/\(path)")))
    }
}
