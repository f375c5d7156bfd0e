#pragma once

// Decoders of compressed content for Swift: zlib, Brotli and Zstandard, each loaded when it is first needed. Their
// declarations are in the source file, so that the package builds without their headers.

#include <CApusLazyLoad.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
  /// gzip, or deflate with the header of zlib.
  APUS_ZLIB,
  /// deflate without a header.
  APUS_RAW_DEFLATE,
  APUS_BROTLI,
  APUS_ZSTD,
} apus_compression;

typedef struct apus_decoder apus_decoder;

/// NULL if the library of a format can be loaded, else the reason and what to install.
const char *apus_compression_failure(apus_compression format);

/// A decoder; NULL if its library cannot be loaded or memory is exhausted.
apus_decoder *apus_decoder_create(apus_compression format);

/// Decodes bytes and advances the input. Returns the number of bytes written, or -1 if the input is not valid. If it is the
/// size of the output, more may follow without further input.
ptrdiff_t apus_decoder_decode(
    apus_decoder *decoder, const uint8_t **input, size_t *input_size, uint8_t *output, size_t output_size);

void apus_decoder_free(apus_decoder *decoder);
