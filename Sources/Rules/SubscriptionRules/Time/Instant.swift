/// A moment: milliseconds since 1970-01-01T00:00:00Z, as Apple's signed data writes time.
public struct Instant: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public var milliseconds: Int64

    /// Makes the moment that many milliseconds after 1970-01-01T00:00:00Z.
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// Earlier moments come first.
    public static func < (left: Instant, right: Instant) -> Bool {
        left.milliseconds < right.milliseconds
    }

    /// The moment a span later.
    public static func + (instant: Instant, span: Span) -> Instant {
        Instant(milliseconds: instant.milliseconds + span.milliseconds)
    }

    /// The moment a span earlier.
    public static func - (instant: Instant, span: Span) -> Instant {
        Instant(milliseconds: instant.milliseconds - span.milliseconds)
    }

    /// How far this moment lies after another; negative when it lies before.
    public func since(_ other: Instant) -> Span {
        Span(milliseconds: milliseconds - other.milliseconds)
    }

    /// The first moment that the store's clock may show: 2000-01-01T00:00:00Z.
    public static let earliest = Instant(milliseconds: 946_684_800_000)
    /// The first moment after all that the store's clock may show: 2100-01-01T00:00:00Z.
    public static let latest = Instant(milliseconds: 4_102_444_800_000)
}

/// An exact length of time in milliseconds; calendar lengths are `CalendarPeriod`s.
public struct Span: Hashable, Comparable, Sendable {
    /// The length in milliseconds.
    public var milliseconds: Int64

    /// Makes a span of that many milliseconds.
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// Shorter spans come first.
    public static func < (left: Span, right: Span) -> Bool {
        left.milliseconds < right.milliseconds
    }

    /// A number of seconds.
    public static func seconds(_ count: Int) -> Span { Span(milliseconds: Int64(count) * 1000) }
    /// A number of minutes.
    public static func minutes(_ count: Int) -> Span { .seconds(count * 60) }
    /// A number of hours.
    public static func hours(_ count: Int) -> Span { .minutes(count * 60) }
    /// A number of days of 24 hours.
    public static func days(_ count: Int) -> Span { .hours(count * 24) }
}
