import Mustache
import Testing

@testable import HTMLPages

@Suite("Templates")
struct TemplateTests {
    /// One tag of a template.
    private struct Tag {
        /// What it does: `#`, `^`, `/`, `>`, `%`, `{`, `&`, or nothing for a value.
        let sign: Character?
        let name: String
    }

    private static func tags(of text: String) -> [Tag] {
        text.matches(of: #/\{\{(\{)?([#^\/>%&])?\s*([^}]*)\}\}\}?/#).map { match in
            let name = match.3.filter { $0 != " " }
            return Tag(sign: match.1 != nil ? "{" : match.2?.first, name: String(name))
        }
    }

    @Test(
        "Every template begins with the content type that escapes by scalars",
        arguments:
            PageTemplates.texts.map(\.name))
    func pragma(name: String) throws {
        let text = try #require(PageTemplates.texts.first { $0.name == name }?.text)
        #expect(text.hasPrefix("{{% CONTENT_TYPE: \(EscapingByScalar.name)}}\n"))
        #expect(text.matches(of: #/\{\{%/#).count == 1)
    }

    @Test(
        "Only drawings, which this package makes, are written as they are",
        arguments:
            PageTemplates.texts.map(\.name))
    func unescaped(name: String) throws {
        let text = try #require(PageTemplates.texts.first { $0.name == name }?.text)
        let raw = Self.tags(of: text).filter { $0.sign == "{" || $0.sign == "&" }
        #expect(raw.allSatisfy { $0.sign == "{" && $0.name == ".markup.text" })
        #expect(raw.isEmpty == (name != "figure"))
    }

    @Test(
        "A template reads the block that it is of, and never what is around it",
        arguments:
            PageTemplates.texts.map(\.name))
    func dotted(name: String) throws {
        let text = try #require(PageTemplates.texts.first { $0.name == name }?.text)
        for tag in Self.tags(of: text) where tag.sign != "%" {
            let isPart = tag.sign == ">"
            let parts = ["blocks", "cell", "row", "*template"]
            #expect(isPart ? parts.contains(tag.name) : tag.name.hasPrefix("."), "\(tag.name)")
        }
    }

    @Test(
        "No value stands where markup would run it, and attributes are quoted",
        arguments:
            PageTemplates.texts.map(\.name))
    func places(name: String) throws {
        let text = try #require(PageTemplates.texts.first { $0.name == name }?.text)
        #expect(!text.contains(#/=\s*\{\{[^#^\/]/#), "an attribute without quotes")
        #expect(!text.contains(#/\son\w+\s*=|\sstyle\s*=|<style|javascript:|srcdoc/#))
        #expect(!text.contains(#/<script[^>]*>[^<]/#))
    }

    @Test("A template that names a content type which nobody registered is refused")
    func unregistered() {
        #expect(throws: (any Error).self) {
            try MustacheTemplate(string: "{{% CONTENT_TYPE: SOMEBODYS}}{{.text}}")
        }
        #expect(!PageTemplates.texts.isEmpty)
    }

    @Test("Each kind of block has a template, and each template a sample")
    func samples() {
        var used = Set(Samples.plain.all.map(\.template))
        used.formUnion(["page", "blocks", "cell", "row"])
        #expect(used == Set(PageTemplates.texts.map(\.name)))
        _ = PageTemplates.library
    }

    @Test("What a template reads is a stored property of what it shows, given by its name")
    func names() throws {
        for block in Samples.plain.all { try expectNames(of: block.template, in: block) }
        try expectNames(
            of: "page", in: PageView(Samples.plain.page, in: Samples.plain.frame))
    }

    /// Follows a template through the values of a sample.
    private func expectNames(of template: String, in value: Any) throws {
        let text = try #require(PageTemplates.texts.first { $0.name == template }?.text)
        var reader = Reader(tags: Self.tags(of: text)[...], missing: [], inner: [])
        reader.read(Self.content(value) ?? value)
        #expect(reader.missing.isEmpty, "\(template): \(Set(reader.missing).sorted())")
        for (name, value) in reader.inner { try expectNames(of: name, in: value) }
    }

    /// Walks through the tags of a template, beside a value.
    private struct Reader {
        var tags: ArraySlice<Tag>
        var missing: [String]
        /// Other templates with what they are given.
        var inner: [(String, Any)]

        /// Reads up to the end of a section.
        mutating func read(_ value: Any?) {
            while let tag = tags.popFirst() {
                switch tag.sign {
                case "/": return
                case "#", "^":
                    let found = find(tag.name, in: value)
                    let body = tags
                    for one in Self.elements(found, besides: value) {
                        tags = body
                        read(one)
                    }
                case ">" where ["cell", "row"].contains(tag.name):
                    if let value { inner.append((tag.name, value)) }
                case ">", "%": break
                default: _ = find(tag.name, in: value)
                }
            }
        }

        /// What a section is read with: the same value for a truth, else what is found.
        private static func elements(_ found: Any?, besides value: Any?) -> [Any?] {
            guard let found = found.flatMap(TemplateTests.content) else { return [nil] }
            if found is Bool { return [value] }
            if found is String { return [found] }
            let mirror = Mirror(reflecting: found)
            guard mirror.displayStyle == .collection else { return [found] }
            return mirror.children.isEmpty ? [nil] : mirror.children.map { $0.value }
        }

        private mutating func find(_ name: String, in value: Any?) -> Any? {
            guard var value, name != "." else { return value }
            for part in name.split(separator: ".") {
                let children = Mirror(reflecting: value).children
                guard let child = children.first(where: { $0.label == String(part) }) else {
                    missing.append("\(name) of \(type(of: value))")
                    return nil
                }
                let content = TemplateTests.content(child.value)
                let named = (value as? any MustacheParent)?.child(named: String(part))
                if "\(named as Any)" != "\(content as Any)" {
                    missing.append("\(name), which \(type(of: value)) does not give by name")
                }
                guard let content else { return nil }
                value = content
            }
            return value
        }
    }

    /// What an optional holds, and any other value itself.
    fileprivate static func content(_ value: Any) -> Any? {
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .optional else { return value }
        return mirror.children.first.flatMap { content($0.value) }
    }
}
