import SubscriptionRules
import Testing

@Suite("What a bank's answer does to a bill")
struct BillStateTests {
    /// Every answer in every state, in the order pending, paid, declined, voided, reversed,
    /// restored.
    static let table: [(BillState, [BillOutcome])] = [
        (
            .sent,
            [
                .moves(to: .pending), .moves(to: .paid), .moves(to: .declined),
                .moves(to: .void), .report, .report,
            ]
        ),
        (
            .pending,
            [
                .nothing, .moves(to: .paid), .moves(to: .declined), .moves(to: .void), .report,
                .report,
            ]
        ),
        (
            .paid,
            [.nothing, .nothing, .report, .report, .moves(to: .reversed), .nothing]
        ),
        (.declined, [.nothing, .giveBack, .nothing, .nothing, .report, .report]),
        (.void, [.nothing, .giveBack, .nothing, .nothing, .report, .report]),
        (
            .reversed,
            [.nothing, .nothing, .report, .report, .nothing, .moves(to: .paid)]
        ),
    ]

    @Test("Every answer in every state does what the table says", arguments: table)
    func outcomes(_ state: BillState, _ expected: [BillOutcome]) {
        #expect(BankAnswer.allCases.map(state.outcome) == expected)
    }

    @Test("The table has every state")
    func isComplete() { #expect(Self.table.map(\.0) == BillState.allCases) }

    @Test("An answer that comes twice changes something once", arguments: BankAnswer.allCases)
    func twice(_ answer: BankAnswer) {
        for state in BillState.allCases {
            guard case .moves(let after) = state.outcome(of: answer) else { continue }
            #expect(after.outcome(of: answer) == .nothing, "\(answer) in \(state)")
        }
    }

    @Test("Whatever order a payment and its reversal's end come in, one payment is kept at most")
    func anyOrder() {
        let answers = BankAnswer.allCases
        for first in answers {
            for second in answers {
                for third in answers {
                    var state = BillState.sent
                    var (paid, closed) = (0, false)
                    for answer in [first, second, third] {
                        guard case .moves(let after) = state.outcome(of: answer) else { continue }
                        #expect(!closed, "\(first) \(second) \(third) reopened a closed bill")
                        if after == .paid { paid += 1 }
                        if after == .reversed { paid -= 1 }
                        closed = after == .declined || after == .void
                        state = after
                    }
                    #expect((0...1).contains(paid), "\(first) \(second) \(third)")
                    #expect((paid == 1) == (state == .paid), "\(first) \(second) \(third)")
                }
            }
        }
    }
}
