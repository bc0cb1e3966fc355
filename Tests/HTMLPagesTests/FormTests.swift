import HTTPSurface
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import SubscriptionRules
import Synchronization
import TestFloor
import Testing

@testable import HTMLPages

@Suite("Forms that were sent")
struct FormTests {
    private struct Broken: Error {}

    /// A server that says what it read of a form.
    private static func send(
        _ body: String, type: String? = "application/x-www-form-urlencoded"
    ) async throws -> (status: Int, text: String) {
        let endpoint = Endpoint<Int>(
            .post, "/form", "form",
            on: Surface(
                "forms", "Forms.", root: nil, errors: CodedErrors(program: "reader")),
            description: OperationDescription(
                .tools, "Read a form", success: .ok("It.", .text("It.")))
        ) { call in
            let form = try await FormInput(call)
            let text =
                "\(form.text("a") ?? "nil")|\(form["a"])|\(form["b"])|\(form.isTicked("a"))"
            return Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
        }
        let server = EndpointServer(
            1, name: ServerName("server", "forms"),
            table: RouteTable([endpoint], at: "forms", elsewhere: endpoint.surface),
            machineTime: { Instant(milliseconds: 0) }, log: Logger(label: "test"))
        return try await server.application(port: 0).test(.router) { http in
            var fields = HTTPFields()
            fields[.contentType] = type
            let response = try await http.executeRequest(
                uri: "/form", method: .post, headers: fields, body: ByteBuffer(string: body))
            return (response.status.code, String(buffer: response.body))
        }
    }

    @Test(
        "Fields are read as a browser writes them, and spaces around them do not count",
        arguments: [
            ("a=x&b=y", "x|x|y|false"), ("a=+x+y+", "x y| x y ||false"),
            ("a=+++", "nil|   ||false"),
            ("a=", "nil|||false"), ("", "nil|||false"), ("b=1", "nil||1|false"),
            ("a=true", "true|true||true"), ("a=TRUE", "TRUE|TRUE||false"),
            ("a=%3Cb%3E%26", "<b>&|<b>&||false"), ("a=%C3%A4%0D%0A", "ä|ä\r\n||false"),
        ])
    func fields(body: String, text: String) async throws {
        let answer = try await Self.send(body)
        #expect(answer.status == 200)
        #expect(answer.text == text)
    }

    @Test(
        "What no form of ours sends is refused",
        arguments: [
            ("a=1&a=2", "application/x-www-form-urlencoded", 400),
            ("a=1&%61=2", "application/x-www-form-urlencoded", 400),
            (#"{"a":1}"#, "application/json", 415), ("a=1", "text/plain", 415),
            ("a=1", "multipart/form-data; boundary=x", 415), ("a=1", nil, 415),
        ] as [(String, String?, Int)])
    func refused(body: String, type: String?, status: Int) async throws {
        #expect(try await Self.send(body, type: type).status == status)
    }

    @Test("A form may be long, but not longer than any of ours")
    func length() async throws {
        let most = String(repeating: "x", count: 64 * 1024 - 2)
        #expect(try await Self.send("a=\(most)").status == 200)
        #expect(try await Self.send("a=\(most)x").status == 413)
        #expect(
            try await Self.send(
                "a=1", type: "application/x-www-form-urlencoded;charset=UTF-8"
            ).status == 200)
    }

    @Test("A form that is sent twice at once is carried out once, and both see what came of it")
    func twice() async throws {
        let forms = FormsTaken()
        let gate = Gate()
        let began = Gate()
        let count = Count()
        let sent = (0..<2).map { _ in
            Task {
                try await forms.once("form-1") {
                    let number = count.next()
                    began.open()
                    await gate.wait()
                    return "/done/\(number)"
                }
            }
        }
        await began.wait()
        gate.open()
        for one in sent { #expect(try await one.value == "/done/1") }
        #expect(try await forms.once("form-1") { "/again" } == "/done/1")
        #expect(try await forms.once("form-2") { "/other" } == "/other")
        #expect(count.value == 1)
    }

    @Test("A form that failed can be sent again")
    func failed() async throws {
        let forms = FormsTaken()
        for _ in 1...2 {
            await #expect(throws: Broken.self) {
                try await forms.once("form-1") { throw Broken() }
            }
        }
        #expect(try await forms.once("form-1") { "/done" } == "/done")
        #expect(try await forms.once("form-1") { "/again" } == "/done")
    }

    @Test("A form that failed twice at once is carried out once when it is sent again")
    func failedTwice() async throws {
        let forms = FormsTaken()
        let gate = Gate()
        let began = Gate()
        let tries = (0..<8).map { _ in
            Task {
                try await forms.once("form-1") {
                    began.open()
                    await gate.wait()
                    throw Broken()
                }
            }
        }
        await began.wait()
        gate.open()
        let count = Count()
        // Sent again as soon as one of them has heard of the failure, before the others have.
        for one in tries {
            _ = try? await one.value
            let path = try? await forms.once("form-1") {
                _ = count.next()
                return "/done"
            }
            #expect(path == nil || path == "/done")
        }
        #expect(count.value == 1)
    }

    @Test("A form without an identifier can be sent at will, and the oldest are forgotten")
    func forgotten() async throws {
        let forms = FormsTaken(most: 2)
        #expect(try await forms.once(nil) { "/1" } == "/1")
        #expect(try await forms.once(nil) { "/2" } == "/2")
        for id in ["a", "b", "c"] { #expect(try await forms.once(id) { "/\(id)" } == "/\(id)") }
        #expect(try await forms.once("c") { "/new" } == "/c")
        #expect(try await forms.once("b") { "/new" } == "/b")
        #expect(try await forms.once("a") { "/new" } == "/new")
    }
}

private final class Count: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }

    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}
