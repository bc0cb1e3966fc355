package import HTTPSurface

extension Answer {
    /// Reads an object by the form that wrote it. Marks that could drive a terminal are taken out.
    ///
    /// - Parameter blank: what the members are read into.
    /// - Throws: `UnusableAnswer`.
    package func read<Value>(_ form: ObjectForm<Value>, into blank: Value) throws -> Value {
        do throws(UnreadableMember) {
            return try form.read(harmless, into: blank)
        } catch {
            throw lacks(error.name)
        }
    }
}
