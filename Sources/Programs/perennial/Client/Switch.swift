import ArgumentParser

/// A switch, as it is typed.
enum Switch: String, ExpressibleByArgument, CaseIterable {
    case on, off
}
