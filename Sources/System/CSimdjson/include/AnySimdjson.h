#pragma once

// simdjson of any version from 1.0.2 on, with clang 19 and later.
//
// In some versions (3.6 and 3.8 are tried) the writing half of simdjson calls members that the base class does not have,
// only the classes made of it. Clang 18 did not look into a template that nobody uses; clang 19 does, and refuses it: "no
// member named 'print_newline' in 'base_formatter<formatter>'". Nothing here writes JSON with simdjson. So while the
// header is read, the three are called as members that the base class has: their declarations and calls agree again.
#define print_newline true_atom
#define print_space false_atom
#define print_indents number
#include <simdjson.h>
#undef print_newline
#undef print_space
#undef print_indents

namespace apus {

// The code for this processor. Before 2.0, the first version that knows Ice Lake, it was a variable.
inline const simdjson::implementation *active_implementation() {
#ifdef SIMDJSON_IMPLEMENTATION_ICELAKE
  return simdjson::get_active_implementation();
#else
  return simdjson::active_implementation;
#endif
}

}  // namespace apus
