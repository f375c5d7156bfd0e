#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A JSON text as a tape of 64-bit words, in document order.
///
///     bits 60…63  kind, one of APUS_JSON_*
///     bit  59     strings: the text has escapes
///     bits 32…58  scalars: length in bytes (strings without their quotes), or all ones: the next word has it;
///                 containers: number of members or elements, or all ones: count them
///     bits 0…31   offset of the first byte in the text (strings: behind the quote)
///
/// A container's word is followed by one word: the index behind the container's last word. An object's members are
/// key, value, key, value.
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

typedef struct {
  uint64_t *words;
  size_t count;
} apus_json_tape;

/// Parses `length` bytes, fewer than 4 GiB. On success the caller frees `tape->words` with free(). On failure
/// `*error_offset` is the place.
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
