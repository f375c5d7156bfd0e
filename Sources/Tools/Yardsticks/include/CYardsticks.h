#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Parses a text with simdjson alone, into its own tape, and drops it. Returns whether it was JSON.
int yardstick_simdjson_parse(const uint8_t *bytes, size_t length);

#ifdef __cplusplus
}
#endif
