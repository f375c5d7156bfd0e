#include "CApusCompression.h"

#include <stdlib.h>
#include <string.h>

// The declarations of the libraries that are used here. Their binary interfaces are stable: libz.so.1, libbrotlidec.so.1,
// libzstd.so.1.

typedef struct {
  const uint8_t *next_in;
  unsigned avail_in;
  unsigned long total_in;
  uint8_t *next_out;
  unsigned avail_out;
  unsigned long total_out;
  const char *message;
  void *state;
  void *(*allocate)(void *, unsigned, unsigned);
  void (*release)(void *, void *);
  void *opaque;
  int data_type;
  unsigned long adler;
  unsigned long reserved;
} zlib_stream;

enum { ZLIB_OK = 0, ZLIB_STREAM_END = 1, ZLIB_BUFFER_ERROR = -5, ZLIB_SYNC_FLUSH = 2 };

typedef struct {
  void *bytes;
  size_t size;
  size_t position;
} zstd_output;

typedef struct {
  const void *bytes;
  size_t size;
  size_t position;
} zstd_input;

#define ZLIB_FUNCTIONS(F) \
  F(int, inflateInit2_, (zlib_stream * stream, int window, const char *version, int size), \
    (stream, window, version, size), -6) \
  F(int, inflate, (zlib_stream * stream, int flush), (stream, flush), -6) \
  F(int, inflateReset, (zlib_stream * stream), (stream), -6) \
  F(int, inflateEnd, (zlib_stream * stream), (stream), -6)

#define BROTLI_FUNCTIONS(F) \
  F(void *, BrotliDecoderCreateInstance, (void *allocate, void *release, void *context), (allocate, release, context), \
    NULL) \
  F(int, BrotliDecoderDecompressStream, \
    (void *state, size_t *input_size, const uint8_t **input, size_t *output_size, uint8_t **output, size_t *total), \
    (state, input_size, input, output_size, output, total), 0) \
  F(void, BrotliDecoderDestroyInstance, (void *state), (state), (void)0)

#define ZSTD_FUNCTIONS(F) \
  F(void *, ZSTD_createDStream, (void), (), NULL) \
  F(size_t, ZSTD_decompressStream, (void *stream, zstd_output *output, zstd_input *input), (stream, output, input), \
    (size_t)-1) \
  F(unsigned, ZSTD_isError, (size_t code), (code), 1) \
  F(size_t, ZSTD_freeDStream, (void *stream), (stream), 0)

static bool has_zlib(void);
static bool has_brotli(void);
static bool has_zstd(void);

#define DEFINE(is_loaded, result, name, parameters, arguments, absent) \
  static result(*real_##name) parameters; \
  static result apus_##name parameters { return is_loaded() ? real_##name arguments : absent; }
#define DEFINE_ZLIB(result, name, parameters, arguments, absent) DEFINE(has_zlib, result, name, parameters, arguments, absent)
#define DEFINE_BROTLI(result, name, parameters, arguments, absent) \
  DEFINE(has_brotli, result, name, parameters, arguments, absent)
#define DEFINE_ZSTD(result, name, parameters, arguments, absent) DEFINE(has_zstd, result, name, parameters, arguments, absent)

ZLIB_FUNCTIONS(DEFINE_ZLIB)
BROTLI_FUNCTIONS(DEFINE_BROTLI)
ZSTD_FUNCTIONS(DEFINE_ZSTD)

static const apus_lazy_function zlib_functions[] = {ZLIB_FUNCTIONS(APUS_LAZY_ENTRY)};
static const apus_lazy_function brotli_functions[] = {BROTLI_FUNCTIONS(APUS_LAZY_ENTRY)};
static const apus_lazy_function zstd_functions[] = {ZSTD_FUNCTIONS(APUS_LAZY_ENTRY)};

static apus_lazy_library zlib = APUS_LAZY_LIBRARY("libz.so.1", "libz.1.dylib", "zlib1g", zlib_functions);
static apus_lazy_library brotli =
    APUS_LAZY_LIBRARY("libbrotlidec.so.1", "libbrotlidec.1.dylib", "libbrotli1", brotli_functions);
static apus_lazy_library zstd = APUS_LAZY_LIBRARY("libzstd.so.1", "libzstd.1.dylib", "libzstd1", zstd_functions);

static bool has_zlib(void) { return apus_lazy_load(&zlib); }
static bool has_brotli(void) { return apus_lazy_load(&brotli); }
static bool has_zstd(void) { return apus_lazy_load(&zstd); }

static apus_lazy_library *library(apus_compression format) {
  return format == APUS_BROTLI ? &brotli : format == APUS_ZSTD ? &zstd : &zlib;
}

const char *apus_compression_failure(apus_compression format) { return apus_lazy_failure(library(format)); }

struct apus_decoder {
  apus_compression format;
  zlib_stream stream;
  /// The decoder of Brotli or Zstandard.
  void *state;
};

apus_decoder *apus_decoder_create(apus_compression format) {
  if (!apus_lazy_load(library(format))) return NULL;
  apus_decoder *decoder = calloc(1, sizeof *decoder);
  if (!decoder) return NULL;
  decoder->format = format;
  bool is_ready = false;
  switch (format) {
    // 32 recognizes the headers of gzip and zlib, a negative window has none.
    case APUS_ZLIB:
    case APUS_RAW_DEFLATE:
      is_ready = apus_inflateInit2_(
                     &decoder->stream, format == APUS_ZLIB ? 15 + 32 : -15, "1.2.11", (int)sizeof decoder->stream)
                 == ZLIB_OK;
      break;
    case APUS_BROTLI: is_ready = (decoder->state = apus_BrotliDecoderCreateInstance(NULL, NULL, NULL)) != NULL; break;
    case APUS_ZSTD: is_ready = (decoder->state = apus_ZSTD_createDStream()) != NULL; break;
  }
  if (is_ready) return decoder;
  free(decoder);
  return NULL;
}

static ptrdiff_t decode_zlib(
    zlib_stream *stream, const uint8_t **input, size_t *input_size, uint8_t *output, size_t output_size) {
  stream->next_in = *input;
  stream->avail_in = (unsigned)*input_size;
  stream->next_out = output;
  stream->avail_out = (unsigned)output_size;
  int code = apus_inflate(stream, ZLIB_SYNC_FLUSH);
  *input = stream->next_in;
  *input_size = stream->avail_in;
  // Another member may follow.
  if (code == ZLIB_STREAM_END && stream->avail_in > 0) code = apus_inflateReset(stream);
  if (code != ZLIB_OK && code != ZLIB_STREAM_END && code != ZLIB_BUFFER_ERROR) return -1;
  return (ptrdiff_t)(output_size - stream->avail_out);
}

static ptrdiff_t decode_brotli(
    void *state, const uint8_t **input, size_t *input_size, uint8_t *output, size_t output_size) {
  size_t rest = output_size;
  if (apus_BrotliDecoderDecompressStream(state, input_size, input, &rest, &output, NULL) == 0) return -1;
  return (ptrdiff_t)(output_size - rest);
}

static ptrdiff_t decode_zstd(
    void *state, const uint8_t **input, size_t *input_size, uint8_t *output, size_t output_size) {
  zstd_output to = {output, output_size, 0};
  zstd_input from = {*input, *input_size, 0};
  size_t code = apus_ZSTD_decompressStream(state, &to, &from);
  *input += from.position;
  *input_size -= from.position;
  return apus_ZSTD_isError(code) ? -1 : (ptrdiff_t)to.position;
}

ptrdiff_t apus_decoder_decode(
    apus_decoder *decoder, const uint8_t **input, size_t *input_size, uint8_t *output, size_t output_size) {
  switch (decoder->format) {
    case APUS_ZLIB:
    case APUS_RAW_DEFLATE: return decode_zlib(&decoder->stream, input, input_size, output, output_size);
    case APUS_BROTLI: return decode_brotli(decoder->state, input, input_size, output, output_size);
    case APUS_ZSTD: return decode_zstd(decoder->state, input, input_size, output, output_size);
  }
  return -1;
}

void apus_decoder_free(apus_decoder *decoder) {
  if (!decoder) return;
  switch (decoder->format) {
    case APUS_ZLIB:
    case APUS_RAW_DEFLATE: apus_inflateEnd(&decoder->stream); break;
    case APUS_BROTLI: apus_BrotliDecoderDestroyInstance(decoder->state); break;
    case APUS_ZSTD: apus_ZSTD_freeDStream(decoder->state); break;
  }
  free(decoder);
}
