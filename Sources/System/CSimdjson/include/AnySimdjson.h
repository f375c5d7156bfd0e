#pragma once

// simdjson of any version from 1.0.2 on, with clang 19 and later.
//
// In some versions (3.6 and 3.8 were tested), simdjson's writer calls members that are declared only in derived
// classes, not in the base class. Clang 18 did not check unused templates; clang 19 does and rejects it: "no member
// named 'print_newline' in 'base_formatter<formatter>'". Apus does not write JSON with simdjson, so while the header is
// read, the three members are renamed to ones that the base class has, and declarations and calls agree again.
#define print_newline true_atom
#define print_space false_atom
#define print_indents number
#include <simdjson.h>
#undef print_newline
#undef print_space
#undef print_indents

namespace apus {

// The implementation for this processor. Before 2.0, the first version with Ice Lake support, it was a variable.
inline const simdjson::implementation *active_implementation() {
#ifdef SIMDJSON_IMPLEMENTATION_ICELAKE
  return simdjson::get_active_implementation();
#else
  return simdjson::active_implementation;
#endif
}

}  // namespace apus
