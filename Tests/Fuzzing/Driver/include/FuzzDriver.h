#pragma once

#include <stddef.h>
#include <stdint.h>

/// Excludes allocations between the two calls from leak detection. The sanitizer would report memory referenced by
/// constants, because Swift stores the case of an enum in the upper bits of a pointer.
void beginConstants(void);
void endConstants(void);

/// Runs libFuzzer on a function that accepts any bytes. The package manager renames `main`, so that libFuzzer's own
/// `main` is not linked.
int runFuzzer(int argc, char **argv, int (*check)(const uint8_t *bytes, size_t count));
