#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Parses a text with simdjson only and discards the tape. Returns whether it is valid JSON.
int yardstick_simdjson_parse(const uint8_t *bytes, size_t length);

/// Starts a program, looked up in the path, in a pseudoterminal of the given size. Returns the parent's end, or -1.
int yardstick_terminal_spawn(char *const arguments[], int columns, int rows, int32_t *process);

/// Restricts the threads of this process, and those that they start, to one core. Does nothing if the system does not
/// support that.
void yardstick_stay_on_one_core(void);

#ifdef __cplusplus
}
#endif
