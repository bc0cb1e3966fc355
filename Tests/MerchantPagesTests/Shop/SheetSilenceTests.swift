import AppStoreWire
import Testing

@testable import MerchantPages

@Suite("Shop: what silence about a price leads to")
struct SheetSilenceTests {
    private func sheet(_ silence: String?, buttons: [String]) throws -> OpenSheet {
        var json = JSONWriter()
        json.object { json in
            json.field("id", 1 as Int64)
            json.field("originalTransactionId", "1")
            json.field("occasion", "consent")
            json.field("oldPrice", 9_990 as Int64)
            json.field("newPrice", 19_990 as Int64)
            json.field("currency", "USD")
            json.field("renewal", "2026-02-15T00:00:00Z")
            json.field("withoutAnswer", silence)
            json.field("buttons", buttons)
        }
        return try #require(OpenSheet(try JSONValue(parsing: json.bytes)))
    }

    @Test("A sheet says whether the new price comes, the old one stays, or the subscription ends")
    func english() throws {
        let words = EnglishShop()
        let told = try sheet("newPrice", buttons: ["acknowledged"])
        #expect(told.silence(words, on: "15 February") == [words.noAnswerNeeded])
        let asked = try sheet("oldPrice", buttons: ["agree", "decline"])
        #expect(
            asked.silence(words, on: "15 February").last
                == "If you do not answer, your price stays as it is.")
        let ending = try sheet("ends", buttons: ["agree", "decline"])
        #expect(
            ending.silence(words, on: "15 February").last
                == "Without your agreement your subscription ends on 15 February.")
    }

    @Test("A merchant that does not say it yet is understood by what it offers")
    func unsaid() throws {
        let words = EnglishShop()
        let told = try sheet(nil, buttons: ["acknowledged"])
        #expect(told.silence(words, on: "15 February") == [words.noAnswerNeeded])
        let asked = try sheet(nil, buttons: ["agree", "decline"])
        #expect(asked.silence(words, on: "15 February") == [words.withoutAnswer])
    }

    @Test("Every language says each in words of its own", arguments: ShopLanguages.all.indices)
    func languages(place: Int) throws {
        let words = ShopLanguages.all[place]
        var said: Set<[String]> = []
        for silence in ["newPrice", "oldPrice", "ends"] {
            let one = try sheet(silence, buttons: ["agree", "decline"])
            let sentences = one.silence(words, on: "DAY")
            #expect(sentences.allSatisfy { !$0.isEmpty })
            #expect(sentences.joined().contains("DAY") == (silence == "ends"), "\(silence)")
            #expect(said.insert(sentences).inserted, "\(silence)")
        }
    }
}
