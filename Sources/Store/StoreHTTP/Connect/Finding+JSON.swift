import AppStoreWire
import StoreKitFile

extension JSONWriter {
    /// Writes what was found in a catalogue.
    mutating func findings(_ key: StaticString, _ findings: [Finding]) {
        array(key) { json in
            for finding in findings {
                json.elementObject { json in
                    json.field("path", finding.path)
                    json.field("message", finding.problem)
                    json.field("remedy", finding.remedy)
                }
            }
        }
    }
}
