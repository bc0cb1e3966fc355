public import AppStoreWire

/// How far a device has come with what was delivered to it, in places of transactions: each has
/// one from when it was made, ascending for each customer, which never changes.
///
/// The numbers alone hold where a device finishes in order. What it finishes out of order is
/// marked besides, one mark a transaction, until the numbers have passed it.
public struct DeviceQueue: Sendable, Hashable {
    /// The device's number.
    public var device: Int64
    /// What the device calls itself.
    public var name: String
    /// The place up to which everything is done.
    public var watermark: Int64
    /// What a restore brought back lies behind this place; up to it the device has finished it
    /// again.
    public var restoredAfter: Int64
    /// The place up to which a restore brought things back; as `restoredAfter` where none did, or
    /// all of it is done again.
    public var restoredUntil: Int64
    /// A number between what was finished before the device began its queue and what was later:
    /// what anybody had finished by then does not wait for it.
    public var began: Int64

    /// Makes the queue of a device.
    public init(
        device: Int64, name: String, watermark: Int64, restoredAfter: Int64 = 0,
        restoredUntil: Int64 = 0, began: Int64
    ) {
        self.device = device
        self.name = name
        self.watermark = watermark
        self.restoredAfter = restoredAfter
        self.restoredUntil = restoredUntil
        self.began = began
    }

    /// Whether something that a restore brought back is not done again.
    public var isRestoring: Bool { restoredAfter < restoredUntil }

    /// Whether a mark at a place still says something that the numbers do not.
    public func needsMark(at place: Int64) -> Bool {
        place > watermark || (place > restoredAfter && place <= restoredUntil)
    }
}

extension DeviceQueue: WireEncodable {
    /// Writes it as an element of the journal's list.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field(.id, device)
            json.field(.name, name)
            json.field(.watermark, watermark)
            json.field(.restoredAfter, isRestoring ? restoredAfter : nil)
            json.field(.restoredUntil, isRestoring ? restoredUntil : nil)
            json.field(.began, began)
        }
    }

    /// Reads an element of the list; nil where no device is told.
    init?(_ json: JSONValue) {
        guard let device = json[.id]?.integer, let watermark = json[.watermark]?.integer,
            let began = json[.began]?.integer
        else { return nil }
        self.init(
            device: device, name: json[.name]?.string ?? "", watermark: watermark,
            restoredAfter: json[.restoredAfter]?.integer ?? 0,
            restoredUntil: json[.restoredUntil]?.integer ?? 0, began: began)
    }
}
