#include "FuzzDriver.h"

#include <sanitizer/lsan_interface.h>

void beginConstants(void) { __lsan_disable(); }
void endConstants(void) { __lsan_enable(); }

int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*check)(const uint8_t *bytes, size_t count));

int runFuzzer(int argc, char **argv, int (*check)(const uint8_t *bytes, size_t count)) {
  return LLVMFuzzerRunDriver(&argc, &argv, check);
}

// A fifth of the time went to noting where each piece of memory was asked for, and to keeping what was freed for long.
// A fuzzer's memory is limited here, not by -rss_limit_mb: that begins a thread, and what is allocated for one as it begins
// was taken for a leak of the first input, once in many thousand runs.
// What is set in ASAN_OPTIONS counts more.
const char *__asan_default_options(void) {
  return "malloc_context_size=2:quarantine_size_mb=8:detect_stack_use_after_return=0:hard_rss_limit_mb=2048";
}
