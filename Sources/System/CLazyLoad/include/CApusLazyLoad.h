#pragma once

// Libraries that are loaded when one of their functions is first called, not when the program starts. A run that does
// not use a library does not pay for it, and a program can start without the library and say what is missing.

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/// A function of a library, and the variable for its address.
typedef struct {
  const char *name;
  void **address;
} apus_lazy_function;

typedef struct {
  /// The file names to try in order, ending with NULL.
  const char *files[2];
  /// What to install if no file can be loaded.
  const char *package;
  const apus_lazy_function *functions;
  size_t function_count;
  pthread_mutex_t lock;
  /// 0 before the first attempt, then 1 if all functions were found, else -1.
  int state;
  /// The reason of the failure, as one line.
  char failure[256];
} apus_lazy_library;

/// Whether the functions can be called. Loads the library on the first call. Thread-safe.
bool apus_lazy_load(apus_lazy_library *library);

/// NULL if the library can be loaded, else the reason and what to install.
const char *apus_lazy_failure(apus_lazy_library *library);

// The functions of a library are listed once: RESULT, NAME, (PARAMETERS), (ARGUMENTS), and the result without the
// library. These macros process the lines of that list.

#define APUS_LAZY_PRAGMA(text) _Pragma(#text)

/// Used before including the library's header, so that its declarations name the functions defined here. The prefix
/// avoids conflicts with other users of the library in the same program.
#define APUS_LAZY_RENAME(result, name, parameters, arguments, absent) \
  APUS_LAZY_PRAGMA(redefine_extname name apus_lazy_##name)

/// The function itself: forwards the call after `is_loaded`, which the file defines, has loaded the library.
#define APUS_LAZY_DEFINE(result, name, parameters, arguments, absent) \
  static result(*real_##name) parameters; \
  result name parameters { return is_loaded() ? real_##name arguments : absent; }

/// The function's entry in the table of the library.
#define APUS_LAZY_ENTRY(result, name, parameters, arguments, absent) {#name, (void **)&real_##name},

/// A library with the same file name on Linux and macOS, and the functions of a table.
#ifdef __APPLE__
#define APUS_LAZY_LIBRARY(linux, mac, named, table) \
  {.files = {"/opt/homebrew/lib/" mac, mac}, .package = named, .functions = table, \
   .function_count = sizeof(table) / sizeof *(table), .lock = PTHREAD_MUTEX_INITIALIZER}
#else
#define APUS_LAZY_LIBRARY(linux, mac, named, table) \
  {.files = {linux}, .package = named, .functions = table, .function_count = sizeof(table) / sizeof *(table), \
   .lock = PTHREAD_MUTEX_INITIALIZER}
#endif
