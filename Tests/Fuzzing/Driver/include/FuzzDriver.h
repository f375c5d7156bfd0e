#pragma once

#include <stddef.h>
#include <stdint.h>

/// Between these two nothing that is asked for counts as a leak. What a constant holds would: the sanitizer does not know
/// a pointer in whose upper bits Swift keeps which case of an enum it is.
void beginConstants(void);
void endConstants(void);

/// Runs libFuzzer on a function that takes any bytes. The package manager gives `main` another name, so that libFuzzer's
/// own one is not linked.
int runFuzzer(int argc, char **argv, int (*check)(const uint8_t *bytes, size_t count));
