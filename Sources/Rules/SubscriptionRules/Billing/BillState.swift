/// How far a bill has come.
public enum BillState: String, Hashable, Sendable, CaseIterable {
    /// It was written down and handed to the bank; whether the bank knows of it is not certain.
    /// Only in this state may it be sent again.
    case sent
    /// The bank has it and has not decided.
    case pending
    case paid
    case declined
    /// It was given up before it was paid.
    case void
    /// It was paid, and the bank took the money back.
    case reversed

    /// Whether the bank has still to decide.
    public var isOutstanding: Bool { self == .sent || self == .pending }
}

/// What a bank says of a bill.
public enum BankAnswer: String, Hashable, Sendable, CaseIterable {
    case pending
    case paid
    case declined
    case voided
    /// The money was taken back after all: a dispute, or a debit that failed late.
    case reversed
    /// What was taken back is there again: the dispute was won.
    case restored
}

/// What an answer does to a bill.
public enum BillOutcome: Hashable, Sendable {
    /// The bill moves on, and what it was for happens or does not.
    case moves(to: BillState)
    /// It is known already, or older than what is known: nothing changes.
    case nothing
    /// Money came for a bill that was closed before: it goes back in full, and somebody should
    /// look at it.
    case giveBack
    /// It cannot be: nothing changes, and somebody should look at it.
    case report
}

extension BillState {
    /// What an answer does (BIL-4). Answers come twice, late and out of order; a bill goes forward
    /// only: sent, pending, declined or void, paid, reversed, and from there back to paid.
    public func outcome(of answer: BankAnswer) -> BillOutcome {
        switch (self, answer) {
        case (.sent, .pending): .moves(to: .pending)
        case (.sent, .paid), (.pending, .paid): .moves(to: .paid)
        case (.sent, .declined), (.pending, .declined): .moves(to: .declined)
        case (.sent, .voided), (.pending, .voided): .moves(to: .void)
        case (.paid, .reversed): .moves(to: .reversed)
        case (.reversed, .restored): .moves(to: .paid)

        case (.pending, .pending), (.paid, .paid), (.declined, .declined), (.void, .voided),
            (.reversed, .reversed), (.paid, .restored):
            .nothing
        // Older than what is known.
        case (.paid, .pending), (.declined, .pending), (.void, .pending), (.reversed, .pending),
            (.reversed, .paid), (.declined, .voided), (.void, .declined):
            .nothing
        case (.declined, .paid), (.void, .paid): .giveBack
        case (.paid, .declined), (.paid, .voided), (.reversed, .declined), (.reversed, .voided),
            (.sent, .reversed), (.sent, .restored), (.pending, .reversed), (.pending, .restored),
            (.declined, .reversed), (.declined, .restored), (.void, .reversed),
            (.void, .restored):
            .report
        }
    }
}
