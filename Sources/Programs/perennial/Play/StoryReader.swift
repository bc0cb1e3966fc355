import ArgumentParser
import FoundationEssentials
import PlacedYAML
import SubscriptionRules

/// Reads a story's file.
struct StoryReader {
    private var problems = Problems()
    private let file: String

    private init(_ file: String) { self.file = file }

    /// A story, with everything checked that needs no store.
    ///
    /// - Throws: everything that is wrong with it.
    static func read(file path: String) throws(ConfigurationErrors) -> Story {
        var problems = Problems()
        let text = YAMLText.text(at: path, "a story", &problems)
        try problems.check()
        return try read(text ?? "", named: path)
    }

    /// A story of a text.
    ///
    /// - Parameter name: what problems call the file; the catalogue is looked for beside it.
    static func read(
        _ text: String, named name: String
    ) throws(ConfigurationErrors) -> Story {
        var reader = StoryReader(name)
        let root = YAMLText.root(
            of: text, named: name, ifEmpty: "say what the story shows, `story: …`",
            &reader.problems)
        var story = Story(file: name, title: "")
        if let root { reader.read(root, into: &story) }
        try reader.problems.check()
        return story
    }

    private mutating func read(_ root: Place, into story: inout Story) {
        guard var members = Members(root, &problems) else { return }
        var values: [String: StoryValue] = [:]
        var places: [String: Place] = [:]
        for member in StoryForm.head {
            guard let place = take(member, from: &members) else { continue }
            places[member.name] = place
            values[member.name] = value(of: member, at: place)
        }
        story.title = values["story"]?.text ?? ""
        story.hasExample = values["example"] == .truth(true)
        story.hasMerchant = values["merchant"] == .truth(true)
        story.isInSandbox = values["sandbox"] == .truth(true)
        readWorld(values, places, root, into: &story)
        let steps = members.need("steps", "write what happens, each as `- buy: …`", &problems)
        for place in steps?.elements(&problems) ?? [] {
            if let step = step(place, of: story) { story.steps.append(step) }
        }
        members.finish(&problems)
    }

    private mutating func readWorld(
        _ values: [String: StoryValue], _ places: [String: Place], _ root: Place,
        into story: inout Story
    ) {
        if let place = places["catalogue"], let path = values["catalogue"]?.text {
            let found = Paths.path(path, from: Paths.folder(of: file))
            story.catalogue = found
            if !FileManager.default.fileExists(atPath: found) {
                problems.add(place, "names \(found), which is not there: correct the path.")
            }
        } else if places["catalogue"] == nil, !story.hasExample {
            problems.add(
                root, "lacks `catalogue`: name a .storekit file, or write `example: true`.")
        }
        if let place = places["start"], story.hasExample {
            problems.add(place, "goes with no example, which lets a year go by until today.")
        }
        if let place = places["start"], let text = values["start"]?.text,
            let start = Instant(plainText: text), start < .earliest || start >= .latest
        {
            problems.add(place, "must lie in the years 2000 to 2099.")
        }
        story.start = story.hasExample ? nil : values["start"]?.text ?? StoryForm.usualStart
    }

    // MARK: Steps

    private mutating func step(_ place: Place, of story: Story) -> StoryStep? {
        guard var members = Members(place, &problems) else { return nil }
        let known = StoryForm.steps.map(\.name)
        guard let form = members.names.lazy.compactMap(StoryForm.step).first else {
            let near = members.names.lazy.map { Vocabulary.suggestion(for: $0, of: known) }
                .first { !$0.isEmpty }
            problems.add(
                place,
                "names no step: write one of \(known.joined(separator: ", "))."
                    + (near ?? ""))
            return nil
        }
        let before = problems.all.count
        var step = StoryStep(form: form, spot: Self.spot(place))
        for member in form.all {
            guard let found = take(member, from: &members) else { continue }
            step.values[member.name] = value(of: member, at: found)
            step.spots[member.name] = Self.spot(found)
        }
        members.finish(&problems)
        if story.hasMerchant == false, step.values["access"] != nil {
            problems.add(
                place, "asks for `access`, which a merchant gives: write `merchant: true` above.")
        }
        if form.name == StoryForm.expect, step.values.count == 1 {
            problems.add(place, "expects nothing: write `status: active`, or what else must be.")
        }
        guard problems.all.count == before else { return nil }
        check(step, at: place)
        return step
    }

    /// Refuses what the parser of commands refuses.
    private mutating func check(_ step: StoryStep, at place: Place) {
        guard let command = step.command() else { return }
        do {
            _ = try Perennial.parseAsRoot(command)
        } catch {
            problems.add(place, Vocabulary.named(Perennial.message(for: error)))
        }
    }

    private static func spot(_ place: Place) -> StorySpot {
        StorySpot(line: place.line ?? 1, column: place.column ?? 1)
    }

    // MARK: Members

    private mutating func take(_ member: StoryMember, from members: inout Members) -> Place? {
        member.isNeeded
            ? members.need(member.name, "write `\(member.name): …`", &problems)
            : members.take(member.name, &problems)
    }

    private mutating func value(of member: StoryMember, at place: Place) -> StoryValue? {
        switch member.kind {
        case .truth: return place.truth(&problems).map { .truth($0) }
        case .number(let range): return place.number(range, &problems).map { .text(String($0)) }
        case .accounts: return texts(of: member, at: place)
        case .notifications:
            if place.isList { return texts(of: member, at: place) }
            guard let text = place.text(&problems) else { return nil }
            guard text == "none" else {
                problems.add(place, "must be a list, `[DID_RENEW]`, or none.")
                return nil
            }
            return .texts([])
        case .text, .account, .storefront, .moment, .step, .amount, .choice:
            return text(of: member, at: place).map { .text($0) }
        }
    }

    private mutating func texts(of member: StoryMember, at place: Place) -> StoryValue? {
        guard let elements = place.elements(&problems) else { return nil }
        let texts = elements.compactMap { text(of: member, at: $0) }
        return texts.count == elements.count ? .texts(texts) : nil
    }

    private mutating func text(of member: StoryMember, at place: Place) -> String? {
        guard let text = place.text(&problems) else { return nil }
        if let complaint = member.complaint(about: text) {
            problems.add(place, complaint)
            return nil
        }
        // As the store writes them, whatever the letter case.
        guard member.kind == .notifications else { return text }
        return (try? NoticeName(text))?.text ?? text
    }
}
