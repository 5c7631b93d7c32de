#include <sqlite3.h>

/* Without SQLite's count of the memory in use, which costs a global lock for each allocation. Before anything else. */
static inline int csqlite_count_no_memory(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }
