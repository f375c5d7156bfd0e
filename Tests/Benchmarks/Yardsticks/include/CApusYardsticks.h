#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Parses a text with simdjson alone, into its own tape, and drops it. Returns whether it was JSON.
int yardstick_simdjson_parse(const uint8_t *bytes, size_t length);

/// Starts a program, found in the path, in a pseudo-terminal of a size; returns our end of it, or -1.
int yardstick_terminal_spawn(char *const arguments[], int columns, int rows, int32_t *process);

/// Keeps the threads that this process has, and those that they start, on one core. Does nothing where the system has no
/// such thing.
void yardstick_stay_on_one_core(void);

#ifdef __cplusplus
}
#endif
