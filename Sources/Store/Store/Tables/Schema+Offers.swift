import Storage

extension Schema {
    /// Signatures of offers that were used up.
    static let offers = Migration("0022 offers") { dialect in
        [
            table(
                "offer_signature",
                """
                app INT64 NOT NULL REFERENCES app (id),
                environment INT64 NOT NULL,
                nonce TEXT NOT NULL,
                used_at INT64 NOT NULL,
                PRIMARY KEY (app, environment, nonce)
                """)
        ].map { $0(dialect) }
    }
}
