import AppStoreWire
import Crypto
import Push
import SubscriptionRules
import TestFloor
import Testing

@Suite("Pushes: provider tokens")
struct ProviderTokenTests {
    private let clock = ManualClock(Sample.moment)

    private func tokens() throws -> ProviderTokens {
        let clock = clock
        return ProviderTokens(try Sample.key(), machineTime: { clock.now })
    }

    @Test("A token says which key and which team, and since when, as a number")
    func content() throws {
        let token = try ReadToken(tokens().token())
        #expect(token.header == .object(["alg": .string("ES256"), "kid": .string("ABC123DEFG")]))
        #expect(
            token.claims
                == .object(["iss": .string("TEAM123456"), "iat": .integer(1_800_000_000)]))
    }

    @Test("A token is used for forty minutes, however often it is asked for")
    func use() throws {
        let tokens = try tokens()
        let first = tokens.token()
        for minutes in [0, 1, 20, 39] {
            clock.set(Sample.moment + .minutes(minutes))
            #expect(tokens.token() == first)
        }
        clock.set(Sample.moment + .minutes(40))
        let second = tokens.token()
        #expect(second != first)
        #expect(try ReadToken(second).issued == 1_800_002_400)
        #expect(tokens.token() == second)
    }

    @Test("Every process issues its tokens at the same moments, whenever it started")
    func processes() throws {
        var issued: Set<Int64?> = []
        for minutes in [0, 7, 25, 39] {
            clock.set(Sample.moment + .minutes(minutes))
            issued.insert(try ReadToken(tokens().token()).issued)
        }
        #expect(issued == [1_800_000_000])
    }

    @Test("In a day no token is older than an hour, nor replaced within twenty minutes")
    func day() throws {
        let tokens = try tokens()
        var last = ""
        var changes: [Int] = []
        for minute in 0..<(24 * 60) {
            let now = Sample.moment + .minutes(minute)
            clock.set(now)
            let token = tokens.token()
            if token != last { changes.append(minute) }
            last = token
            let issued = try #require(ReadToken(token).issued)
            #expect((0..<3600).contains(now.milliseconds / 1000 - issued))
        }
        #expect(zip(changes, changes.dropFirst()).allSatisfy { $1 - $0 >= 20 })
        #expect(changes.count == 36)
    }

    @Test("A token that APNs calls expired is replaced once in twenty minutes")
    func expired() throws {
        let tokens = try tokens()
        let first = tokens.token()
        clock.set(Sample.moment + .minutes(10))
        let second = try #require(tokens.token(insteadOf: first))
        #expect(second != first)
        #expect(try ReadToken(second).issued == 1_800_000_600)
        #expect(tokens.token() == second)
        // Who was refused with the first one gets the second.
        #expect(tokens.token(insteadOf: first) == second)
        clock.set(Sample.moment + .minutes(29))
        #expect(tokens.token(insteadOf: second) == nil)
        #expect(tokens.token() == second)
        clock.set(Sample.moment + .minutes(30))
        #expect(try #require(tokens.token(insteadOf: second)) != second)
    }

    @Test("A token that replaced an expired one is kept for its twenty minutes")
    func held() throws {
        let tokens = try tokens()
        let first = tokens.token()
        clock.set(Sample.moment + .minutes(39))
        let second = try #require(tokens.token(insteadOf: first))
        clock.set(Sample.moment + .minutes(58))
        #expect(tokens.token() == second)
        clock.set(Sample.moment + .minutes(59))
        #expect(try ReadToken(tokens.token()).issued == 1_800_002_400)
    }

    @Test("A clock that was put back leaves no token from the future")
    func clockPutBack() throws {
        let tokens = try tokens()
        let first = tokens.token()
        clock.set(Sample.moment - .hours(5))
        let second = tokens.token()
        #expect(second != first)
        let issued = try #require(ReadToken(second).issued)
        #expect((0..<2400).contains(clock.now.milliseconds / 1000 - issued))
    }

    @Test("A key prints as its name")
    func secrecy() throws {
        let key = try Sample.key()
        #expect("\(key)" == "APNsKey(ABC123DEFG)")
        #expect(String(reflecting: key) == "APNsKey(ABC123DEFG)")
        #expect(Mirror(reflecting: key).children.isEmpty)
    }

    @Test(
        "What is no key is refused with its reason",
        arguments: [
            ("ABC123DEF", "TEAM123456", true, APNsKeyError.keyID),
            ("abc123defg", "TEAM123456", true, .keyID), ("ABC123DEFG", "TEAM 23456", true, .teamID),
            ("ABC123DEFG", "TEAM123456", false, .privateKey),
        ])
    func wrongKey(keyID: String, teamID: String, hasKey: Bool, error: APNsKeyError) {
        let text = hasKey ? Sample.privateKey.pemRepresentation : "-----BEGIN PRIVATE KEY-----"
        #expect(throws: error) {
            try APNsKey(keyID: keyID, teamID: teamID, privateKeyPEM: text)
        }
    }
}
