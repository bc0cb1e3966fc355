import HTMLPages
import HTTPSurface
import Hummingbird
import Merchant
import MerchantHTTP

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// How an app's own pages look: its colour and its icon (SHP-12).
struct ShopLook: Sendable {
    private let look: AppLook
    private let path: String

    /// Nil where the app's configuration says nothing of it.
    init?(of bundleID: String, _ call: Call<MerchantSite>) {
        guard let look = call.look(of: bundleID) else { return nil }
        self.look = look
        // Another look has other addresses, so that browsers can keep what they have.
        let version = PageAssets.version(of: [
            Array(Self.sheet(look).utf8), look.icon?.bytes ?? [],
        ])
        path = "\(Shop.path)/look/\(bundleID)/\(version)"
    }

    /// What the frame of a page needs of it.
    var frame: PageFrame.Look {
        PageFrame.Look(
            sheet: look.colour.map { _ in "\(path)/\(Self.sheetName)" },
            icon: look.icon.map { _ in "\(path)/\(Self.iconName)" })
    }

    private static let sheetName = "look.css"
    private static let iconName = "icon"

    /// The file at a path; nil for none, such as one of another version.
    func response(at path: String) -> Response? {
        if path == frame.sheet {
            return .lasting(Array(Self.sheet(look).utf8), "text/css; charset=utf-8")
        }
        guard path == frame.icon, let icon = look.icon else { return nil }
        return .lasting(icon.bytes, icon.type, isForeign: true)
    }

    /// Buttons in the app's colour, with words in black or white, whichever is read better.
    private static func sheet(_ look: AppLook) -> String {
        guard let colour = look.colour else { return "" }
        return """
            :root { --accent: \(colour.css); --on-accent: \(colour.isDark ? "#fff" : "#000"); }
            .top { border-block-start-color: var(--accent); }

            """
    }
}

extension AppLook.Colour {
    fileprivate var css: String { "rgb(\(red) \(green) \(blue))" }

    /// Whether white stands out more on it than black, by the contrast of WCAG 2.2: the better one
    /// has 4.5 to 1 at least.
    fileprivate var isDark: Bool {
        func linear(_ part: UInt8) -> Double {
            let share = Double(part) / 255
            return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
        }
        let luminance = 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
        return 1.05 / (luminance + 0.05) >= (luminance + 0.05) / 0.05
    }
}

extension Shop {
    /// What the browser draws an app's pages with.
    var lookFile: Endpoint<MerchantSite> {
        endpoint(.get, "look/{bundleId}/{version}/{name}", "look") { call in
            guard let bundleID = call.parameter("bundleId"),
                let look = ShopLook(of: bundleID, call),
                let response = look.response(at: call.request.uri.path)
            else { throw ErrorBody.unknownPage }
            return response
        }
    }
}
