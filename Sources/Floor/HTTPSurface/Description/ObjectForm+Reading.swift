package import AppStoreWire

/// An answer lacks a member that its form has, or has no such value there.
package struct UnreadableMember: Error, Sendable {
    package let name: String
}

extension ObjectForm {
    /// How each member is set that can be.
    package var settings: [MemberSetting] { members.compactMap(\.setting) }

    /// What a request may say that changes some members.
    package func changes(_ about: String) -> Schema {
        .object(about, settings.map { .optional($0.name, $0.schema) })
    }

    /// What a request says that makes such an object.
    ///
    /// - Parameter others: what it says besides.
    package func order(_ about: String, and others: [Schema.Member] = []) -> Schema {
        let own: [Schema.Member] = settings.map {
            $0.isRequired ? .required($0.name, $0.schema) : .optional($0.name, $0.schema)
        }
        return .object(about, own + others)
    }

    /// Reads what a request changes; what it does not name stays.
    ///
    /// - Throws: an `ErrorBody` of 400 that names the member and says what would be right.
    package func change(by input: Input) throws(ErrorBody) -> Change {
        var changes: [Change] = []
        for member in members {
            guard let setting = member.setting, let json = input.value(setting.name) else {
                continue
            }
            try setting.schema.check(json, field: setting.name)
            guard let change = member.read?(json) else {
                throw ErrorBody.invalidMember(setting.name, setting.schema)
            }
            changes.append(change)
        }
        return { [changes] value in
            for change in changes { change(&value) }
        }
    }

    /// Reads an answer: every member that can be read.
    ///
    /// - Parameter blank: what holds the members that were read, and whatever else it has.
    package func read(
        _ json: JSONValue, into blank: Value
    ) throws(UnreadableMember) -> Value {
        var value = blank
        for member in members {
            guard let read = member.read else { continue }
            let name = member.schema.name
            guard let change = read(json[name]) else { throw UnreadableMember(name: name) }
            change(&value)
        }
        return value
    }

    /// What each member that can be set is set to, as people read it, by the name of its option.
    package func lines(of value: Value) -> [(option: String, words: String)] {
        members.compactMap { member in
            member.setting.map { setting in
                (option: setting.option, words: setting.phrase(for: member.json?(value)))
            }
        }
    }

    /// The members, for an object that has this one's values among its own.
    package func lifted<Outer: Sendable>(
        to path: any WritableKeyPath<Outer, Value> & Sendable
    ) -> [ObjectForm<Outer>.Member] {
        members.map { $0.lifted(to: path) }
    }
}

extension ObjectForm.Member {
    package var name: String { schema.name }

    /// What is set, as a request would say it.
    package func text(of value: Value) -> String { setting?.text(of: json?(value)) ?? "" }

    fileprivate func lifted<Outer: Sendable>(
        to path: any WritableKeyPath<Outer, Value> & Sendable
    ) -> ObjectForm<Outer>.Member {
        let own = self
        var member = ObjectForm<Outer>.Member(
            schema: schema, write: { outer, json in own.write(outer[keyPath: path], &json) })
        member.setting = setting
        if let json = own.json { member.json = { outer in json(outer[keyPath: path]) } }
        if let read = own.read {
            member.read = { json in
                guard let change = read(json) else { return nil }
                return { outer in
                    change(&outer[keyPath: path as WritableKeyPath<Outer, Value>])
                }
            }
        }
        return member
    }

    /// An object.
    package static func part<Part: Sendable>(
        _ name: String, _ path: any WritableKeyPath<Value, Part> & Sendable,
        of form: ObjectForm<Part>, blank: Part
    ) -> Self {
        var member = Self(
            schema: .required(name, form.schema),
            write: { value, json in
                json.object(named: name) { form.write(value[keyPath: path], to: &$0) }
            })
        member.read = { json in
            guard let part = json.flatMap({ try? form.read($0, into: blank) }) else { return nil }
            return { value in value[keyPath: path as WritableKeyPath<Value, Part>] = part }
        }
        return member
    }

    /// An object that may be absent.
    package static func optionalPart<Part: Sendable>(
        _ name: String, _ path: any WritableKeyPath<Value, Part?> & Sendable,
        of form: ObjectForm<Part>, blank: Part
    ) -> Self {
        var member = Self(
            schema: .optional(name, form.schema),
            write: { value, json in
                guard let part = value[keyPath: path] else { return }
                json.object(named: name) { form.write(part, to: &$0) }
            })
        member.read = { json in
            var part: Part?
            if let json {
                part = try? form.read(json, into: blank)
                guard part != nil else { return nil }
            }
            return { [part] value in
                value[keyPath: path as WritableKeyPath<Value, Part?>] = part
            }
        }
        return member
    }
}

extension ObjectForm {
    /// The objects of a list; nil where one of them is none.
    fileprivate func elements(of json: JSONValue, _ blank: Value) -> [Value]? {
        guard let elements = json.array else { return nil }
        let values = elements.compactMap { try? read($0, into: blank) }
        return values.count == elements.count ? values : nil
    }
}

extension ObjectForm.Member {
    /// A list of objects that may be absent.
    package static func optionalParts<Part: Sendable>(
        _ name: String, _ about: String, _ path: any WritableKeyPath<Value, [Part]?> & Sendable,
        of form: ObjectForm<Part>, blank: Part
    ) -> Self {
        var member = Self(
            schema: .optional(name, .list(about, of: form.schema)),
            write: { value, json in
                guard let parts = value[keyPath: path] else { return }
                json.array(named: name) { form.writeElements(parts, to: &$0) }
            })
        member.read = { json in
            let parts = json.flatMap { form.elements(of: $0, blank) }
            guard json == nil || parts != nil else { return nil }
            return { value in value[keyPath: path as WritableKeyPath<Value, [Part]?>] = parts }
        }
        return member
    }

    /// A list of objects.
    package static func parts<Part: Sendable>(
        _ name: String, _ about: String, _ path: any WritableKeyPath<Value, [Part]> & Sendable,
        of form: ObjectForm<Part>, blank: Part
    ) -> Self {
        var member = Self(
            schema: .required(name, .list(about, of: form.schema)),
            write: { value, json in
                json.array(named: name) { form.writeElements(value[keyPath: path], to: &$0) }
            })
        member.read = { json in
            guard let parts = json.flatMap({ form.elements(of: $0, blank) }) else { return nil }
            return { value in value[keyPath: path as WritableKeyPath<Value, [Part]>] = parts }
        }
        return member
    }

    /// A list of objects that requests set too, and may leave out.
    package static func settableParts<Part: Sendable>(
        _ name: String, _ about: String, _ path: any WritableKeyPath<Value, [Part]> & Sendable,
        of form: ObjectForm<Part>, blank: Part
    ) -> Self {
        var member = parts(name, about, path, of: form, blank: blank)
        member.setting = MemberSetting(
            name: name, option: MemberSetting.option(of: name),
            schema: .list(about, of: form.order(form.about)), isRequired: false, about: about,
            words: [], none: nil, meaning: "", typed: nil, unit: nil, note: nil)
        return member
    }
}
