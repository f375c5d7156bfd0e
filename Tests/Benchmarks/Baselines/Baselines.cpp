#include "CApusBaselines.h"

#include "AnySimdjson.h"

int yardstick_simdjson_parse(const uint8_t *bytes, size_t length) {
  static simdjson::dom::parser parser;
  return parser.parse(bytes, length).error() == simdjson::SUCCESS;
}
