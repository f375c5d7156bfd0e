#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

// Classification of the bytes of a JSON text.

inline bool is_space(uint8_t byte) { return byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t'; }
inline bool is_digit(uint8_t byte) { return uint8_t(byte - '0') < 10; }
inline bool is_hex(uint8_t byte) { return is_digit(byte) || uint8_t((byte | 0x20) - 'a') < 6; }
inline bool is_operator(uint8_t byte) {
  return byte == '{' || byte == '}' || byte == '[' || byte == ']' || byte == ':' || byte == ',';
}

inline bool has_backslash(const uint8_t *text, size_t length) {
  constexpr uint64_t ones = 0x0101010101010101, tops = 0x8080808080808080, slashes = ones * '\\';
  for (; length >= 8; text += 8, length -= 8) {
    uint64_t chunk;
    std::memcpy(&chunk, text, 8);
    chunk ^= slashes;
    if ((chunk - ones) & ~chunk & tops) return true;
  }
  for (; length > 0; text++, length--)
    if (*text == '\\') return true;
  return false;
}

// The position of the first invalid escape, or `end`.
size_t bad_escape(const uint8_t *bytes, size_t start, size_t end) {
  for (size_t at = start; at < end; at++) {
    if (bytes[at] != '\\') continue;
    size_t escape = at++;
    if (at >= end) return escape;
    switch (bytes[at]) {
      case '"': case '\\': case '/': case 'b': case 'f': case 'n': case 'r': case 't': break;
      case 'u':
        if (end - at < 5) return escape;
        for (size_t digit = at + 1; digit <= at + 4; digit++)
          if (!is_hex(bytes[digit])) return escape;
        at += 4;
        break;
      default: return escape;
    }
  }
  return end;
}
