#pragma once

#include "CApusSimdjson.h"
#include "JSONText.h"
#include "TapeBuilder.h"

#include "AnySimdjson.h"

#include <vector>

// Finds the error in an invalid text and its position, byte by byte with little memory, so the result does not depend
// on how the text arrived. Malformed strings are reported first, then invalid UTF-8, then grammar errors; but a grammar
// error before the string takes precedence, so that an HTML page is not reported as an unclosed string.
class FaultFinder {
 public:
  FaultFinder(const uint8_t *bytes, size_t length, size_t max_depth)
      : bytes_(bytes), length_(length), max_depth_(max_depth) {}

  size_t offset = 0;

  int find(TapeBuilder &builder) {
    int string_fault = APUS_JSON_OK;
    size_t readable = length_;
    for (size_t at = 0; at < length_ && string_fault == APUS_JSON_OK;) {
      Token token = this->token(at);
      if (token.fault == APUS_JSON_OK) {
        at = token.end;
      } else {
        string_fault = token.fault;
        offset = token.end;
        readable = token.start;
        break;
      }
    }
    if (string_fault == APUS_JSON_OK && !simdjson::validate_utf8(reinterpret_cast<const char *>(bytes_), length_)) {
      offset = invalid_utf8_offset(bytes_, length_);
      return APUS_JSON_INVALID_UTF8;
    }
    int fault = grammar_fault(builder, readable);
    bool is_earlier = fault != APUS_JSON_OK && builder.error_offset < readable;
    if (string_fault != APUS_JSON_OK && !is_earlier) return string_fault;
    offset = builder.error_offset;
    return fault;
  }

 private:
  struct Token {
    size_t start, end;
    // Of a string; `end` is then its place.
    int fault;
  };

  const uint8_t *bytes_;
  size_t length_;
  size_t max_depth_;

  // The first token at or after a position; it starts at the end of the text if there is none.
  Token token(size_t at) const {
    while (at < length_ && is_space(bytes_[at])) at++;
    if (at >= length_) return {length_, length_, APUS_JSON_OK};
    size_t start = at++;
    if (bytes_[start] == '"') {
      while (at < length_ && bytes_[at] != '"' && bytes_[at] >= 0x20) at += bytes_[at] == '\\' ? 2 : 1;
      if (at >= length_) return {start, start, APUS_JSON_UNCLOSED_STRING};
      if (bytes_[at] < 0x20) return {start, at, APUS_JSON_CONTROL_CHARACTER};
      at++;
    } else if (!is_operator(bytes_[start])) {
      while (at < length_ && !is_space(bytes_[at]) && !is_operator(bytes_[at])) at++;
    }
    return {start, at, APUS_JSON_OK};
  }

  // Tokens are read in portions that end at a comma, as the builder requires. Too many tokens without a comma are an
  // error: each one is part of a key, or opens or closes a container.
  int grammar_fault(TapeBuilder &builder, size_t readable) const {
    const size_t portion = 4096, limit = portion + 8 * max_depth_;
    builder.restart();
    std::vector<uint32_t> tokens;
    size_t from = 0;
    for (size_t at = 0; at < readable;) {
      Token token = this->token(at);
      if (token.start >= readable) break;
      at = token.end;
      if ((tokens.size() >= portion && bytes_[token.start] == ',') || tokens.size() >= limit) {
        int fault = builder.build(bytes_, from, token.start - from, tokens.data(), tokens.size(), false);
        if (fault != APUS_JSON_OK) return fault;
        tokens.clear();
        from = token.start;
      }
      tokens.push_back(uint32_t(token.start - from));
    }
    return builder.build(bytes_, from, readable - from, tokens.data(), tokens.size(), true);
  }

  // simdjson reports that there is an error but not its position, so the positions are searched again, slowly.
  static size_t invalid_utf8_offset(const uint8_t *bytes, size_t length) {
    auto continues = [&](size_t first, size_t count) {
      for (size_t at = first; at < first + count; at++)
        if (at >= length || (bytes[at] & 0xC0) != 0x80) return false;
      return true;
    };
    for (size_t at = 0; at < length;) {
      uint8_t byte = bytes[at];
      size_t more = byte < 0x80 ? 0 : byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3;
      if ((byte >= 0x80 && byte < 0xC2) || byte > 0xF4 || !continues(at + 1, more)) return at;
      // Overlong forms, surrogates, and values beyond the last code point.
      if ((byte == 0xE0 && bytes[at + 1] < 0xA0) || (byte == 0xED && bytes[at + 1] > 0x9F)) return at;
      if ((byte == 0xF0 && bytes[at + 1] < 0x90) || (byte == 0xF4 && bytes[at + 1] > 0x8F)) return at;
      at += more + 1;
    }
    return length;
  }
};
