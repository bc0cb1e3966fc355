import Storage

extension Schema {
    /// What a world is among its copies: whether its notifications go out, whether it is a fork,
    /// the moment of its clock at which it was copied, and how often it was put back.
    static let copies = Migration("0020 copies of worlds") { dialect in
        let flag = "\(dialect.integer) NOT NULL"
        return [
            "ALTER TABLE world ADD COLUMN delivers \(flag) DEFAULT 1 CHECK (delivers IN (0, 1))",
            "ALTER TABLE world ADD COLUMN is_fork \(flag) DEFAULT 0 CHECK (is_fork IN (0, 1))",
            "ALTER TABLE world ADD COLUMN copied_at \(dialect.integer)",
            "ALTER TABLE world ADD COLUMN rewinds \(flag) DEFAULT 0 CHECK (rewinds >= 0)",
        ]
    }
}
