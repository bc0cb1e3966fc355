extension APIError {
    /// The errors of the Advanced Commerce API, kept apart from those of the App Store Server API,
    /// where 4000028 has another name (API-7).
    ///
    /// Ten errors that Apple's changelog names without a number have the one of a public client
    /// (0035): 4000192, 4000193, 4000194, 4000205, 4000214, 4000220, 4000221, 4000223, 4030025 and
    /// 4030027.
    public enum AdvancedCommerce {
        /// Every error, by code.
        public static let all: [Int64: APIError] = Dictionary(
            uniqueKeysWithValues: (missing + form + together + state + general)
                .map { ($0.code, $0) })

        /// What every endpoint can answer, whatever is asked.
        static let general: [APIError] = [
            .rateLimitExceeded, .generalInternal, .generalInternalRetryable,
        ]
    }
}
