import AppStoreForgery
import HTTPSurface
import HTTPTypes

/// Why nothing is forged.
extension ErrorBody {
    static let noForgerHere = ErrorBody(
        .conflict, "noForgerHere",
        "This server has no keys to forge with: ask one that `perennial serve` runs.")

    static func nothingToForge(_ bundleID: String) -> ErrorBody {
        ErrorBody(
            .conflict, "nothingToForge",
            "Nobody has bought anything in \(bundleID) here: let somebody buy first.")
    }

    static func notForgeable(_ why: ForgeryImpossible) -> ErrorBody {
        ErrorBody(.conflict, "notForgeable", why.description, field: "kind")
    }
}
