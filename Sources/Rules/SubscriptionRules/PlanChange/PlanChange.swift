/// How one plan of a group relates to another. Only the level decides upgrade and downgrade;
/// duration splits the crossgrades (GRP-4), and so does the billing plan (GRP-7). What each brings
/// is a table (TAB-2.2).
public enum PlanChange: Hashable, Sendable, CaseIterable {
    case upgrade
    case crossgradeOfSameDuration
    case crossgradeOfOtherDuration
    case downgrade

    /// Classifies a change between two plans of one group.
    public init(from old: Plan, to new: Plan) {
        if new.level < old.level {
            self = .upgrade
        } else if new.level > old.level {
            self = .downgrade
        } else if new.period == old.period, new.billing == old.billing {
            self = .crossgradeOfSameDuration
        } else {
            self = .crossgradeOfOtherDuration
        }
    }

    /// What the subscription is in when a plan change is asked for (TAB-2.3).
    public enum Phase: Hashable, Sendable, CaseIterable {
        case paidPeriod
        /// An offer of any kind runs that is paid period by period.
        case discountedPayAsYouGo
        /// An offer of any kind runs that was paid at once.
        case discountedPayUpFront
        case freeTrial
        /// Billing failed; access goes on for a while.
        case grace
        /// Billing failed; access has stopped.
        case retry
    }

    /// When a change takes effect.
    public enum Moment: Hashable, Sendable {
        case now
        /// Inside a commitment: when it is over (TAB-2.3).
        case nextRenewal
    }

    /// From which moment the new plan's first period is counted.
    public enum Start: Hashable, Sendable {
        /// From the change: the anchor moves.
        case change
        /// From the renewal that applies it: the anchor stays.
        case renewal
        /// The running trial goes on under the new plan (TAB-2.3, reading b).
        case runningTrial
    }

    /// The first question of TAB-2.2 and TAB-2.3: when does it take effect?
    public func moment(in phase: Phase) -> Moment {
        switch (self, phase) {
        // Nothing is running that could be waited for.
        case (_, .grace), (_, .retry):
            .now
        case (.upgrade, _), (.crossgradeOfSameDuration, _):
            .now
        case (.crossgradeOfOtherDuration, _), (.downgrade, _):
            .nextRenewal
        }
    }

    /// The second question of TAB-2.2 and TAB-2.3: from which date does the new period count?
    ///
    /// - Parameter trial: the reading chosen for a change during a free trial.
    public func start(in phase: Phase, trial: UpgradeInTrial) -> Start {
        switch (moment(in: phase), phase, trial) {
        case (.nextRenewal, _, _): .renewal
        case (.now, .freeTrial, .keepsTrial): .runningTrial
        case (.now, _, _): .change
        }
    }
}

/// What an immediate plan change does to a running free trial. Three public reports disagree
/// (TAB-2.3), so it can be chosen.
public enum UpgradeInTrial: String, Hashable, Sendable, CaseIterable {
    /// Apple's text taken literally: the trial ends, nothing is refunded, the new plan is charged.
    case endsTrial
    /// As seen in Sandbox: the new plan takes over the running trial and its end.
    case keepsTrial
}
