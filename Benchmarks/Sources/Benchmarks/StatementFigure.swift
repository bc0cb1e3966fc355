import Foundation

/// How many statements a renewal takes: four that run, for its four rows, and hardly any that is
/// sent for itself.
struct StatementFigure: Figure {
    /// Of statements that were sent, be it for many renewals at once.
    let sent: Double
    /// Of statements that ran, each once for every row that it was sent for.
    let runs: Double

    var line: String {
        "statements of a renewal on SQLite: \(text(runs)) run, \(text(sent)) sent"
    }

    var json: String {
        "{\"name\":\"statements of a renewal on SQLite\",\"run\":\(text(runs)),"
            + "\"sent\":\(text(sent))}"
    }

    private func text(_ number: Double) -> String { String(format: "%.3f", number) }
}
