#pragma once

#include "CApusSimdjson.h"
#include "JSONText.h"

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <vector>

// simdjson's first stage finds the structure of the text (and checks its UTF-8) many bytes at a time. This second stage
// walks the structure and records positions instead of copies, so numbers keep their text and strings are decoded on
// demand.

// For a large text, half of the time is the system handing out pages one by one, so request huge pages. This applies to
// a separate mapping, because the system does not move memory that is in two parts.
inline void prefer_large_pages(void *start, size_t size) {
#ifdef MADV_HUGEPAGE
  constexpr uintptr_t page = 4096;
  if (size < (8 << 20)) return;
  uintptr_t first = reinterpret_cast<uintptr_t>(start) & ~(page - 1);
  uintptr_t last = (reinterpret_cast<uintptr_t>(start) + size + page - 1) & ~(page - 1);
  madvise(reinterpret_cast<void *>(first), last - first, MADV_HUGEPAGE);
#else
  (void)start;
  (void)size;
#endif
}

// An array that grows at its end, by a quarter, to waste little memory.
template <typename Element>
struct Buffer {
  Element *elements = nullptr;
  size_t count = 0;

  Buffer() = default;
  ~Buffer() { std::free(elements); }
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;

  // Reserves room for `count` more elements.
  bool reserve(size_t more) {
    size_t needed = count + more;
    if (needed <= capacity_) return true;
    size_t wanted = needed > capacity_ + capacity_ / 4 ? needed : capacity_ + capacity_ / 4;
    auto *grown = static_cast<Element *>(std::realloc(elements, wanted * sizeof(Element)));
    if (grown == nullptr) return false;
    elements = grown;
    capacity_ = wanted;
    prefer_large_pages(elements, wanted * sizeof(Element));
    return true;
  }

  void append(Element element) { elements[count++] = element; }

  // Gives away the elements and returns unused memory.
  Element *take() {
    if (count == 0) return nullptr;
    auto *shrunk = static_cast<Element *>(std::realloc(elements, count * sizeof(Element)));
    Element *taken = shrunk != nullptr ? shrunk : elements;
    elements = nullptr;
    count = capacity_ = 0;
    return taken;
  }

 private:
  size_t capacity_ = 0;
};

// Checks the grammar (RFC 8259) and writes the tape piece by piece. Each piece except the last ends between a value and
// the following comma.
class TapeBuilder {
 public:
  explicit TapeBuilder(size_t max_depth) : max_depth_(max_depth) {}

  size_t error_offset = 0;

  // Starts over with the existing memory.
  void restart() {
    units_.count = milestones_.count = 0;
    sizes_.clear();
    open_.clear();
    text_end_ = 0;
    object_count_ = 0;
  }

  // Reads the piece of the text that begins at `start`.
  int build(
      const uint8_t *text, size_t start, size_t length, const uint32_t *tokens, size_t token_count, bool is_last) {
    // An object has two tokens for its four units. A long entry has a gap of at least 31 bytes or a length of at least
    // 128, and may begin in the previous piece.
    size_t room = 2 * token_count + 7 * (length / APUS_JSON_LONG_GAP + 2);
    if (!units_.reserve(room) || !milestones_.reserve((units_.count + room) / APUS_JSON_MILESTONE - milestones_.count))
      return APUS_JSON_OUT_OF_MEMORY;
    bytes_ = text + start;
    start_ = start;
    length_ = length;
    tokens_ = tokens;
    token_count_ = token_count;
    next_ = 0;
    end_ = units_.elements + units_.count;
    next_milestone_ = units_.elements + (milestones_.count + 1) * APUS_JSON_MILESTONE;
    int code = walk(units_.elements, is_last);
    units_.count = size_t(end_ - units_.elements);
    return code;
  }

  // Gives away the tape.
  bool take(apus_json_tape *tape) {
    if (milestones_.count < units_.count / APUS_JSON_MILESTONE) {
      milestones_.append({uint32_t(units_.count), uint32_t(text_end_)});
    }
    uint32_t *sizes = nullptr;
    if (!sizes_.empty()) {
      sizes = static_cast<uint32_t *>(std::malloc(sizes_.size() * sizeof(uint32_t)));
      if (sizes == nullptr) return false;
      std::memcpy(sizes, sizes_.data(), sizes_.size() * sizeof(uint32_t));
    }
    *tape = {nullptr, units_.count, nullptr, milestones_.count, sizes, object_count_};
    tape->units = units_.take();
    tape->milestones = milestones_.take();
    return true;
  }

 private:
  int walk(uint16_t *const tape, bool is_last) {
    auto &open = open_;
    bool in_array = !open.empty() && is_array(tape[open.back()]);
    size_t at;
    if (end_ > tape) goto after_value;

  value:
    if (next_ >= token_count_) return fail(APUS_JSON_UNEXPECTED, length_);
    at = tokens_[next_++];
    switch (bytes_[at]) {
      case '{':
      case '[':
        if (open.size() >= max_depth_) return fail(APUS_JSON_TOO_DEEP, at);
        {
          bool is_array = bytes_[at] == '[';
          uint16_t kind = is_array ? APUS_JSON_ARRAY : APUS_JSON_OBJECT;
          if (next_ < token_count_ && bytes_[tokens_[next_]] == (is_array ? ']' : '}')) {
            next_++;
            append(kind, false, 1, at);
            goto after_value;
          }
          in_array = is_array;
          open.push_back(uint32_t(end_ - tape));
          append_container(kind, at);
        }
        if (in_array) goto value;
        goto key;
      case '"':
        if (!string(at)) return code_;
        break;
      case 't':
        if (!literal(at, "true", 4, APUS_JSON_TRUE)) return code_;
        break;
      case 'f':
        if (!literal(at, "false", 5, APUS_JSON_FALSE)) return code_;
        break;
      case 'n':
        if (!literal(at, "null", 4, APUS_JSON_NULL)) return code_;
        break;
      case '-': case '0': case '1': case '2': case '3': case '4': case '5': case '6': case '7': case '8': case '9':
        if (!number(at)) return code_;
        break;
      default: return fail(APUS_JSON_UNEXPECTED, at);
    }

  after_value:
    if (open.empty()) return next_ < token_count_ ? fail(APUS_JSON_TRAILING, tokens_[next_]) : APUS_JSON_OK;
    if (next_ >= token_count_) return is_last ? fail(APUS_JSON_UNEXPECTED, length_) : APUS_JSON_OK;

    at = tokens_[next_++];
    if (bytes_[at] == ',') {
      if (in_array) goto value;
      goto key;
    }
    if (bytes_[at] == (in_array ? ']' : '}')) goto close;
    return fail(APUS_JSON_UNEXPECTED, at);

  key:
    if (next_ >= token_count_) return fail(APUS_JSON_UNEXPECTED, length_);
    at = tokens_[next_++];
    if (bytes_[at] != '"') return fail(APUS_JSON_UNEXPECTED, at);
    if (!string(at)) return code_;
    if (next_ >= token_count_) return fail(APUS_JSON_UNEXPECTED, length_);
    if (bytes_[tokens_[next_]] != ':') return fail(APUS_JSON_UNEXPECTED, tokens_[next_]);
    next_++;
    goto value;

  close:
    set_size(tape + open.back(), size_t(end_ - tape) - open.back());
    open.pop_back();
    in_array = !open.empty() && is_array(tape[open.back()]);
    goto after_value;
  }

  size_t max_depth_;
  Buffer<uint16_t> units_;
  Buffer<apus_json_place> milestones_;
  std::vector<uint32_t> sizes_;
  // The entries of open arrays and objects.
  std::vector<uint32_t> open_;
  // The end of the last entry in the text.
  size_t text_end_ = 0;
  size_t object_count_ = 0;
  // The piece, and its position in the text; positions in it are relative.
  const uint8_t *bytes_ = nullptr;
  size_t start_ = 0;
  size_t length_ = 0;
  const uint32_t *tokens_ = nullptr;
  size_t token_count_ = 0;
  size_t next_ = 0;
  uint16_t *end_ = nullptr;
  uint16_t *next_milestone_ = nullptr;
  int code_ = APUS_JSON_OK;

  static bool is_array(uint16_t unit) { return (unit >> 12 & 7) == APUS_JSON_ARRAY; }

  bool stop(int code, size_t offset) {
    error_offset = start_ + offset;
    code_ = code;
    return false;
  }

  int fail(int code, size_t offset) {
    stop(code, offset);
    return code;
  }

  // The start of the token after the current one.
  size_t limit() const { return next_ < token_count_ ? tokens_[next_] : length_; }

  // The gap before an entry that begins at `offset`. Records a milestone if one is due.
  size_t begin(size_t offset) {
    if (end_ >= next_milestone_) {
      milestones_.append({uint32_t(end_ - units_.elements), uint32_t(text_end_)});
      next_milestone_ += APUS_JSON_MILESTONE;
    }
    return start_ + offset - text_end_;
  }

  void append_half(size_t number) {
    *end_++ = uint16_t(number);
    *end_++ = uint16_t(number >> 16);
  }

  void append(uint16_t kind, bool has_escape, size_t length, size_t offset) {
    size_t gap = begin(offset);
    uint16_t head = uint16_t(has_escape << 15 | kind << 12);
    if (gap < APUS_JSON_LONG_GAP && length <= APUS_JSON_SHORT_LENGTH) {
      *end_++ = uint16_t(head | gap << 7 | length);
    } else {
      *end_++ = uint16_t(head | APUS_JSON_LONG_GAP << 7);
      append_half(gap);
      append_half(length);
    }
    text_end_ = start_ + offset + length;
  }

  // A nonempty container. Its size is set when it is closed.
  void append_container(uint16_t kind, size_t offset) {
    size_t gap = begin(offset);
    uint16_t head = uint16_t(1 << 15 | kind << 12);
    if (gap < APUS_JSON_LONG_GAP) {
      *end_++ = uint16_t(head | gap << 7);
      *end_++ = 0;
    } else {
      *end_++ = uint16_t(head | APUS_JSON_LONG_GAP << 7);
      append_half(gap);
      append_half(0);
    }
    // The text length of an object is known when it is closed; until then, its start.
    if (kind == APUS_JSON_OBJECT) {
      append_half(start_ + offset);
      object_count_++;
    }
    text_end_ = start_ + offset + 1;
  }

  void set_size(uint16_t *entry, size_t size) {
    bool is_long = (entry[0] >> 7 & 31) == APUS_JSON_LONG_GAP;
    if (!is_array(entry[0])) {
      uint16_t *text = entry + (is_long ? 5 : 2);
      size_t length = text_end_ - (text[0] | size_t(text[1]) << 16);
      text[0] = uint16_t(length);
      text[1] = uint16_t(length >> 16);
    }
    if (is_long) {
      entry[3] = uint16_t(size);
      entry[4] = uint16_t(size >> 16);
      return;
    }
    if (size > APUS_JSON_SHORT_SIZE) {
      sizes_.push_back(uint32_t(size));
      size = APUS_JSON_SHORT_SIZE + sizes_.size();
    }
    entry[0] = uint16_t(entry[0] | size >> 16);
    entry[1] = uint16_t(size);
  }

  // Only white space separates a closing quote from the next token, so the quote is found from there.
  bool string(size_t at) {
    size_t close = limit() - 1;
    while (close > at && is_space(bytes_[close])) close--;
    if (close <= at || bytes_[close] != '"') return stop(APUS_JSON_UNCLOSED_STRING, at);
    size_t start = at + 1;
    bool has_escape = has_backslash(bytes_ + start, close - start);
    if (has_escape) {
      size_t bad = bad_escape(bytes_, start, close);
      if (bad != close) return stop(APUS_JSON_INVALID_ESCAPE, bad);
    }
    append(APUS_JSON_STRING, has_escape, close - start, start);
    return true;
  }

  bool literal(size_t at, const char *word, size_t size, uint16_t kind) {
    size_t last = limit();
    bool is_it = last - at >= size && std::memcmp(bytes_ + at, word, size) == 0;
    if (!is_it || (last - at > size && !is_space(bytes_[at + size]))) return stop(APUS_JSON_UNEXPECTED, at);
    append(kind, false, size, at);
    return true;
  }

  bool number(size_t at) {
    size_t last = limit(), p = at;
    if (bytes_[p] == '-') p++;
    if (p >= last || !is_digit(bytes_[p])) return stop(APUS_JSON_INVALID_NUMBER, at);
    if (bytes_[p] == '0') p++;
    else while (p < last && is_digit(bytes_[p])) p++;
    if (p < last && bytes_[p] == '.') {
      p++;
      if (p >= last || !is_digit(bytes_[p])) return stop(APUS_JSON_INVALID_NUMBER, at);
      while (p < last && is_digit(bytes_[p])) p++;
    }
    if (p < last && (bytes_[p] | 0x20) == 'e') {
      p++;
      if (p < last && (bytes_[p] == '+' || bytes_[p] == '-')) p++;
      if (p >= last || !is_digit(bytes_[p])) return stop(APUS_JSON_INVALID_NUMBER, at);
      while (p < last && is_digit(bytes_[p])) p++;
    }
    if (p < last && !is_space(bytes_[p])) return stop(APUS_JSON_INVALID_NUMBER, at);
    append(APUS_JSON_NUMBER, false, p - at, at);
    return true;
  }
};
