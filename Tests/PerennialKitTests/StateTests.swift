import AppStoreWire
import Foundation
import PerennialKit
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

@Suite("What is kept on the device")
struct StateTests {
    private let store = FakeStore()

    @Test("Only the owner can read the state, and nothing half written is left beside it")
    func permissions() async throws {
        store.sell()
        let phone = try Phone(store)
        let session = try await phone.signedIn()
        _ = await Listening(session).atLeast(1)
        let attributes = try FileManager.default.attributesOfItem(atPath: phone.stateFile)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let names = try FileManager.default.contentsOfDirectory(atPath: phone.folder.path)
        #expect(Set(names) == ["state.json", "state.json.lock"])
        await session.close()
    }

    @Test("Two sessions cannot have one state; the second may, once the first has ended")
    func lock() async throws {
        let phone = try Phone(store)
        let session = try await phone.signedIn()
        #expect { try phone.start() } throws: { "\($0)".contains("in use by another session") }
        await session.close()
        let next = try phone.start()
        #expect(next.account == "ada")
        await next.close()
    }

    @Test("A program that was being started meanwhile, and has all that is open, holds nothing")
    func startedMeanwhile() async throws {
        let phone = try Phone(store)
        let session = try await phone.signedIn()
        var (wanted, found) = (stat(), stat())
        #expect(stat(phone.stateFile + ".lock", &wanted) == 0)
        let descriptor = try #require(
            (3..<4096).first {
                fstat($0, &found) == 0 && found.st_ino == wanted.st_ino
                    && found.st_dev == wanted.st_dev
            })
        let copy = dup(descriptor)
        try #require(copy >= 0)
        await session.close()
        await (try phone.start()).close()
        close(copy)
    }

    @Test("A session that was let go of without being closed leaves the state to the next")
    func letGo() async throws {
        let phone = try Phone(store)
        do { _ = try await phone.signedIn() }
        let next = try phone.start()
        await next.close()
    }

    @Test("A draft that a crash left is in nobody's way")
    func draft() async throws {
        let phone = try Phone(store)
        try "half".write(toFile: phone.stateFile + ".new", atomically: false, encoding: .utf8)
        let session = try await phone.signedIn()
        #expect(session.account == "ada")
        await session.close()
    }

    @Test(
        "A state that is damaged is told with its place, and is not written over",
        arguments: [
            "", "{", "[]", #"{"version":2,"accounts":{}}"#,
            #"{"version":1,"account":"ada","accounts":{}}"#,
            #"{"version":1,"account":"a","accounts":{"a":{"queue":[{"number":1}]}}}"#,
            #"{"version":1,"account":"a","accounts":{"a":{"finishes":[{"id":"1"}]}}}"#,
            #"{"version":1,"account":"a","accounts":{"a":{"purchases":[{"key":"1"}]}}}"#,
        ])
    func damage(text: String) throws {
        let phone = try Phone(store)
        try text.write(toFile: phone.stateFile, atomically: false, encoding: .utf8)
        #expect { try phone.start() } throws: { error in
            guard case .systemError(let reason)? = error as? StoreKitError else { return false }
            return reason.contains(phone.stateFile) && reason.contains("cannot be read")
        }
        #expect(try String(contentsOfFile: phone.stateFile, encoding: .utf8) == text)
    }

    @Test("A folder that is not there is made, for its owner alone")
    func missingFolder() async throws {
        let phone = try Phone(store)
        let folder = phone.folder.path + "/none/of/these"
        let session = try phone.start { $0.stateFile = folder + "/state.json" }
        let attributes = try FileManager.default.attributesOfItem(atPath: folder)
        #expect(attributes[.posixPermissions] as? Int == 0o700)
        await session.close()
        try "file".write(toFile: phone.folder.path + "/file", atomically: false, encoding: .utf8)
        #expect {
            try phone.start { $0.stateFile = phone.folder.path + "/file/state.json" }
        } throws: { error in
            if case .systemError? = error as? StoreKitError { true } else { false }
        }
    }

    @Test("What cannot be written is not told: it comes once it can be written")
    func fullDisk() async throws {
        let phone = try Phone(store)
        let session = try await phone.signedIn()
        let moved = phone.folder.path + "-away"
        try FileManager.default.moveItem(atPath: phone.folder.path, toPath: moved)
        let listening = Listening(session)
        store.sell()
        while phone.problemCount < 3 { await Task.yield() }
        #expect(listening.all.isEmpty)
        try FileManager.default.moveItem(atPath: moved, toPath: phone.folder.path)
        let update = try await listening.atLeast(1)[0].payloadValue
        try FileManager.default.moveItem(atPath: phone.folder.path, toPath: moved)
        await #expect { try await update.finish() } throws: { error in
            if case .systemError? = error as? StoreKitError { true } else { false }
        }
        #expect(store.unfinished().count == 1)
        try FileManager.default.moveItem(atPath: moved, toPath: phone.folder.path)
        try await update.finish()
        #expect(store.unfinished().isEmpty)
        await session.close()
    }

    @Test("Names of accounts are kept as they are, whatever is in them")
    func names() async throws {
        let phone = try Phone(store)
        let name = "ada \"quoted\" \\ \u{0} é 漢"
        let session = try await phone.signedIn(as: name)
        await session.close()
        let next = try phone.start()
        #expect(next.account == name)
        await next.close()
    }
}
