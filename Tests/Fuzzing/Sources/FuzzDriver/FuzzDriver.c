#include "FuzzDriver.h"

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));

int runFuzzer(int argc, char **argv) { return LLVMFuzzerRunDriver(&argc, &argv, LLVMFuzzerTestOneInput); }

// The Swift compiler marks edges by guards, which libFuzzer no longer reads: each guard counts in a counter that libFuzzer
// does read. Index 0 is for edges met before their module was numbered.
enum { counterCount = 1 << 18 };

__attribute__((section("__libfuzzer_extra_counters"))) static uint8_t counters[counterCount];

void __wrap___sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop) {
  static uint32_t count;
  if (start == stop || *start) return;
  while (start < stop) *start++ = ++count % counterCount;
}

void __wrap___sanitizer_cov_trace_pc_guard(uint32_t *guard) { counters[*guard]++; }
