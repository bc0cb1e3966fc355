// The numbers of version 1, each list in the order of the reference.

extension ConsumptionRequestV1 {
    /// How much of a purchase was used (API-5.8).
    public struct ConsumptionStatus: OpenEnum {
        /// The number on the wire.
        public let rawValue: Int

        /// Makes a value of any number, known or not.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Not stated.
        public static let undeclared = ConsumptionStatus(rawValue: 0)
        /// Nothing.
        public static let notConsumed = ConsumptionStatus(rawValue: 1)
        /// A part.
        public static let partiallyConsumed = ConsumptionStatus(rawValue: 2)
        /// All of it.
        public static let fullyConsumed = ConsumptionStatus(rawValue: 3)

        /// The published values, in the order of the reference.
        public static let known = (0...3).map(ConsumptionStatus.init(rawValue:))
    }

    /// Where a purchase was used (API-5.8).
    public struct Platform: OpenEnum {
        /// The number on the wire.
        public let rawValue: Int

        /// Makes a value of any number, known or not.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Not stated.
        public static let undeclared = Platform(rawValue: 0)
        /// On an Apple platform.
        public static let apple = Platform(rawValue: 1)
        /// On another platform.
        public static let nonApple = Platform(rawValue: 2)

        /// The published values, in the order of the reference.
        public static let known = (0...2).map(Platform.init(rawValue:))
    }

    /// Whether a purchase was delivered (API-5.8).
    public struct DeliveryStatus: OpenEnum {
        /// The number on the wire.
        public let rawValue: Int

        /// Makes a value of any number, known or not.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Delivered, and it works.
        public static let delivered = DeliveryStatus(rawValue: 0)
        /// The quality was bad.
        public static let qualityIssue = DeliveryStatus(rawValue: 1)
        /// The customer got the wrong item.
        public static let wrongItem = DeliveryStatus(rawValue: 2)
        /// The developer's server was down.
        public static let serverOutage = DeliveryStatus(rawValue: 3)
        /// The in-game currency changed.
        public static let inGameCurrencyChange = DeliveryStatus(rawValue: 4)
        /// Another reason.
        public static let other = DeliveryStatus(rawValue: 5)

        /// The published values, in the order of the reference.
        public static let known = (0...5).map(DeliveryStatus.init(rawValue:))
    }

    /// The age of a customer's account (API-5.8).
    public struct AccountTenure: OpenEnum {
        /// The number on the wire.
        public let rawValue: Int

        /// Makes a value of any number, known or not.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Not stated.
        public static let undeclared = AccountTenure(rawValue: 0)
        /// Up to 3 days.
        public static let zeroToThreeDays = AccountTenure(rawValue: 1)
        /// 3 to 10 days.
        public static let threeToTenDays = AccountTenure(rawValue: 2)
        /// 10 to 30 days.
        public static let tenToThirtyDays = AccountTenure(rawValue: 3)
        /// 30 to 90 days.
        public static let thirtyToNinetyDays = AccountTenure(rawValue: 4)
        /// 90 to 180 days.
        public static let ninetyToOneHundredEightyDays = AccountTenure(rawValue: 5)
        /// 180 to 365 days.
        public static let oneHundredEightyToThreeHundredSixtyFiveDays = AccountTenure(rawValue: 6)
        /// More than 365 days.
        public static let overThreeHundredSixtyFiveDays = AccountTenure(rawValue: 7)

        /// The published values, in the order of the reference.
        public static let known = (0...7).map(AccountTenure.init(rawValue:))
    }

    /// How long a customer has used an app (API-5.8).
    public struct PlayTime: OpenEnum {
        /// The number on the wire.
        public let rawValue: Int

        /// Makes a value of any number, known or not.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Not stated.
        public static let undeclared = PlayTime(rawValue: 0)
        /// Up to 5 minutes.
        public static let zeroToFiveMinutes = PlayTime(rawValue: 1)
        /// 5 to 60 minutes.
        public static let fiveToSixtyMinutes = PlayTime(rawValue: 2)
        /// 1 to 6 hours.
        public static let oneToSixHours = PlayTime(rawValue: 3)
        /// 6 to 24 hours.
        public static let sixToTwentyFourHours = PlayTime(rawValue: 4)
        /// 1 to 4 days.
        public static let oneToFourDays = PlayTime(rawValue: 5)
        /// 4 to 16 days.
        public static let fourToSixteenDays = PlayTime(rawValue: 6)
        /// More than 16 days.
        public static let overSixteenDays = PlayTime(rawValue: 7)

        /// The published values, in the order of the reference.
        public static let known = (0...7).map(PlayTime.init(rawValue:))
    }

    /// An amount in US dollars (API-5.8).
    public struct LifetimeDollars: OpenEnum {
        /// The number on the wire.
        public let rawValue: Int

        /// Makes a value of any number, known or not.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Not stated.
        public static let undeclared = LifetimeDollars(rawValue: 0)
        /// 0.
        public static let zero = LifetimeDollars(rawValue: 1)
        /// 0.01 to 49.99.
        public static let upTo49 = LifetimeDollars(rawValue: 2)
        /// 50 to 99.99.
        public static let upTo99 = LifetimeDollars(rawValue: 3)
        /// 100 to 499.99.
        public static let upTo499 = LifetimeDollars(rawValue: 4)
        /// 500 to 999.99.
        public static let upTo999 = LifetimeDollars(rawValue: 5)
        /// 1000 to 1999.99.
        public static let upTo1999 = LifetimeDollars(rawValue: 6)
        /// More than 2000.
        public static let over2000 = LifetimeDollars(rawValue: 7)

        /// The published values, in the order of the reference.
        public static let known = (0...7).map(LifetimeDollars.init(rawValue:))
    }

    /// The state of a customer's account (API-5.8).
    public struct UserStatus: OpenEnum {
        /// The number on the wire.
        public let rawValue: Int

        /// Makes a value of any number, known or not.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Not stated.
        public static let undeclared = UserStatus(rawValue: 0)
        /// Active.
        public static let active = UserStatus(rawValue: 1)
        /// Suspended.
        public static let suspended = UserStatus(rawValue: 2)
        /// Terminated.
        public static let terminated = UserStatus(rawValue: 3)
        /// With limited access.
        public static let limitedAccess = UserStatus(rawValue: 4)

        /// The published values, in the order of the reference.
        public static let known = (0...4).map(UserStatus.init(rawValue:))
    }

    /// What the developer would like a refund request to end with (API-5.8).
    public struct RefundPreference: OpenEnum {
        /// The number on the wire.
        public let rawValue: Int

        /// Makes a value of any number, known or not.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Not stated.
        public static let undeclared = RefundPreference(rawValue: 0)
        /// A refund.
        public static let grant = RefundPreference(rawValue: 1)
        /// No refund.
        public static let decline = RefundPreference(rawValue: 2)
        /// No preference.
        public static let noPreference = RefundPreference(rawValue: 3)

        /// The published values, in the order of the reference.
        public static let known = (0...3).map(RefundPreference.init(rawValue:))
    }
}
