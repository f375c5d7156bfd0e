#pragma once

#include <sys/types.h>

enum {
  /// The stream of this process.
  APUS_STREAM_OURS = -1,
  /// Empty input; discarded output.
  APUS_STREAM_NOWHERE = -2,
};

#ifdef __linux__
/// Starts a program like `posix_spawnp`, with no signals blocked or ignored. The child receives `signal` when the
/// calling thread ends, also if this process is killed.
///
/// @param settings Entries of the form `NAME=VALUE`, ending with NULL. @param streams The three standard streams:
/// descriptors or APUS_STREAM_*. @return 0, or the number of the error.
int apus_spawn_with_thread(
    pid_t *child, const char *program, char *const words[], char *const settings[], const int streams[3], int signal);
#endif
