#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A JSON text as a tape of 16-bit units, in document order: an entry for each key, scalar, array and object. The
/// members of an object are key, value, key, value. A tape is never larger than twice its text.
///
///     bit  15      strings: the text has escapes; arrays and objects: something is in them
///     bits 12…14   kind, one of APUS_JSON_*
///     bits 7…11    gap: the bytes of text between the end of the entry before and the beginning of this one
///     bits 0…6     length in bytes (of a string without its quotes; 1 for an array or object: its bracket)
///
/// A string begins after its quote. If the gap or length is larger, the entry is a long one: its gap is all ones, and
/// four units follow: gap and length as 32 bits each, the lower half first.
///
/// A nonempty container has a size instead of a length: the number of units from its entry to the end of its last one.
/// The size has 23 bits: seven in the first unit and sixteen in the next. Sizes beyond 2^22 - 1 are stored as 2^22 plus
/// an index into `sizes`. A long entry contains its whole size. After the size, an object has two more units: the bytes
/// of text from its bracket to the end of its last entry. An array does not store this.
///
/// The start of an entry's text follows from the entry before, so a position consists of both.
enum {
  APUS_JSON_NULL = 0,
  APUS_JSON_FALSE = 1,
  APUS_JSON_TRUE = 2,
  APUS_JSON_NUMBER = 3,
  APUS_JSON_STRING = 4,
  APUS_JSON_ARRAY = 5,
  APUS_JSON_OBJECT = 6,
};

enum {
  APUS_JSON_OK = 0,
  APUS_JSON_EMPTY,
  APUS_JSON_TOO_LARGE,
  APUS_JSON_TOO_DEEP,
  APUS_JSON_INVALID_UTF8,
  APUS_JSON_UNCLOSED_STRING,
  APUS_JSON_CONTROL_CHARACTER,
  APUS_JSON_INVALID_ESCAPE,
  APUS_JSON_INVALID_NUMBER,
  APUS_JSON_UNEXPECTED,
  APUS_JSON_TRAILING,
  APUS_JSON_OUT_OF_MEMORY,
};

enum {
  APUS_JSON_LONG_GAP = 31,
  APUS_JSON_SHORT_LENGTH = 127,
  APUS_JSON_SHORT_SIZE = (1 << 22) - 1,
  /// The number of units between milestones.
  APUS_JSON_MILESTONE = 2048,
};

/// The position of an entry: its first unit, and the end of the previous entry in the text.
typedef struct {
  uint32_t unit;
  uint32_t offset;
} apus_json_place;

typedef struct {
  uint16_t *units;
  size_t count;
  /// For every APUS_JSON_MILESTONE units, the first entry that begins there or later; the end of the tape if there is
  /// none. With milestones, the entry after a large array is found without walking through it.
  apus_json_place *milestones;
  size_t milestone_count;
  uint32_t *sizes;
  /// The number of nonempty objects.
  size_t object_count;
} apus_json_tape;

void apus_json_tape_free(apus_json_tape *tape);

/// Parses `length` bytes, fewer than 4 GiB. On success the caller frees the tape. On failure `*error_offset` is the
/// position.
int apus_json_parse(
    const uint8_t *bytes, size_t length, uint32_t max_depth, apus_json_tape *tape, size_t *error_offset);

/// A parser for a text that arrives in pieces, which builds the tape while it waits for more.
typedef struct apus_json_reader apus_json_reader;

apus_json_reader *apus_json_reader_create(uint32_t max_depth);
void apus_json_reader_free(apus_json_reader *reader);

/// Reads the text received so far, from its beginning. It may have moved but not changed. Work starts only when a
/// megabyte is waiting.
void apus_json_reader_read(apus_json_reader *reader, const uint8_t *bytes, size_t length);

/// The position up to which the text is parsed.
size_t apus_json_reader_place(const apus_json_reader *reader);

/// Parses the complete text. Afterwards the reader can only be freed.
int apus_json_reader_finish(
    apus_json_reader *reader, const uint8_t *bytes, size_t length, apus_json_tape *tape, size_t *error_offset);

#ifdef __cplusplus
}
#endif
