#include "CSimdjson.h"

#include <simdjson.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

// simdjson's first stage finds the structure of the text (and checks its UTF-8) many bytes at a time; the second stage
// here walks that structure and writes positions instead of copies. So a number keeps its text whatever its size, and
// strings are decoded by whoever wants them.

namespace {

constexpr uint64_t length_limit = (uint64_t(1) << 27) - 1;

struct Frame {
  size_t word;       // where the container's word is
  uint64_t count;    // members or elements so far
  bool is_object;
};

class Writer {
 public:
  explicit Writer(size_t capacity) : words_(static_cast<uint64_t *>(std::malloc(capacity * sizeof(uint64_t)))), capacity_(capacity) {}
  ~Writer() { std::free(words_); }
  bool ok() const { return words_ != nullptr; }
  bool append(uint64_t word) {
    if (count_ == capacity_) {
      size_t larger = capacity_ * 2;
      auto *moved = static_cast<uint64_t *>(std::realloc(words_, larger * sizeof(uint64_t)));
      if (moved == nullptr) return false;
      words_ = moved;
      capacity_ = larger;
    }
    words_[count_++] = word;
    return true;
  }
  bool append_scalar(uint64_t kind, bool has_escape, uint64_t length, uint64_t offset) {
    uint64_t head = kind << 60 | uint64_t(has_escape) << 59 | offset;
    if (length < length_limit) return append(head | length << 32);
    return append(head | length_limit << 32) && append(length);
  }
  size_t count() const { return count_; }
  uint64_t &operator[](size_t index) { return words_[index]; }
  uint64_t *release() {
    auto *shrunk = static_cast<uint64_t *>(std::realloc(words_, count_ * sizeof(uint64_t)));
    auto *result = shrunk != nullptr ? shrunk : words_;
    words_ = nullptr;
    return result;
  }

 private:
  uint64_t *words_;
  size_t capacity_;
  size_t count_ = 0;
};

bool is_digit(uint8_t byte) { return byte >= '0' && byte <= '9'; }
bool is_hex(uint8_t byte) { return is_digit(byte) || ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'f'); }

bool ends_scalar(const uint8_t *bytes, size_t length, size_t at) {
  if (at == length) return true;
  switch (bytes[at]) {
    case ' ': case '\t': case '\n': case '\r': case ',': case ']': case '}': case ':': return true;
    default: return false;
  }
}

// The end of the number at `at` (RFC 8259, section 6), or 0 when it is not one.
size_t number_end(const uint8_t *bytes, size_t length, size_t at) {
  if (at < length && bytes[at] == '-') at++;
  if (at == length || !is_digit(bytes[at])) return 0;
  if (bytes[at] == '0') at++;
  else while (at < length && is_digit(bytes[at])) at++;
  if (at < length && bytes[at] == '.') {
    at++;
    if (at == length || !is_digit(bytes[at])) return 0;
    while (at < length && is_digit(bytes[at])) at++;
  }
  if (at < length && (bytes[at] | 0x20) == 'e') {
    at++;
    if (at < length && (bytes[at] == '+' || bytes[at] == '-')) at++;
    if (at == length || !is_digit(bytes[at])) return 0;
    while (at < length && is_digit(bytes[at])) at++;
  }
  return at;
}

uint64_t has_byte(uint64_t word, uint8_t byte) {
  uint64_t difference = word ^ (0x0101010101010101ULL * byte);
  return (difference - 0x0101010101010101ULL) & ~difference & 0x8080808080808080ULL;
}

// Finds the quote that closes the string whose first byte is at `at`. The first stage has seen to it that there is one
// and that no control character stands before it. Returns false at an escape that is none, with its place in `at`.
bool string_end(const uint8_t *bytes, size_t length, size_t &at, bool &has_escape) {
  for (;;) {
    while (at + 8 <= length) {
      uint64_t word;
      std::memcpy(&word, bytes + at, 8);
      if (has_byte(word, '"') | has_byte(word, '\\')) break;
      at += 8;
    }
    while (at < length && bytes[at] != '"' && bytes[at] != '\\') at++;
    if (at >= length) return false;
    if (bytes[at] == '"') return true;
    has_escape = true;
    if (at + 1 >= length) return false;
    switch (bytes[at + 1]) {
      case '"': case '\\': case '/': case 'b': case 'f': case 'n': case 'r': case 't':
        at += 2;
        break;
      case 'u':
        for (size_t digit = at + 2; digit < at + 6; digit++)
          if (digit >= length || !is_hex(bytes[digit])) return false;
        at += 6;
        break;
      default:
        return false;
    }
  }
}

class Builder {
 public:
  Builder(const uint8_t *bytes, size_t length, const uint32_t *structure, size_t structure_count, uint32_t max_depth)
      : bytes_(bytes), length_(length), structure_(structure), structure_count_(structure_count), max_depth_(max_depth),
        tape(structure_count + 2) {}

  int build() {
    if (!tape.ok()) return APUS_JSON_OUT_OF_MEMORY;
    if (int code = value()) return code;
    while (!stack_.empty()) {
      Frame &frame = stack_.back();
      if (int code = frame.is_object ? member(frame) : element(frame)) return code;
    }
    if (next_ < structure_count_) return fail(APUS_JSON_TRAILING, structure_[next_]);
    return APUS_JSON_OK;
  }

  size_t error_offset = 0;

 private:
  const uint8_t *bytes_;
  size_t length_;
  const uint32_t *structure_;
  size_t structure_count_;
  uint32_t max_depth_;
  size_t next_ = 0;
  std::vector<Frame> stack_;

 public:
  Writer tape;

 private:
  int fail(int code, size_t offset) {
    error_offset = offset;
    return code;
  }

  // The place of the next structural byte; the text's length at its end.
  size_t peek() const { return next_ < structure_count_ ? structure_[next_] : length_; }
  uint8_t peek_byte() const { return next_ < structure_count_ ? bytes_[structure_[next_]] : 0; }

  int close(Frame &frame) {
    next_++;
    uint64_t count = frame.count < length_limit ? frame.count : length_limit;
    tape[frame.word] |= count << 32;
    tape[frame.word + 1] = tape.count();
    stack_.pop_back();
    return APUS_JSON_OK;
  }

  int element(Frame &frame) {
    if (peek_byte() == ']') return close(frame);
    if (frame.count > 0) {
      if (peek_byte() != ',') return fail(APUS_JSON_UNEXPECTED, peek());
      next_++;
    }
    frame.count++;
    return value();
  }

  int member(Frame &frame) {
    if (peek_byte() == '}') return close(frame);
    if (frame.count > 0) {
      if (peek_byte() != ',') return fail(APUS_JSON_UNEXPECTED, peek());
      next_++;
    }
    frame.count++;
    if (peek_byte() != '"') return fail(APUS_JSON_UNEXPECTED, peek());
    if (int code = string()) return code;
    if (peek_byte() != ':') return fail(APUS_JSON_UNEXPECTED, peek());
    next_++;
    return value();
  }

  int string() {
    size_t start = structure_[next_++] + 1, at = start;
    bool has_escape = false;
    if (!string_end(bytes_, length_, at, has_escape)) return fail(APUS_JSON_INVALID_ESCAPE, at);
    return tape.append_scalar(APUS_JSON_STRING, has_escape, at - start, start) ? APUS_JSON_OK : APUS_JSON_OUT_OF_MEMORY;
  }

  int literal(const char *word, size_t size, uint64_t kind) {
    size_t at = structure_[next_++];
    if (length_ - at < size || std::memcmp(bytes_ + at, word, size) != 0 || !ends_scalar(bytes_, length_, at + size))
      return fail(APUS_JSON_UNEXPECTED, at);
    return tape.append_scalar(kind, false, size, at) ? APUS_JSON_OK : APUS_JSON_OUT_OF_MEMORY;
  }

  int open(bool is_object) {
    size_t at = structure_[next_++];
    if (stack_.size() >= max_depth_) return fail(APUS_JSON_TOO_DEEP, at);
    stack_.push_back({tape.count(), 0, is_object});
    uint64_t kind = is_object ? APUS_JSON_OBJECT : APUS_JSON_ARRAY;
    return tape.append(kind << 60 | at) && tape.append(0) ? APUS_JSON_OK : APUS_JSON_OUT_OF_MEMORY;
  }

  int value() {
    size_t at = peek();
    if (at == length_) return fail(APUS_JSON_UNEXPECTED, at);
    switch (bytes_[at]) {
      case '{': return open(true);
      case '[': return open(false);
      case '"': return string();
      case 't': return literal("true", 4, APUS_JSON_TRUE);
      case 'f': return literal("false", 5, APUS_JSON_FALSE);
      case 'n': return literal("null", 4, APUS_JSON_NULL);
      case '-': case '0': case '1': case '2': case '3': case '4': case '5': case '6': case '7': case '8': case '9': {
        next_++;
        size_t end = number_end(bytes_, length_, at);
        if (end == 0 || !ends_scalar(bytes_, length_, end)) return fail(APUS_JSON_INVALID_NUMBER, at);
        return tape.append_scalar(APUS_JSON_NUMBER, false, end - at, at) ? APUS_JSON_OK : APUS_JSON_OUT_OF_MEMORY;
      }
      default: return fail(APUS_JSON_UNEXPECTED, at);
    }
  }
};

// simdjson says that there is a bad place but not where; the places are found again, slowly.
size_t invalid_utf8_offset(const uint8_t *bytes, size_t length) {
  size_t low = 0, high = length;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    size_t end = middle + 1;
    while (end < length && (bytes[end] & 0xC0) == 0x80) end++;
    if (simdjson::validate_utf8(reinterpret_cast<const char *>(bytes), end)) low = end;
    else high = middle;
  }
  return low;
}

size_t bad_string_offset(const uint8_t *bytes, size_t length, bool &is_control) {
  bool inside = false;
  size_t start = 0;
  for (size_t at = 0; at < length; at++) {
    if (bytes[at] == '"') {
      inside = !inside;
      start = at;
    } else if (inside && bytes[at] == '\\') {
      at++;
    } else if (inside && bytes[at] < 0x20) {
      is_control = true;
      return at;
    }
  }
  is_control = false;
  return start;
}

using Parser = simdjson::internal::dom_parser_implementation;

// The first stage's buffers, four bytes for each byte of text: a thread keeps those of texts of usual size, as the
// pages of fresh ones cost more than the stage itself.
constexpr size_t kept_capacity = 8 << 20;

Parser *parser_for(size_t length, std::unique_ptr<Parser> &large) {
  static thread_local std::unique_ptr<Parser> kept;
  static thread_local size_t capacity = 0;
  std::unique_ptr<Parser> &parser = length <= kept_capacity ? kept : large;
  if (parser && length <= capacity) return parser.get();
  size_t wanted = length;
  if (length <= kept_capacity) for (wanted = 4096; wanted < length;) wanted *= 2;
  parser.reset();
  if (simdjson::get_active_implementation()->create_dom_parser_implementation(wanted, 1, parser) != simdjson::SUCCESS)
    return nullptr;
  if (length <= kept_capacity) capacity = wanted;
  return parser.get();
}

}  // namespace

extern "C" int apus_json_parse(
    const uint8_t *bytes, size_t length, uint32_t max_depth, apus_json_tape *tape, size_t *error_offset) {
  *error_offset = 0;
  if (length == 0) return APUS_JSON_EMPTY;
  if (length >= simdjson::SIMDJSON_MAXSIZE_BYTES) return APUS_JSON_TOO_LARGE;
  std::unique_ptr<Parser> large;
  Parser *parser = parser_for(length, large);
  if (parser == nullptr) return APUS_JSON_OUT_OF_MEMORY;
  switch (parser->stage1(bytes, length, simdjson::stage1_mode::regular)) {
    case simdjson::SUCCESS: break;
    case simdjson::EMPTY: return APUS_JSON_EMPTY;
    case simdjson::UTF8_ERROR:
      *error_offset = invalid_utf8_offset(bytes, length);
      return APUS_JSON_INVALID_UTF8;
    case simdjson::UNCLOSED_STRING:
    case simdjson::UNESCAPED_CHARS: {
      bool is_control = false;
      *error_offset = bad_string_offset(bytes, length, is_control);
      return is_control ? APUS_JSON_CONTROL_CHARACTER : APUS_JSON_UNCLOSED_STRING;
    }
    default: return APUS_JSON_UNEXPECTED;
  }
  Builder builder(bytes, length, parser->structural_indexes.get(), parser->n_structural_indexes, max_depth);
  int code = builder.build();
  if (code != APUS_JSON_OK) {
    *error_offset = builder.error_offset;
    return code;
  }
  tape->count = builder.tape.count();
  tape->words = builder.tape.release();
  return APUS_JSON_OK;
}
