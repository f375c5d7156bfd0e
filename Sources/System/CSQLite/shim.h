#pragma once

#include <sqlite3.h>
#include <time.h>

static inline long apus_sqlite_milliseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/// Changes a database to write-ahead logging. Waits up to `milliseconds` for other connections.
///
/// The change reads the file and then locks it for writing. SQLite does not call its busy handler for such a step,
/// because two connections that both read would wait for each other: of several connections that open a new file, one
/// succeeds and the others get SQLITE_BUSY immediately. A failed attempt releases its lock, so a later one can succeed.
/// Pauses become longer, because each attempt blocks the connection that waits for all others to release their locks.
static inline int apus_sqlite_use_write_ahead_log(sqlite3 *database, int milliseconds) {
  long end = apus_sqlite_milliseconds() + milliseconds;
  for (int pause = 5;; pause = pause < 100 ? pause * 2 : pause) {
    int code = sqlite3_exec(database, "PRAGMA journal_mode = WAL", 0, 0, 0);
    if ((code & 0xff) != SQLITE_BUSY || apus_sqlite_milliseconds() >= end) return code;
    sqlite3_sleep(pause);
  }
}
