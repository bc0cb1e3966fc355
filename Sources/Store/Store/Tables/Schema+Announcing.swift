import Storage

extension Schema {
    /// Since this version nobody is told of a higher price while another plan waits: what was
    /// to be told then waits for the end of the period.
    static let announcing = Migration("0012 announcements that wait") { _ in
        changeSubscriptions(
            ["next_change": "s.term_end"],
            where: """
                s.state = 'active' AND s.next_plan IS NOT NULL AND s.next_change < s.term_end
                """)
    }
}
