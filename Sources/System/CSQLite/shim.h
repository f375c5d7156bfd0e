#pragma once

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
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

/// Turns a property of a connection on or off. Swift cannot call functions with a variable number of arguments.
static inline int apus_sqlite_configure(sqlite3 *database, int property, int isOn) {
  return sqlite3_db_config(database, property, isOn, (int *)0);
}

/// The file functions of the system without rollback journals. SQLite passes a pointer to the first member.
struct apus_sqlite_files {
  sqlite3_vfs functions;
  sqlite3_vfs *system;
};

/// Opens a file other than a rollback journal.
static inline int apus_sqlite_open(sqlite3_vfs *files, const char *name, sqlite3_file *file, int flags, int *opened) {
  sqlite3_vfs *system = ((struct apus_sqlite_files *)files)->system;
  if (flags & SQLITE_OPEN_MAIN_JOURNAL) {
    file->pMethods = 0;
    return SQLITE_CANTOPEN;
  }
  return system->xOpen(system, name, file, flags, opened);
}

/// Whether a file can be accessed. A rollback journal never exists.
static inline int apus_sqlite_access(sqlite3_vfs *files, const char *name, int flags, int *result) {
  sqlite3_vfs *system = ((struct apus_sqlite_files *)files)->system;
  size_t length = strlen(name);
  if (length >= 8 && strcmp(name + length - 8, "-journal") == 0) {
    *result = 0;
    return SQLITE_OK;
  }
  return system->xAccess(system, name, flags, result);
}

/// Registers the system's file functions without rollback journals, and returns their name; null on an error. Call it
/// once, because what it allocates stays.
///
/// SQLite plays back any journal that it finds beside a database, and deletes the file that the journal names as its
/// super-journal. The databases of Apus have no rollback journal, so SQLite never needs to find one.
static inline const char *apus_sqlite_register_files(void) {
  sqlite3_vfs *system = sqlite3_initialize() == SQLITE_OK ? sqlite3_vfs_find(0) : 0;
  struct apus_sqlite_files *files = system ? malloc(sizeof *files) : 0;
  if (!files) return 0;
  files->functions = *system;
  files->functions.zName = "apus";
  files->functions.pNext = 0;
  files->functions.xOpen = apus_sqlite_open;
  files->functions.xAccess = apus_sqlite_access;
  files->system = system;
  if (sqlite3_vfs_register(&files->functions, 0) == SQLITE_OK) return files->functions.zName;
  free(files);
  return 0;
}
