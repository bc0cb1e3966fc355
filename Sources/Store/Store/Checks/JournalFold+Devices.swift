import Journal
import Storage
import SubscriptionRules

/// The queues of devices, read from the journal: each entry says the numbers of a device after it,
/// and the marks follow from what was finished and restored.
extension JournalFold {
    /// A device as the journal tells it.
    private struct Told {
        var queue: DeviceQueue
        /// The places of marked transactions, and whether each is finished.
        var marks: [Int64: (place: Int64, isFinished: Bool, isRestorable: Bool)] = [:]

        /// What was finished comes back where it can; of what the numbers have passed no mark
        /// says so.
        mutating func restore() {
            for (id, mark) in marks where mark.isRestorable && mark.isFinished {
                marks[id] = mark.place > queue.watermark ? (mark.place, false, true) : nil
            }
        }
    }

    /// Where devices and their marks differ from what the journal says. All devices are held.
    static func devices(
        _ session: any Session, _ found: (String) throws -> Void
    ) throws {
        var told: [Int64: Told] = [:]
        let kinds: [JournalEvent.Kind] = [
            .registeredDevice, .finished, .restored, .wipedDevice, .removedDevice,
        ]
        try session.forEachRow(
            """
            SELECT j.sequence, j.detail, j.kind, t.id, t.queued, t.kind
            FROM journal j LEFT JOIN store_transaction t ON t.id = j.transaction_id
            WHERE j.kind IN (\(list: kinds.map(\.rawValue))) ORDER BY j.sequence
            """
        ) { row in
            let kind = JournalEvent.Kind(rawValue: try row.text(2))
            for queue in try detail(row).devices {
                guard kind != .removedDevice else {
                    told[queue.device] = nil
                    continue
                }
                var device = told[queue.device] ?? Told(queue: queue)
                switch kind {
                case .finished:
                    if let id = try row.integerOrNil(3) {
                        device.marks[id] = (
                            try row.integer(4), true,
                            DeviceRecord.restorable.contains(try row.text(5))
                        )
                    }
                case .restored: device.restore()
                default: device.marks = [:]
                }
                device.queue = queue
                device.marks = device.marks.filter { queue.needsMark(at: $1.place) }
                told[queue.device] = device
            }
        }
        try compare(told, session, found)
    }

    private static func compare(
        _ told: [Int64: Told], _ session: any Session, _ found: (String) throws -> Void
    ) throws {
        var known: Set<Int64> = []
        try session.forEachRow("SELECT \(raw: DeviceRecord.columns) FROM device d") { row in
            let device = try DeviceRecord(row)
            known.insert(device.id)
            let expected = told[device.id]
            if expected?.queue != device.queue {
                try found("the queue of device \(device.id) is not what the journal says")
            }
            var marks: [Int64: Bool] = [:]
            for mark in try session.rows(
                """
                SELECT transaction_id, is_finished FROM device_mark WHERE device = \(device.id)
                """)
            { marks[try mark.integer(0)] = try mark.bool(1) }
            if marks != (expected?.marks ?? [:]).mapValues(\.isFinished) {
                try found("the marks of device \(device.id) are not what the journal says")
            }
        }
        for id in told.keys.sorted() where !known.contains(id) {
            try found("there is no row \(id) in device")
        }
    }
}
