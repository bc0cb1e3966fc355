import AppStoreWire
import HTTPSurface
import Store

extension MemberKind where Value == String {
    /// An http or https URL. An address of IP version 6 may be answered, which no pattern has.
    static var url: Self {
        Self(
            asked: { .text($0, 1...2048, .url) }, answered: { .text($0) },
            json: { JSONValue.string($0) }, value: { $0.string }, typed: "url")
    }
}

extension MemberKind where Value == StoreEnvironment {
    /// An environment by its name on the wire.
    static var environment: Self {
        choice(of: StoreEnvironment.allCases, named: { $0.wire.rawValue })
    }
}
