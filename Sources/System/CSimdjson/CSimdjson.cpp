#include "CSimdjson.h"

#include <simdjson.h>
#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

// simdjson's first stage finds the structure of the text (and checks its UTF-8) many bytes at a time; the second stage
// here walks that structure and writes positions instead of copies. So a number keeps its text whatever its size, and
// strings are decoded by whoever wants them.

namespace {

constexpr uint64_t length_limit = (uint64_t(1) << 27) - 1;

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

// The place of the first escape that JSON does not have, or `end`.
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

// Checks the grammar (RFC 8259) and writes the tape, piece by piece: each piece but the last ends between a value and
// the comma behind it.
class Builder {
 public:
  explicit Builder(size_t max_depth) : max_depth_(max_depth) {}

  size_t error_offset = 0;
  // How many words the tape has so far.
  size_t word_count = 0;

  // Reads the piece of the text that begins at `start`, behind the pieces before. The tape must have room for two more
  // words a token.
  int build(
      uint64_t *const tape, const uint8_t *text, size_t start, size_t length, const uint32_t *tokens,
      size_t token_count, bool is_last) {
    bytes_ = text + start;
    start_ = start;
    length_ = length;
    tokens_ = tokens;
    token_count_ = token_count;
    next_ = 0;
    end_ = tape + word_count;
    int code = walk(tape, is_last);
    word_count = size_t(end_ - tape);
    return code;
  }

 private:
  int walk(uint64_t *const tape, bool is_last) {
    auto &open = open_;
    bool in_array = !open.empty() && tape[open.back().word] >> 60 == APUS_JSON_ARRAY;
    size_t at;
    if (!open.empty()) goto comma;

  value:
    if (next_ >= token_count_) return fail(APUS_JSON_UNEXPECTED, length_);
    at = tokens_[next_++];
    switch (bytes_[at]) {
      case '{':
      case '[':
        if (open.size() >= max_depth_) return fail(APUS_JSON_TOO_DEEP, at);
        open.push_back({size_t(end_ - tape), 0});
        in_array = bytes_[at] == '[';
        end_[0] = uint64_t(in_array ? APUS_JSON_ARRAY : APUS_JSON_OBJECT) << 60 | (start_ + at);
        end_ += 2;
        if (next_ < token_count_ && bytes_[tokens_[next_]] == (in_array ? ']' : '}')) {
          next_++;
          goto close;
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
    open.back().count++;
    if (next_ >= token_count_) return is_last ? fail(APUS_JSON_UNEXPECTED, length_) : APUS_JSON_OK;

  comma:
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
    uint64_t *head = tape + open.back().word;
    head[0] |= (open.back().count < length_limit ? open.back().count : length_limit) << 32;
    head[1] = uint64_t(end_ - tape);
    open.pop_back();
    in_array = !open.empty() && tape[open.back().word] >> 60 == APUS_JSON_ARRAY;
    goto after_value;
  }

  struct Open {
    size_t word;     // where the container's word is
    uint64_t count;  // members or elements so far
  };

  size_t max_depth_;
  std::vector<Open> open_;
  // The piece, and where in the text it begins: places in it are counted from there.
  const uint8_t *bytes_ = nullptr;
  size_t start_ = 0;
  size_t length_ = 0;
  const uint32_t *tokens_ = nullptr;
  size_t token_count_ = 0;
  size_t next_ = 0;
  uint64_t *end_ = nullptr;
  int code_ = APUS_JSON_OK;

  bool stop(int code, size_t offset) {
    error_offset = start_ + offset;
    code_ = code;
    return false;
  }

  int fail(int code, size_t offset) {
    stop(code, offset);
    return code;
  }

  // Where the token behind the current one begins.
  size_t limit() const { return next_ < token_count_ ? tokens_[next_] : length_; }

  void append(uint64_t kind, bool has_escape, size_t length, size_t offset) {
    uint64_t head = kind << 60 | uint64_t(has_escape) << 59 | (start_ + offset);
    if (length < length_limit) {
      *end_++ = head | uint64_t(length) << 32;
    } else {
      *end_++ = head | length_limit << 32;
      *end_++ = length;
    }
  }

  // Only white space stands between a string's closing quote and the next token, so the quote is found from there.
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

  bool literal(size_t at, const char *word, size_t size, uint64_t kind) {
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

// simdjson says that there is a bad place but not where; the places are found again, slowly.
size_t invalid_utf8_offset(const uint8_t *bytes, size_t length) {
  auto continues = [&](size_t first, size_t count) {
    for (size_t at = first; at < first + count; at++)
      if (at >= length || (bytes[at] & 0xC0) != 0x80) return false;
    return true;
  };
  for (size_t at = 0; at < length;) {
    uint8_t byte = bytes[at];
    size_t more = byte < 0x80 ? 0 : byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3;
    if ((byte >= 0x80 && byte < 0xC2) || byte > 0xF4 || !continues(at + 1, more)) return at;
    // Longer forms than needed, surrogates, and what lies beyond the last code point.
    if ((byte == 0xE0 && bytes[at + 1] < 0xA0) || (byte == 0xED && bytes[at + 1] > 0x9F)) return at;
    if ((byte == 0xF0 && bytes[at + 1] < 0x90) || (byte == 0xF4 && bytes[at + 1] > 0x8F)) return at;
    at += more + 1;
  }
  return length;
}

// Finds what is wrong with a string, and lets the grammar speak first where something is wrong before it: a page of
// HTML should not be called an unclosed string.
int bad_string(const uint8_t *bytes, size_t length, size_t max_depth, size_t *error_offset) {
  std::vector<uint32_t> tokens;
  int code = APUS_JSON_UNEXPECTED;
  *error_offset = length;
  size_t at = 0, readable = length;
  while (at < readable) {
    uint8_t byte = bytes[at];
    if (is_space(byte)) {
      at++;
      continue;
    }
    size_t token = at++;
    if (byte == '"') {
      while (at < length && bytes[at] != '"' && bytes[at] >= 0x20) at += bytes[at] == '\\' ? 2 : 1;
      if (at >= length || bytes[at] < 0x20) {
        code = at >= length ? APUS_JSON_UNCLOSED_STRING : APUS_JSON_CONTROL_CHARACTER;
        *error_offset = at >= length ? token : at;
        readable = token;
        break;
      }
      at++;
    } else if (!is_operator(byte)) {
      while (at < length && !is_space(bytes[at]) && !is_operator(bytes[at])) at++;
    }
    tokens.push_back(uint32_t(token));
  }
  std::vector<uint64_t> tape(2 * tokens.size() + 2);
  Builder builder(max_depth);
  int earlier = builder.build(tape.data(), bytes, 0, readable, tokens.data(), tokens.size(), true);
  if (earlier == APUS_JSON_OK || builder.error_offset >= readable) return code;
  *error_offset = builder.error_offset;
  return earlier;
}

using Parser = simdjson::internal::dom_parser_implementation;

// The first stage's buffers, four bytes for each byte of text: a thread keeps those of texts of usual size, as the
// pages of fresh ones cost more than the stage itself.
constexpr size_t kept_capacity = 8 << 20;

// Half of the time that a large text takes is the system handing out pages one by one: ask it for large ones.
void prefer_large_pages(void *start, size_t size) {
#ifdef MADV_HUGEPAGE
  constexpr uintptr_t page = 4096;
  if (size < (8 << 20)) return;
  uintptr_t first = (reinterpret_cast<uintptr_t>(start) + page - 1) & ~(page - 1);
  uintptr_t last = (reinterpret_cast<uintptr_t>(start) + size) & ~(page - 1);
  madvise(reinterpret_cast<void *>(first), last - first, MADV_HUGEPAGE);
#else
  (void)start;
  (void)size;
#endif
}

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
  prefer_large_pages(parser->structural_indexes.get(), wanted * sizeof(uint32_t));
  if (length <= kept_capacity) capacity = wanted;
  return parser.get();
}

// Pieces of this size and their tokens stay in the processor's caches between the two stages. Fuzzers take small ones.
#ifdef APUS_JSON_PIECE_SIZE
constexpr size_t piece_size = APUS_JSON_PIECE_SIZE;
#else
constexpr size_t piece_size = 512 << 10;
#endif

// The last place in `from ..< to` where a text can be taken apart: a comma behind which a value or a key begins. It may
// be within a string, which the first stage then finds unclosed. `from` when there is none.
size_t cut(const uint8_t *bytes, size_t from, size_t to) {
  uint8_t behind = ' ';
  for (size_t at = to; at-- > from;) {
    uint8_t byte = bytes[at];
    if (byte == ',' && (behind == '"' || behind == '{' || behind == '[' || behind == '-' || is_digit(behind)))
      return at;
    if (!is_space(byte)) behind = byte;
  }
  return from;
}

}  // namespace

struct apus_json_reader {
 public:
  explicit apus_json_reader(size_t max_depth) : max_depth_(max_depth), builder_(max_depth) {}
  ~apus_json_reader() { std::free(words_); }
  apus_json_reader(const apus_json_reader &) = delete;
  apus_json_reader &operator=(const apus_json_reader &) = delete;

  size_t place() const { return place_; }

  // Reads as many pieces as there are whole ones. What is wrong with the text is told at its end.
  void read(const uint8_t *bytes, size_t length) {
    while (!has_failed_ && length - place_ >= 2 * window_ && length < simdjson::SIMDJSON_MAXSIZE_BYTES) {
      size_t end = place_ + window_;
      int code = unclosed_string;
      for (int tries = 0; tries < 4 && code == unclosed_string; tries++) {
        end = cut(bytes, place_ + 1, end);
        if (end == place_ + 1) break;
        code = read_piece(bytes, end, false);
      }
      // No place to cut: a longer piece will have one.
      window_ = code == unclosed_string ? 2 * window_ : piece_size;
      has_failed_ = code != APUS_JSON_OK && code != unclosed_string;
    }
  }

  int finish(const uint8_t *bytes, size_t length, apus_json_tape *tape, size_t *error_offset) {
    *error_offset = 0;
    if (length == 0) return APUS_JSON_EMPTY;
    if (length >= simdjson::SIMDJSON_MAXSIZE_BYTES) return APUS_JSON_TOO_LARGE;
    int code = has_failed_ ? APUS_JSON_UNEXPECTED : read_piece(bytes, length, true);
    if (code != APUS_JSON_OK && (place_ > 0 || has_failed_)) {
      // What is wrong is looked for in the whole text: not every fault is where a piece was first found not to fit.
      builder_ = Builder(max_depth_);
      place_ = 0;
      code = read_piece(bytes, length, true);
    }
    switch (code) {
      case APUS_JSON_OK: break;
      case APUS_JSON_INVALID_UTF8: *error_offset = invalid_utf8_offset(bytes, length); return code;
      case unclosed_string: return bad_string(bytes, length, max_depth_, error_offset);
      default: *error_offset = builder_.error_offset; return code;
    }
    // Commas, colons and closing brackets have no words: what they would have taken is given back.
    tape->count = builder_.word_count;
    auto *shrunk = static_cast<uint64_t *>(std::realloc(words_, tape->count * sizeof(uint64_t)));
    tape->words = shrunk != nullptr ? shrunk : words_;
    words_ = nullptr;
    return APUS_JSON_OK;
  }

 private:
  // Beside the codes of the header: the first stage says that a string does not end, or not where it should.
  static constexpr int unclosed_string = -1;

  const size_t max_depth_;
  Builder builder_;
  uint64_t *words_ = nullptr;
  size_t capacity_ = 0;
  // What stands before this place has been read.
  size_t place_ = 0;
  size_t window_ = piece_size;
  bool has_failed_ = false;

  int read_piece(const uint8_t *bytes, size_t end, bool is_last) {
    std::unique_ptr<Parser> large;
    Parser *parser = parser_for(end - place_, large);
    if (parser == nullptr) return APUS_JSON_OUT_OF_MEMORY;
    switch (parser->stage1(bytes + place_, end - place_, simdjson::stage1_mode::regular)) {
      case simdjson::SUCCESS: break;
      case simdjson::EMPTY: return APUS_JSON_EMPTY;
      case simdjson::UTF8_ERROR: return APUS_JSON_INVALID_UTF8;
      case simdjson::UNCLOSED_STRING:
      case simdjson::UNESCAPED_CHARS: return unclosed_string;
      default: return APUS_JSON_UNEXPECTED;
    }
    size_t count = parser->n_structural_indexes;
    if (!reserve(2 * count + 2)) return APUS_JSON_OUT_OF_MEMORY;
    int code =
        builder_.build(words_, bytes, place_, end - place_, parser->structural_indexes.get(), count, is_last);
    if (code == APUS_JSON_OK) place_ = end;
    return code;
  }

  // Room for so many words behind those that the tape has.
  bool reserve(size_t more) {
    size_t needed = builder_.word_count + more;
    if (needed <= capacity_) return true;
    size_t wanted = needed > 2 * capacity_ ? needed : 2 * capacity_;
    auto *grown = static_cast<uint64_t *>(std::realloc(words_, wanted * sizeof(uint64_t)));
    if (grown == nullptr) return false;
    words_ = grown;
    capacity_ = wanted;
    prefer_large_pages(words_, wanted * sizeof(uint64_t));
    return true;
  }
};

extern "C" apus_json_reader *apus_json_reader_create(uint32_t max_depth) { return new apus_json_reader(max_depth); }

extern "C" void apus_json_reader_free(apus_json_reader *reader) { delete reader; }

extern "C" void apus_json_reader_read(apus_json_reader *reader, const uint8_t *bytes, size_t length) {
  reader->read(bytes, length);
}

extern "C" size_t apus_json_reader_place(const apus_json_reader *reader) { return reader->place(); }

extern "C" int apus_json_reader_finish(
    apus_json_reader *reader, const uint8_t *bytes, size_t length, apus_json_tape *tape, size_t *error_offset) {
  return reader->finish(bytes, length, tape, error_offset);
}

extern "C" int apus_json_parse(
    const uint8_t *bytes, size_t length, uint32_t max_depth, apus_json_tape *tape, size_t *error_offset) {
  // Piece by piece, so that the tokens of a long text take no room beside its tape.
  apus_json_reader reader(max_depth);
  reader.read(bytes, length);
  return reader.finish(bytes, length, tape, error_offset);
}
