import SubscriptionRules
import Testing

@Suite("What few have")
struct RareTests {
    private struct Holder: Hashable {
        @Rare var value: AppliedOffer?
    }

    private func offer(_ periodsLeft: Int) -> AppliedOffer {
        AppliedOffer(
            kind: .introductory, id: "", mode: .payAsYouGo, period: CalendarPeriod(1, .month),
            wholePeriod: CalendarPeriod(3, .month), price: 990, periodsLeft: periodsLeft)
    }

    @Test("A value behind a reference is read, changed and taken away as any other")
    func changes() {
        var holder = Holder(value: nil)
        #expect(holder.value == nil)
        holder.value = offer(2)
        #expect(holder.value == offer(2))
        holder.value?.periodsLeft = 1
        #expect(holder.value == offer(1))
        holder.value = nil
        #expect(holder.value == nil)
    }

    @Test("A copy stays as it was when the original changes")
    func copies() {
        var original = Holder(value: offer(2))
        let copy = original
        original.value?.periodsLeft = 1
        #expect(copy.value == offer(2))
        #expect(original != copy)
    }

    @Test("Equal values are equal, wherever each of them is kept")
    func equality() {
        #expect(Holder(value: offer(2)) == Holder(value: offer(2)))
        #expect(Holder(value: offer(2)).hashValue == Holder(value: offer(2)).hashValue)
        #expect(Holder(value: offer(2)) != Holder(value: nil))
        #expect(Holder(value: nil) == Holder(value: nil))
    }

    @Test("A subscription carries eight bytes for each thing that few have")
    func size() {
        #expect(MemoryLayout<Rare<AppliedOffer>>.size == 8)
        #expect(MemoryLayout<Subscription>.size <= 400)
        #expect(MemoryLayout<Plan.Line>.size <= 96)
        #expect(MemoryLayout<Bill>.size <= 136)
    }
}
