import FoundationEssentials
import Merchant
import PlacedYAML

extension AppReader {
    /// How an app looks; nil where nothing is said, or where something is wrong.
    mutating func look(_ members: inout Members, _ problems: inout Problems) -> AppLook? {
        guard let place = members.take("look", &problems),
            var parts = Members(place, &problems)
        else { return nil }
        var look = AppLook()
        if let place = parts.take("colour", &problems), let text = place.text(&problems) {
            look.colour = AppLook.Colour(text)
            if look.colour == nil {
                problems.add(place, "must be six hexadecimal digits: write \"#1d6b4f\".")
            }
        }
        if let place = parts.take("icon", &problems), let name = place.text(&problems) {
            let path = Paths.path(name, from: folder)
            files.append(path)
            if let data = FileManager.default.contents(atPath: path) {
                look.icon = AppLook.Icon(Array(data))
                if look.icon == nil {
                    problems.add(
                        place,
                        "names \(path), which must be PNG or SVG of at most "
                            + "\(AppLook.Icon.sizeLimit) bytes: give a smaller one.")
                }
            } else {
                problems.add(
                    place,
                    "names \(path), which cannot be read: correct the path, or who may read it.")
            }
        }
        parts.finish(&problems)
        return look
    }
}
