import Foundation

/// How many pages of a kind were answered a second, how long they waited, and how that is beside
/// an empty route.
struct PageFigure: Figure, Sendable {
    /// One round's pages, and its empty routes a second.
    struct Round: Sendable {
        let outcome: Load.Outcome
        let empty: Double
    }

    fileprivate let name: String
    private let rate: Double
    /// How many empty routes are answered in the time of one page: each round against its own,
    /// since the machine's speed drifts.
    private let times: Double
    /// Within which half of them, and 99 of a hundred, were answered, in milliseconds.
    private let waits: (half: Double, most: Double)
    fileprivate let bytes: Int

    init(_ name: String, _ rounds: [Round]) {
        self.name = name
        rate = median(rounds.map(\.outcome.rate))
        times = median(rounds.map { $0.empty / $0.outcome.rate })
        waits = (
            median(rounds.map { $0.outcome.wait(of: 0.5) }),
            median(rounds.map { $0.outcome.wait(of: 0.99) })
        )
        bytes = rounds.map(\.outcome.longest).max() ?? 0
    }

    var line: String {
        "\(name): \(Int(rate)) a second, \(text(times)) times as long as an empty route; "
            + "half within \(text(waits.half)) ms, 99 % within \(text(waits.most)) ms; "
            + "\(bytes) bytes at most"
    }

    var json: String {
        "{\"name\":\"\(name)\",\"perSecond\":\(Int(rate)),\"emptyRoutes\":\(text(times)),"
            + "\"p50Milliseconds\":\(text(waits.half)),\"p99Milliseconds\":\(text(waits.most)),"
            + "\"bytes\":\(bytes)}"
    }
}

/// How large a page may be, its head included.
enum PageSize {
    static let most = 100_000

    /// What is wrong with a page; nil where nothing is.
    static func failure(_ name: String, _ bytes: Int) -> String? {
        bytes > most ? "\(name) has \(bytes) bytes: a page has at most \(most)." : nil
    }
}

extension PageFigure {
    var failure: String? { PageSize.failure(name, bytes) }
}

/// How long a long life is drawn and shown, beside what it may take.
struct LongLifeFigure: Figure, Sendable {
    let name: String
    /// Of its drawing alone, in milliseconds, and all its bytes.
    let drawing: Double
    let drawingBytes: Int
    /// Of its whole page, one at a time.
    let page: Load.Outcome

    /// What a page may take at most.
    private static let aim = (milliseconds: 50, bytes: PageSize.most)

    var failure: String? { PageSize.failure("the page of \(name)", page.longest) }

    var line: String {
        "\(name): drawn in \(text(drawing)) ms (at most \(Self.aim.milliseconds)), "
            + "\(drawingBytes) bytes; its page, one at a time: half within "
            + "\(text(page.wait(of: 0.5))) ms, 99 % within \(text(page.wait(of: 0.99))) ms, "
            + "\(page.longest) bytes (at most \(Self.aim.bytes))"
    }

    var json: String {
        "{\"name\":\"\(name)\",\"drawingMilliseconds\":\(text(drawing)),"
            + "\"drawingBytes\":\(drawingBytes),\"mostMilliseconds\":\(Self.aim.milliseconds),"
            + "\"p50Milliseconds\":\(text(page.wait(of: 0.5))),"
            + "\"p99Milliseconds\":\(text(page.wait(of: 0.99))),\"bytes\":\(page.longest),"
            + "\"mostBytes\":\(Self.aim.bytes)}"
    }
}

private func text(_ number: Double) -> String { String(format: "%.2f", number) }
