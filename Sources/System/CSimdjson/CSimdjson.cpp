#include "CApusSimdjson.h"

#include "FaultFinder.h"
#include "JSONText.h"
#include "TapeBuilder.h"

#include "AnySimdjson.h"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>

namespace {

using Parser = simdjson::internal::dom_parser_implementation;

// The buffers of the first stage, four bytes per byte of text. Each thread keeps buffers of common sizes, because
// touching fresh pages costs more than the stage itself.
constexpr size_t kept_capacity = 8 << 20;

Parser *parser_for(size_t length, std::unique_ptr<Parser> &large) {
  static thread_local std::unique_ptr<Parser> kept;
  static thread_local size_t capacity = 0;
  std::unique_ptr<Parser> &parser = length <= kept_capacity ? kept : large;
  if (parser && length <= capacity) return parser.get();
  size_t wanted = length;
  if (length <= kept_capacity) for (wanted = 4096; wanted < length;) wanted *= 2;
  parser.reset();
  if (apus::active_implementation()->create_dom_parser_implementation(wanted, 1, parser) != simdjson::SUCCESS)
    return nullptr;
  prefer_large_pages(parser->structural_indexes.get(), wanted * sizeof(uint32_t));
  if (length <= kept_capacity) capacity = wanted;
  return parser.get();
}

// Pieces of this size and their tokens stay in the processor's caches between the two stages. Fuzzers use small pieces.
#ifdef APUS_JSON_PIECE_SIZE
constexpr size_t piece_size = APUS_JSON_PIECE_SIZE;
#else
constexpr size_t piece_size = 512 << 10;
#endif

// Whether a value or key may begin here. Words do not count, because in prose many follow a comma.
bool begins_value(const uint8_t *bytes, size_t at, size_t length) {
  auto is = [&](const char *word, size_t size) { return length - at >= size && !std::memcmp(bytes + at, word, size); };
  switch (bytes[at]) {
    case '"': case '{': case '[': case '-': return true;
    case 't': return is("true", 4);
    case 'f': return is("false", 5);
    case 'n': return is("null", 4);
    default: return is_digit(bytes[at]);
  }
}

// The last position in `from ..< to` at which the text can be split: a comma followed by a value or key. It may be
// inside a string, which the first stage then reports as unclosed. `from` if there is none.
size_t cut(const uint8_t *bytes, size_t from, size_t to) {
  size_t behind = to;
  for (size_t at = to; at-- > from;) {
    if (bytes[at] == ',' && behind < to && begins_value(bytes, behind, to)) return at;
    if (!is_space(bytes[at])) behind = at;
  }
  return from;
}

// Finds a position to split the text where the fast search failed, as in a long string. It reads every byte, so it is
// always right, and continues where it stopped when more text arrives.
class CommaFinder {
 public:
  // Starts at a comma or at the beginning of the text.
  explicit CommaFinder(size_t place) : at_(place > 0 ? place + 1 : 0) {}

  // The last comma before `wanted` outside strings, or the first one after it; 0 if there is none yet.
  size_t find(const uint8_t *bytes, size_t wanted, size_t length) {
    while (at_ < length && (at_ < wanted || comma_ == 0)) {
      if (string_start_ > 0) {
        auto *quote = static_cast<const uint8_t *>(std::memchr(bytes + at_, '"', length - at_));
        at_ = quote == nullptr ? length : size_t(quote - bytes) + 1;
        if (quote != nullptr && !is_escaped(bytes, at_ - 1)) string_start_ = 0;
        continue;
      }
      uint8_t byte = bytes[at_++];
      if (byte == ',') {
        if (at_ > wanted && comma_ > 0) break;
        comma_ = at_ - 1;
      } else if (byte == '"') {
        string_start_ = at_;
        token_count_++;
      } else if (is_operator(byte) || (!is_space(byte) && at_ > 1 && is_space(bytes[at_ - 2]))) {
        token_count_++;
      }
    }
    return comma_;
  }

  // Whether the text has more tokens without a comma than a valid text can have at this depth: each one belongs to a
  // key, or opens or closes a container.
  bool is_hopeless(size_t max_depth) const { return comma_ == 0 && token_count_ > 8 * max_depth; }

 private:
  size_t at_;
  // The position after the opening quote of the string at `at_`; 0 outside strings.
  size_t string_start_ = 0;
  size_t comma_ = 0;
  size_t token_count_ = 0;

  // Whether a quote inside a string is escaped.
  bool is_escaped(const uint8_t *bytes, size_t quote) const {
    size_t slashes = 0;
    while (quote - slashes > string_start_ && bytes[quote - slashes - 1] == '\\') slashes++;
    return slashes % 2 == 1;
  }
};

}  // namespace

struct apus_json_reader {
 public:
  explicit apus_json_reader(size_t max_depth) : max_depth_(max_depth), builder_(max_depth) {}
  apus_json_reader(const apus_json_reader &) = delete;
  apus_json_reader &operator=(const apus_json_reader &) = delete;

  size_t place() const { return place_; }

  // Reads all complete pieces. Errors are reported at the end of the text.
  void read(const uint8_t *bytes, size_t length) {
    while (!has_failed_ && length - place_ >= 2 * piece_size && length < simdjson::SIMDJSON_MAXSIZE_BYTES) {
      int code = unclosed_string;
      size_t end = place_ + piece_size;
      for (int tries = 0; tries < 4 && code == unclosed_string && !commas_; tries++) {
        end = cut(bytes, place_ + 1, end);
        if (end == place_ + 1) break;
        code = read_piece(bytes, end, false);
      }
      if (code == unclosed_string) {
        if (!commas_) commas_.emplace(place_);
        end = commas_->find(bytes, place_ + piece_size, length);
        has_failed_ = commas_->is_hopeless(max_depth_);
        if (end == 0) return;
        commas_.reset();
        code = read_piece(bytes, end, false);
      }
      has_failed_ = code != APUS_JSON_OK;
    }
  }

  int finish(const uint8_t *bytes, size_t length, apus_json_tape *tape, size_t *error_offset) {
    *error_offset = 0;
    if (length == 0) return APUS_JSON_EMPTY;
    if (length >= simdjson::SIMDJSON_MAXSIZE_BYTES) return APUS_JSON_TOO_LARGE;
    read(bytes, length);
    int code = has_failed_ ? APUS_JSON_UNEXPECTED : read_piece(bytes, length, true);
    if (code == APUS_JSON_OK) return builder_.take(tape) ? APUS_JSON_OK : APUS_JSON_OUT_OF_MEMORY;
    if (code == APUS_JSON_EMPTY || code == APUS_JSON_OUT_OF_MEMORY) return code;
    FaultFinder finder(bytes, length, max_depth_);
    code = finder.find(builder_);
    if (code == APUS_JSON_OK) return builder_.take(tape) ? APUS_JSON_OK : APUS_JSON_OUT_OF_MEMORY;
    *error_offset = finder.offset;
    return code;
  }

 private:
  // An addition to the codes of the header: the first stage found a string that does not end, or ends in the wrong
  // place.
  static constexpr int unclosed_string = -1;

  const size_t max_depth_;
  TapeBuilder builder_;
  // The text before this position has been read.
  size_t place_ = 0;
  // Set while it searches for a comma that has not arrived.
  std::optional<CommaFinder> commas_;
  bool has_failed_ = false;

  int read_piece(const uint8_t *bytes, size_t end, bool is_last) {
    std::unique_ptr<Parser> large;
    Parser *parser = parser_for(end - place_, large);
    if (parser == nullptr) return APUS_JSON_OUT_OF_MEMORY;
    switch (parser->stage1(bytes + place_, end - place_, simdjson::stage1_mode::regular)) {
      case simdjson::SUCCESS: break;
      case simdjson::EMPTY: return APUS_JSON_EMPTY;
      case simdjson::UNCLOSED_STRING:
      case simdjson::UNESCAPED_CHARS: return unclosed_string;
      default: return APUS_JSON_UNEXPECTED;
    }
    int code = builder_.build(
        bytes, place_, end - place_, parser->structural_indexes.get(), parser->n_structural_indexes, is_last);
    if (code == APUS_JSON_OK) place_ = end;
    return code;
  }
};

extern "C" void apus_json_tape_free(apus_json_tape *tape) {
  std::free(tape->units);
  std::free(tape->milestones);
  std::free(tape->sizes);
}

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
  // Piece by piece, so that the tokens of a long text need little memory.
  apus_json_reader reader(max_depth);
  return reader.finish(bytes, length, tape, error_offset);
}
