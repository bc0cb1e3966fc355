#include <sqlite3.h>

/// Lets SQLite allocate without counting what it allocates. It takes it before its first use only;
/// later it refuses, and nothing changes. Swift cannot pass a variable number of arguments.
static inline int sqlite_count_no_memory(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

/// Refuses texts in double quotes, which SQLite otherwise takes where there is no such column.
static inline int sqlite_refuse_quoted_texts(sqlite3 *connection) {
    int result = sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DML, 0, (int *)0);
    return result != SQLITE_OK
        ? result : sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DDL, 0, (int *)0);
}
