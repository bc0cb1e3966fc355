import Storage

extension Schema {
    /// Since this version nobody is told of a higher price while another plan waits: what was
    /// to be told then waits for the end of the period.
    static let announcing = Migration("0012 announcements that wait") { _ in
        [
            """
            UPDATE subscription SET next_change = term_end
            WHERE state = 'active' AND next_plan IS NOT NULL AND next_change < term_end
            """
        ]
    }
}
