import HTTPTypes
import Merchant
import TestFloor
import TestPages
import TestSupport
import Testing

@Suite("Shop: how it looks")
struct ShopLookTests {
    private static let picture = #"<svg xmlns="http://www.w3.org/2000/svg"><circle r="4"/></svg>"#

    private static func world(_ colour: String?, icon: String? = picture) async throws
        -> ShopWorld
    {
        try await ShopWorld { setup in
            setup.look = AppLook(
                colour: colour.flatMap(AppLook.Colour.init),
                icon: icon.flatMap { AppLook.Icon(Array($0.utf8)) })
        }
    }

    /// What stands between two texts, the first time.
    private static func part(_ text: String, after start: String, before end: String) -> String? {
        guard let from = text.firstRange(of: start)?.upperBound,
            let to = text[from...].firstRange(of: end)?.lowerBound
        else { return nil }
        return String(text[from..<to])
    }

    @Test("Each page of an app's shop has its colour and its icon")
    func pages() async throws {
        try await Self.world("#1d6b4f").signedIn { shopper in
            for path in ["/shop", "/shop/content", "/shop/help", "/shop/plan"] {
                let text = try await shopper.get(path).text
                let links = text.split(separator: "<link rel=\"stylesheet\"").dropFirst()
                #expect(links.count == 2, "\(path)")
                // The later one counts.
                let sheet = try #require(
                    links.last.flatMap { Self.part(String($0), after: "href=\"", before: "\"") })
                let style = try await shopper.get(sheet)
                #expect(style.status == 200)
                #expect(style.fields[.contentType] == "text/css; charset=utf-8")
                #expect(style.text.contains("--accent: rgb(29 107 79); --on-accent: #fff;"))
                let icon = try #require(
                    Self.part(text, after: "<img src=\"", before: "\" alt=\"\""))
                let picture = try await shopper.get(icon)
                #expect(picture.text == Self.picture)
                #expect(picture.fields[.contentType] == "image/svg+xml")
                // Shown by itself it is a document of a stranger's.
                #expect(picture.policy.contains("sandbox"))
                #expect(picture.fields[.xContentTypeOptions] == "nosniff")
            }
        }
    }

    @Test("Of another version, another app or another name there is nothing")
    func elsewhere() async throws {
        try await Self.world("#1d6b4f").signedIn { shopper in
            let text = try await shopper.get("/shop").text
            let icon = try #require(Self.part(text, after: "<img src=\"", before: "\""))
            for (right, wrong) in [
                ("/icon", "/icons"), (World.bundleID, "com.example.other"), ("/look/", "/look/x"),
            ] {
                #expect(icon.contains(right))
                let nowhere = try await shopper.get(icon.replacing(right, with: wrong))
                #expect(nowhere.status == 404)
            }
            try await Self.world("#1d6b50").signedIn { other in
                let old = try await other.get(icon)
                #expect(old.status == 404)
            }
        }
    }

    @Test("An app that says nothing, or a part, has what all have for the rest")
    func parts() async throws {
        try await ShopWorld().signedIn { shopper in
            let text = try await shopper.get("/shop").text
            #expect(!text.contains("/shop/look/") && !text.contains("<img"))
        }
        try await Self.world(nil).signedIn { shopper in
            let text = try await shopper.get("/shop").text
            #expect(text.contains("<img") && !text.contains("look.css"))
        }
        try await Self.world("#ffcc00", icon: nil).signedIn { shopper in
            let text = try await shopper.get("/shop").text
            #expect(!text.contains("<img") && text.contains("look.css"))
        }
    }

    @Test(
        "Words on the colour are black or white, whichever is read better",
        arguments: [
            ("#000000", "#fff"), ("#ffffff", "#000"), ("ffcc00", "#000"), ("#0B5C8C", "#fff"),
            ("#777777", "#000"), ("#757575", "#fff"), ("#ff0000", "#000"), ("#d00000", "#fff"),
        ])
    func words(colour: String, on: String) async throws {
        try await Self.world(colour, icon: nil).signedIn { shopper in
            let text = try await shopper.get("/shop").text
            let sheet = try #require(Self.part(text, after: "/shop/look/", before: "\""))
            let style = try await shopper.get("/shop/look/" + sheet).text
            #expect(style.contains("--on-accent: \(on);"), "\(style)")
        }
    }

    @Test("A colour has six digits, and an icon is a small PNG or SVG")
    func rules() {
        for text in ["", "#", "#12345", "#1234567", "##123456", "red", "#12345g", "#１２３４５６"] {
            #expect(AppLook.Colour(text) == nil, "\(text)")
        }
        #expect(AppLook.Colour("a0B1c2") == AppLook.Colour("#A0b1C2"))
        let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        #expect(AppLook.Icon(png + [0])?.type == "image/png")
        #expect(AppLook.Icon(Array("<html>".utf8)) == nil)
        #expect(AppLook.Icon([]) == nil)
        let room = [UInt8](repeating: 0, count: AppLook.Icon.sizeLimit - png.count)
        #expect(AppLook.Icon(png + room) != nil)
        #expect(AppLook.Icon(png + room + [0]) == nil)
    }
}
