#pragma once

// Libraries that are loaded when one of their functions is first called, and not when the program starts: what many
// runs never use costs them nothing, and a program without the library still starts and can say what is missing.

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/// A function of a library, and where its address belongs once the library is loaded.
typedef struct {
  const char *name;
  void **address;
} apus_lazy_function;

typedef struct {
  /// The files to try, one after the other; no more from a NULL on.
  const char *files[2];
  /// What to install when there is none of them.
  const char *package;
  const apus_lazy_function *functions;
  size_t function_count;
  pthread_mutex_t lock;
  /// 0 before the first try, then 1 when all functions have their addresses, -1 when that failed.
  int state;
  /// Why it failed, in one line.
  char failure[256];
} apus_lazy_library;

/// Whether the functions can be called; tries to load the library the first time. Any thread may call it.
bool apus_lazy_load(apus_lazy_library *library);

/// NULL when the library is there, else why it is not and what to install.
const char *apus_lazy_failure(apus_lazy_library *library);

// One list a library names its functions: RESULT, NAME, (PARAMETERS), (ARGUMENTS), what to answer without the library.
// These take the list's lines.

#define APUS_LAZY_PRAGMA(text) _Pragma(#text)

/// Before the library's own header: what that declares is then the function defined here, under a name that meets no
/// other user of the library in the same program.
#define APUS_LAZY_RENAME(result, name, parameters, arguments, absent) \
  APUS_LAZY_PRAGMA(redefine_extname name apus_lazy_##name)

/// The function itself: hands the call on once `is_loaded`, which the file defines, has loaded the library.
#define APUS_LAZY_DEFINE(result, name, parameters, arguments, absent) \
  static result(*real_##name) parameters; \
  result name parameters { return is_loaded() ? real_##name arguments : absent; }

/// The function's line in the library's table.
#define APUS_LAZY_ENTRY(result, name, parameters, arguments, absent) {#name, (void **)&real_##name},

/// A library whose file is named as here on Linux and on macOS, with the functions of a table.
#ifdef __APPLE__
#define APUS_LAZY_LIBRARY(linux, mac, named, table) \
  {.files = {"/opt/homebrew/lib/" mac, mac}, .package = named, .functions = table, \
   .function_count = sizeof(table) / sizeof *(table), .lock = PTHREAD_MUTEX_INITIALIZER}
#else
#define APUS_LAZY_LIBRARY(linux, mac, named, table) \
  {.files = {linux}, .package = named, .functions = table, .function_count = sizeof(table) / sizeof *(table), \
   .lock = PTHREAD_MUTEX_INITIALIZER}
#endif
