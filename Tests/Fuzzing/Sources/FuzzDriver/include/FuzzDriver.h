#pragma once

/// Runs libFuzzer on the program's `LLVMFuzzerTestOneInput`. The package manager gives `main` another name, so that
/// libFuzzer's own one is not linked.
int runFuzzer(int argc, char **argv);
