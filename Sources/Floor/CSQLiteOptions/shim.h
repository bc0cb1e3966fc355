// SQLite declares this with a variable number of arguments, which Swift cannot pass. Its header
// belongs to another module.
int sqlite3_config(int option, ...);

/// Lets SQLite allocate without counting what it allocates. It takes it before its first use only;
/// later it refuses, and nothing changes.
static inline int sqlite_count_no_memory(void) {
    const int SQLITE_CONFIG_MEMSTATUS_OPTION = 9;
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS_OPTION, 0);
}
