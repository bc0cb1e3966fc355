import Storage

extension Schema {
    /// What is due in one lane is found however much is due in another.
    static let lanes = Migration("0015 lanes") { _ in
        [
            "CREATE INDEX notification_lane ON notification "
                + "(app, environment, next_attempt, id) WHERE next_attempt IS NOT NULL"
        ]
    }
}
