#pragma once

// libjq: filters over JSON, loaded on the first call. It aborts the process when memory runs out, so it is used only in
// a child process.

#include <CApusLazyLoad.h>

#define APUS_JQ_FUNCTIONS(F) \
  F(int, jq_compile, (jq_state * state, const char *program), (state, program), 0) \
  F(jv, jq_format_error, (jv message), (message), (jv){0}) \
  F(jv, jq_get_error_message, (jq_state * state), (state), (jv){0}) \
  F(jv, jq_get_exit_code, (jq_state * state), (state), (jv){0}) \
  F(int, jq_halted, (jq_state * state), (state), 0) \
  F(jq_state *, jq_init, (void), (), NULL) \
  F(jv, jq_next, (jq_state * state), (state), (jv){0}) \
  F(void, jq_set_attr, (jq_state * state, jv name, jv value), (state, name, value), (void)0) \
  F(void, jq_set_error_cb, (jq_state * state, jq_msg_cb callback, void *context), (state, callback, context), (void)0) \
  F(void, jq_start, (jq_state * state, jv input, int flags), (state, input, flags), (void)0) \
  F(void, jq_teardown, (jq_state * *state), (state), (void)0) \
  F(jv, jv_array, (void), (), (jv){0}) \
  F(jv, jv_copy, (jv value), (value), value) \
  F(jv, jv_dump_string, (jv value, int flags), (value, flags), (jv){0}) \
  F(void, jv_free, (jv value), (value), (void)0) \
  F(jv_kind, jv_get_kind, (jv value), (value), JV_KIND_INVALID) \
  F(jv, jv_invalid_get_msg, (jv value), (value), (jv){0}) \
  F(int, jv_invalid_has_msg, (jv value), (value), 0) \
  F(jv, jv_null, (void), (), (jv){0}) \
  F(jv, jv_parse_sized, (const char *text, int size), (text, size), (jv){0}) \
  F(jv, jv_string, (const char *text), (text), (jv){0}) \
  F(int, jv_string_length_bytes, (jv text), (text), 0) \
  F(double, jv_number_value, (jv number), (number), 0) \
  F(const char *, jv_string_value, (jv text), (text), "")

APUS_JQ_FUNCTIONS(APUS_LAZY_RENAME)

#include <jq.h>

/// NULL if libjq can be loaded, else the reason and what to install.
const char *apus_jq_failure(void);
