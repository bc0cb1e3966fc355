import AppStoreWire
import HTTPSurface
import HTTPTypes
import Testing

@Suite("An object that is declared once")
struct ObjectFormTests {
    enum Colour: String, CaseIterable, Sendable {
        case warm = "WARM_WHITE"
        case cold = "COLD_WHITE"
    }

    struct Lamp: Sendable, Equatable {
        var name = "lamp"
        var wattCount = 60
        var offAfter: Int? = 9
        var isOn = false
        var colour = Colour.warm
        var shade: String?
    }

    struct Room: Sendable, Equatable {
        var number: Int64 = 0
        var lamp = Lamp()
        var spare: Lamp?
    }

    private typealias Setting<Value: Sendable> = TypedMember<Lamp, Value>

    private static let name = Setting<String>("name", "What it is called.", .line(1...9), \.name)
    private static let wattCount = Setting<Int>(
        "wattCount", "How bright it is.", .count(1...100), \.wattCount, unit: "watt")
    private static let offAfter = Setting<Int?>(
        "offAfter", "After how many hours it goes out.",
        MemberKind<Int>.count(1...24).or(.integer(0), typed: "0", for: "never"), \.offAfter,
        unit: "hour")
    private static let isOn = Setting<Bool>(
        "isOn", "Whether it is on.", .boolean("bright", "dark"), \.isOn, option: "light")
    private static let colour = Setting<Colour>(
        "colour", "Its colour.", .choice(typed: { $0 == .warm ? "warm" : "cold" }), \.colour)
    private static let shade = Setting<String?>(
        "shade", "The shade.",
        MemberKind<String>.line(1...9).or(.string(""), typed: "none", for: "none"), \.shade,
        note: "on top")

    private static let lamp = ObjectForm<Lamp>(
        "A lamp.",
        all: [
            name.member, wattCount.member, offAfter.member, isOn.member, colour.member,
            shade.member,
        ])

    private static let room: ObjectForm<Room> = {
        let number = TypedMember<Room, Int64>("number", "On the door.", .number(), \.number).fact
        let own: [ObjectForm<Room>.Member] = lamp.lifted(to: \Room.lamp)
        let spare = ObjectForm<Room>.Member.optionalPart(
            "spare", \Room.spare, of: lamp, blank: Lamp())
        return ObjectForm<Room>("A room.", all: [number] + own + [spare])
    }()

    private struct Shelf: Sendable {
        let counts: [String: Int64]
    }

    @Test("Numbers under names of their own are one object, in the order of the names")
    func numbers() throws {
        let form = ObjectForm<Shelf>(
            "A shelf.", .numbers("counts", "By name.", of: "How many.", \.counts))
        var json = JSONWriter()
        json.object { form.write(Shelf(counts: ["b\"": 2, "a": 1]), to: &$0) }
        #expect(String(decoding: json.bytes, as: UTF8.self) == #"{"counts":{"a":1,"b\"":2}}"#)
        let schema = Schema.map("By name.", of: .integer("How many.", 0...9))
        #expect(schema.fits(.object(["a": .integer(1)])))
        #expect(schema.fits(.object([:])))
        #expect(!schema.fits(.object(["a": .integer(10)])))
        #expect(!schema.fits(.array([])))
        var described = JSONWriter()
        schema.encode(to: &described)
        let value = try JSONValue(parsing: described.bytes)
        #expect(value["type"] == .string("object"))
        #expect(value["additionalProperties"]?["type"] == .string("integer"))
    }

    private func text(_ lamp: Lamp) -> String {
        var json = JSONWriter()
        json.object { Self.lamp.write(lamp, to: &$0) }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    // MARK: Descriptions

    @Test("An answer is described with what it leaves out, a request with what it says instead")
    func schemas() throws {
        let answer = try JSONValue(parsing: Self.lamp.schema.jsonBytes())
        let request = try JSONValue(parsing: Self.lamp.changes("What to change.").jsonBytes())
        let required = answer["required"]?.array?.compactMap(\.string)
        #expect(required == ["name", "wattCount", "isOn", "colour"])
        #expect(request["required"] == nil)
        let told = answer["properties"]?["offAfter"]
        #expect(
            told?["description"] == .string("After how many hours it goes out; absent for never."))
        #expect(told?["minimum"] == .integer(1))
        let asked = request["properties"]?["offAfter"]
        #expect(asked?["description"] == .string("After how many hours it goes out; 0 for never."))
        #expect(asked?["minimum"] == .integer(0))
        #expect(
            request["properties"]?["shade"]?["description"]
                == .string("The shade; empty for none."))
        #expect(answer["properties"]?["name"]?["maxLength"] == nil)
        #expect(request["properties"]?["name"]?["maxLength"] == .integer(9))
    }

    // MARK: Answers

    @Test("What is written is read as it was, in the order of the list")
    func answers() throws {
        let plain = Lamp()
        #expect(
            text(plain)
                == #"{"name":"lamp","wattCount":60,"offAfter":9,"isOn":false,"#
                + #""colour":"WARM_WHITE"}"#)
        var other = Lamp(name: "desk", wattCount: 7, isOn: true, colour: .cold, shade: "red")
        other.offAfter = nil
        for lamp in [plain, other] {
            let read = try Self.lamp.read(
                JSONValue(parsing: Array(text(lamp).utf8)), into: Lamp(name: "x", shade: "blue"))
            #expect(read == lamp)
        }
    }

    @Test("An object within another one is written and read with it")
    func parts() throws {
        for spare in [nil, Lamp(name: "spare")] {
            var room = Room()
            room.number = 12
            room.lamp.wattCount = 5
            room.spare = spare
            var json = JSONWriter()
            json.object { Self.room.write(room, to: &$0) }
            let value = try JSONValue(parsing: json.bytes)
            #expect(value["wattCount"] == .integer(5))
            #expect(value["spare"]?["name"]?.string == spare?.name)
            #expect(try Self.room.read(value, into: Room()) == room)
        }
    }

    @Test(
        "An answer that lacks a member, or has another kind there, is of no use",
        arguments: [
            (#"{"wattCount":60,"isOn":false,"colour":"WARM_WHITE"}"#, "name"),
            (#"{"name":"a","wattCount":"60","isOn":false,"colour":"WARM_WHITE"}"#, "wattCount"),
            (#"{"name":"a","wattCount":60,"isOn":0,"colour":"WARM_WHITE"}"#, "isOn"),
            (#"{"name":"a","wattCount":60,"isOn":true,"colour":"RED"}"#, "colour"),
            (
                #"{"name":"a","wattCount":60,"isOn":true,"colour":"WARM_WHITE","shade":7}"#,
                "shade"
            ),
        ] as [(String, String)])
    func unreadable(text: String, member: String) throws {
        let json = try JSONValue(parsing: Array(text.utf8))
        do throws(UnreadableMember) {
            _ = try Self.lamp.read(json, into: Lamp())
            Issue.record("it was read")
        } catch {
            #expect(error.name == member)
        }
    }

    // MARK: Requests

    @Test("What a request does not name stays, and what stands for none clears")
    func changes() throws {
        var lamp = Lamp(name: "desk", wattCount: 7, isOn: true, colour: .cold, shade: "red")
        let change = try Self.lamp.change(
            by: Input(members: ["offAfter": .integer(0), "shade": .string("")]))
        change(&lamp)
        #expect(
            lamp
                == Lamp(
                    name: "desk", wattCount: 7, offAfter: nil, isOn: true, colour: .cold,
                    shade: nil))
        let more = try Self.lamp.change(
            by: Input(members: ["offAfter": .number(3), "colour": .string("WARM_WHITE")]))
        more(&lamp)
        #expect(lamp.offAfter == 3)
        #expect(lamp.colour == .warm)
        #expect(lamp.isOn)
    }

    @Test(
        "What cannot be is refused by name, with what is wrong and what to do apart",
        arguments: [
            ("wattCount", JSONValue.integer(101), "Send a whole number from 1 to 100."),
            ("wattCount", .string("7"), "Send a whole number from 1 to 100."),
            ("wattCount", .null, "Send a whole number from 1 to 100."),
            ("offAfter", .integer(25), "Send a whole number from 0 to 24."),
            ("offAfter", .null, "Send a whole number from 0 to 24."),
            ("isOn", .string("bright"), "Send true or false."),
            ("colour", .string("warm"), "Send WARM_WHITE, COLD_WHITE."),
            (
                "name", .string("much too long"),
                "Send a text of 1 to 9 characters without control characters."
            ),
        ] as [(String, JSONValue, String)])
    func refusals(member: String, value: JSONValue, remedy: String) {
        do throws(ErrorBody) {
            _ = try Self.lamp.change(by: Input(members: [member: value]))
            Issue.record("it was taken")
        } catch {
            #expect(error.code == "invalidMember")
            #expect(error.field == member)
            #expect(error.parts?.problem == "`\(member)` is not valid.")
            #expect(error.parts?.remedy == remedy)
            #expect(error.message.hasPrefix("`\(member)` is not valid: send "))
        }
    }

    private struct Chain: Sendable, Equatable {
        var lamps: [Lamp] = []
    }

    @Test("A list of objects in a request is described with what else it says, read and refused")
    func settableParts() throws {
        let form = ObjectForm<Chain>(
            "A chain.",
            .settableParts("lamps", "What hangs on it.", \.lamps, of: Self.lamp, blank: Lamp()))
        let answer = try JSONValue(parsing: form.schema.jsonBytes())
        #expect(answer["required"] == .array([.string("lamps")]))
        let order = form.order("A chain.", and: [.required("length", .integer("In metres."))])
        let request = try JSONValue(parsing: order.jsonBytes())
        #expect(request["required"] == .array([.string("length")]))
        let name = request["properties"]?["lamps"]?["items"]?["properties"]?["name"]
        #expect(name?["maxLength"] == .integer(9))

        let lamp = JSONValue.object([
            "name": .string("desk"), "wattCount": .integer(7), "isOn": .bool(true),
            "colour": .string("COLD_WHITE"),
        ])
        var chain = Chain()
        try form.change(by: Input(members: ["lamps": .array([lamp])]))(&chain)
        let read = Lamp(name: "desk", wattCount: 7, offAfter: nil, isOn: true, colour: .cold)
        #expect(chain.lamps == [read])
        do throws(ErrorBody) {
            _ = try form.change(by: Input(members: ["lamps": .array([.object([:])])]))
            Issue.record("it was taken")
        } catch {
            #expect(error.field == "lamps")
        }
    }

    @Test("A refusal of one sentence has no parts")
    func onePiece() throws {
        let json = try JSONValue(
            parsing: ErrorBody(.conflict, "taken", "It is taken: no more can be said.").jsonBytes())
        #expect(json["problem"] == nil)
        #expect(json["remedy"] == nil)
    }

    // MARK: Command line and lines

    @Test("An option is named after its member, unless it is given, and says its range")
    func options() {
        #expect(
            Self.lamp.settings.map(\.option) == [
                "name", "watt-count", "off-after", "light", "colour", "shade",
            ])
        #expect(Self.wattCount.setting.help == "How bright it is. (1 to 100)")
        #expect(
            Self.offAfter.setting.help
                == "After how many hours it goes out; 0 for never. (0 to 24)")
        #expect(Self.shade.setting.help == "The shade; none for none.")
        #expect(Self.colour.setting.choices == ["warm", "cold"])
        #expect(Self.name.setting.choices.isEmpty)
    }

    @Test(
        "What is typed becomes what a request says",
        arguments: [
            ("watt-count", "7", JSONValue.integer(7)), ("off-after", "0", .integer(0)),
            ("off-after", "24", .integer(24)), ("light", "dark", .bool(false)),
            ("colour", "cold", .string("COLD_WHITE")), ("colour", "Cold", .string("COLD_WHITE")),
            ("light", "BRIGHT", .bool(true)), ("shade", "none", .string("")),
            ("shade", "red", .string("red")), ("watt-count", "0", nil), ("watt-count", "x", nil),
            ("off-after", "25", nil), ("light", "true", nil), ("colour", "COLD_WHITE", nil),
            ("name", "", nil),
        ] as [(String, String, JSONValue?)])
    func typed(option: String, text: String, json: JSONValue?) throws {
        let setting = try #require(Self.lamp.settings.first { $0.option == option })
        #expect(
            setting.change(typed: text) == json.map { MemberChange(name: setting.name, json: $0) })
    }

    @Test("What is set is shown in the words that are typed, with what it counts")
    func lines() {
        var lamp = Lamp(wattCount: 1, colour: .cold, shade: "red")
        #expect(
            Self.lamp.lines(of: lamp).map(\.words) == [
                "lamp", "1 watt", "9 hours", "dark", "cold", "red, on top",
            ])
        lamp.offAfter = nil
        lamp.shade = nil
        lamp.wattCount = 2
        #expect(
            Self.lamp.lines(of: lamp).map(\.words) == [
                "lamp", "2 watts", "0, never", "dark", "cold", "none",
            ])
        #expect(
            Self.lamp.members.map { $0.text(of: lamp) } == [
                "lamp", "2", "0", "false", "COLD_WHITE", "",
            ])
    }
}
