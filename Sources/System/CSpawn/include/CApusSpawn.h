#pragma once

#include <sys/types.h>

enum {
  /// The stream of this process.
  APUS_STREAM_OURS = -1,
  /// Nothing to read, and a place where everything can be written to.
  APUS_STREAM_NOWHERE = -2,
};

#ifdef __linux__
/// Starts a program as `posix_spawnp` does, with no signal blocked or ignored, and has it sent `signal` when the calling
/// thread ends: as it does when this process is killed, whatever kills it.
///
/// @param settings `NAME=VALUE` each, behind them NULL.
/// @param streams What its three streams are: descriptors, or APUS_STREAM_*.
/// @return 0, or the number of the error.
int apus_spawn_with_thread(
    pid_t *child, const char *program, char *const words[], char *const settings[], const int streams[3], int signal);
#endif
