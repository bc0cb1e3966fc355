import HTTPSurface
import HTTPTypes
import Storage
import Store

// MARK: What is said of copies of the world

extension ErrorBody {
    /// Why the world is not copied, or not put back.
    static func copy(_ error: StoreError.CopyError) -> ErrorBody {
        switch error {
        case .exists(let kind, let name):
            ErrorBody(
                .conflict, "nameTaken",
                "There is a \(kind.rawValue) \(name) already",
                remedy: "choose another name, or remove it")
        case .tooMany(let kind, let most):
            ErrorBody(
                .conflict, "tooManyCopies",
                "There are \(most) \(kind.rawValue)s, as many as there may be",
                remedy: "remove one")
        case .noRoom:
            ErrorBody(
                .insufficientStorage, "diskFull",
                "The disk is full and nothing was changed: make room for a whole copy.")
        case .notAllowed(let reason):
            ErrorBody(
                .conflict, "copyNotAllowed", "The database makes no copies: \(reason).")
        case .hasOutsideBank:
            ErrorBody(
                .conflict, "hasOutsideBank",
                "A bank outside of the store was paid in this world, which no "
                    + "rewinding takes back",
                remedy: "try it on a fork")
        case .noForks:
            ErrorBody(
                .conflict, "noForksHere",
                "This server serves no forks: ask one that `perennial serve` runs.")
        }
    }

    static func unknownSnapshot(_ name: String) -> ErrorBody {
        ErrorBody(
            .notFound, "unknownSnapshot",
            "There is no snapshot \(name)",
            remedy: "GET /connect/v1/snapshots lists those there are")
    }

    static func unknownFork(_ name: String) -> ErrorBody {
        ErrorBody(
            .notFound, "unknownFork",
            "There is no fork \(name)",
            remedy: "GET /connect/v1/forks lists those there are")
    }
}
