import NaiveModel

/// What is done with offer codes.
enum CodeDeed: Hashable, Sendable {
    case make(CodeBatch)
    /// Of batches the number counts, round and round when there are not so many.
    case end(Int)
    /// A code of that batch, or something that is none.
    case redeem(Account.Name, batch: Int?, place: Int, isTyped: Bool, token: String?)

    /// Does it to the naive store.
    func apply(to store: inout NaiveStore) -> Outcome {
        switch self {
        case .make(let batch): return store.makeCodes(batch)
        case .end(let number):
            if let batch = store.batch(number) { store.endCodes(batch) }
            return .done
        case .redeem(let name, let number, let place, let isTyped, let token):
            let code = number.flatMap(store.batch).map { Code(batch: $0, place: place) }
            return store.redeem(code, isTyped: isTyped, token: token, by: name)
        }
    }

    var actor: Account.Name? {
        if case .redeem(let name, _, _, _, _) = self { name } else { nil }
    }
}

extension CodeDeed: CustomStringConvertible {
    var description: String {
        switch self {
        case .make(let batch):
            return "\(batch.count) codes\(batch.isSandbox ? " (Sandbox)" : "") of \(batch.offer), "
                + "\(batch.product), are made" + (batch.custom.map { ": \($0)" } ?? "")
                + (batch.until.map { ", good until \(NaiveCalendar.text($0))" } ?? "")
        case .end(let batch): return "codes of batch \(batch) are ended"
        case .redeem(let name, let batch, let place, let isTyped, let token):
            let code = batch.map { "code \(place) of batch \($0)" } ?? "what is no code"
            return "\(name.line) redeems \(code)" + (isTyped ? " in the settings" : "")
                + (token.map { " as \($0)" } ?? "")
        }
    }
}

extension NaiveStore {
    /// The place of a batch of codes, counted round and round; nil when there is none.
    func batch(_ number: Int) -> Int? { batches.isEmpty ? nil : number % batches.count }
}
