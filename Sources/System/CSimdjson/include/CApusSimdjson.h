#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A JSON text as a tape of 16-bit units, in document order: an entry for each key, scalar, array and object. An object's
/// members are key, value, key, value. So small that no text costs more than twice its own bytes beside them.
///
///     bit  15      strings: the text has escapes; arrays and objects: something is in them
///     bits 12…14   kind, one of APUS_JSON_*
///     bits 7…11    gap: the bytes of text between the end of the entry before and the beginning of this one
///     bits 0…6     length in bytes (of a string without its quotes; 1 for an array or object: its bracket)
///
/// A string begins behind its quote. Where gap or length are larger, the entry is a long one: its gap is all ones, and
/// four units follow: gap and length as 32 bits each, the lower half first.
///
/// What has something in it has a size in the place of its length: the units from its entry to behind its last one. It
/// has 23 bits: seven in the first unit, sixteen in one that follows. Beyond 2^22 - 1 they are 2^22 and an index in
/// `sizes`. A long entry has all of its size in itself. Behind the size an object has two units more: the bytes of text
/// from its bracket to the end of its last entry. In an array's text there is no room for that.
///
/// Where an entry's text is, is known only from the one before: a place is both.
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
  /// The units from one milestone to the next.
  APUS_JSON_MILESTONE = 2048,
};

/// Where an entry is: its first unit, and where in the text the entry before it ended.
typedef struct {
  uint32_t unit;
  uint32_t offset;
} apus_json_place;

typedef struct {
  uint16_t *units;
  size_t count;
  /// For every APUS_JSON_MILESTONE units the first entry that begins there or behind; the tape's end if there is none. So
  /// what is behind a large array is found without a walk through it.
  apus_json_place *milestones;
  size_t milestone_count;
  uint32_t *sizes;
  /// How many objects have something in them.
  size_t object_count;
} apus_json_tape;

void apus_json_tape_free(apus_json_tape *tape);

/// Parses `length` bytes, fewer than 4 GiB. On success the caller frees the tape. On failure `*error_offset` is the place.
int apus_json_parse(
    const uint8_t *bytes, size_t length, uint32_t max_depth, apus_json_tape *tape, size_t *error_offset);

/// The same for a text that arrives in pieces: the tape is made while more is awaited.
typedef struct apus_json_reader apus_json_reader;

apus_json_reader *apus_json_reader_create(uint32_t max_depth);
void apus_json_reader_free(apus_json_reader *reader);

/// Takes what there is of the text so far, from its beginning; it may have moved, but may not have changed. Nothing is
/// done before a megabyte waits to be parsed.
void apus_json_reader_read(apus_json_reader *reader, const uint8_t *bytes, size_t length);

/// Where in the text the part begins that is still to be parsed.
size_t apus_json_reader_place(const apus_json_reader *reader);

/// The whole text; after this the reader can only be freed.
int apus_json_reader_finish(
    apus_json_reader *reader, const uint8_t *bytes, size_t length, apus_json_tape *tape, size_t *error_offset);

#ifdef __cplusplus
}
#endif
