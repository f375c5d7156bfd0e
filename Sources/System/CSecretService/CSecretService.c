#include "CApusSecretService.h"

#include <stdio.h>

// The declarations of libsecret and GLib that are used here. Their binary interfaces are stable: libsecret-1.so.0,
// libglib-2.0.so.0.

typedef struct {
  unsigned domain;
  int code;
  char *message;
} GError;

typedef struct GHashTable GHashTable;

typedef struct {
  const char *name;
  int type;
} SecretSchemaAttribute;

typedef struct {
  const char *name;
  int flags;
  SecretSchemaAttribute attributes[32];
  int reserved;
  void *reserved_pointers[7];
} SecretSchema;

#define FUNCTIONS(F) \
  F(GHashTable *, g_hash_table_new, (void *hash, void *equal), (hash, equal), NULL) \
  F(int, g_hash_table_insert, (GHashTable * table, void *key, void *value), (table, key, value), 0) \
  F(void, g_hash_table_unref, (GHashTable * table), (table), (void)0) \
  F(void, g_error_free, (GError * error), (error), (void)0) \
  F(int, secret_password_storev_sync, \
    (const SecretSchema *schema, GHashTable *attributes, const char *collection, const char *label, \
     const char *password, void *cancellable, GError **error), \
    (schema, attributes, collection, label, password, cancellable, error), 0) \
  F(char *, secret_password_lookupv_sync, \
    (const SecretSchema *schema, GHashTable *attributes, void *cancellable, GError **error), \
    (schema, attributes, cancellable, error), NULL) \
  F(int, secret_password_clearv_sync, \
    (const SecretSchema *schema, GHashTable *attributes, void *cancellable, GError **error), \
    (schema, attributes, cancellable, error), 0) \
  F(void, secret_password_free, (char *password), (password), (void)0) \
  F(unsigned, g_str_hash, (const void *text), (text), 0) \
  F(int, g_str_equal, (const void *first, const void *second), (first, second), 0)

static bool is_loaded(void);

#define DEFINE(result, name, parameters, arguments, absent) \
  static result(*real_##name) parameters; \
  static result apus_##name parameters { return is_loaded() ? real_##name arguments : absent; }

FUNCTIONS(DEFINE)

static const apus_lazy_function functions[] = {FUNCTIONS(APUS_LAZY_ENTRY)};

static apus_lazy_library library =
    APUS_LAZY_LIBRARY("libsecret-1.so.0", "libsecret-1.0.dylib", "libsecret-1-0", functions);

static bool is_loaded(void) { return apus_lazy_load(&library); }

const char *apus_keyring_failure(void) { return apus_lazy_failure(&library); }

static const SecretSchema schema = {
    .name = "apus.SignIn",
    .attributes = {{"key", 0}},
};

static GHashTable *attributes_of(const char *key) {
  GHashTable *attributes = apus_g_hash_table_new((void *)apus_g_str_hash, (void *)apus_g_str_equal);
  apus_g_hash_table_insert(attributes, (void *)"key", (void *)key);
  return attributes;
}

/// Copies the reason of a failure and releases it. Returns whether there was one.
static bool take(GError *error, char *failure, size_t size) {
  if (!error) return false;
  snprintf(failure, size, "%s", error->message ? error->message : "unknown reason");
  apus_g_error_free(error);
  return true;
}

/// Whether the library is there; else writes the reason.
static bool begin(char *failure, size_t size) {
  const char *reason = apus_keyring_failure();
  snprintf(failure, size, "%s", reason ? reason : "");
  return !reason;
}

int apus_keyring_store(const char *key, const char *label, const char *secret, char *failure, size_t size) {
  if (!begin(failure, size)) return -1;
  GError *error = NULL;
  GHashTable *attributes = attributes_of(key);
  int stored = apus_secret_password_storev_sync(&schema, attributes, "default", label, secret, NULL, &error);
  apus_g_hash_table_unref(attributes);
  if (take(error, failure, size)) return -1;
  if (!stored) snprintf(failure, size, "the keyring did not store the secret");
  return stored ? 0 : -1;
}

char *apus_keyring_load(const char *key, char *failure, size_t size) {
  if (!begin(failure, size)) return NULL;
  GError *error = NULL;
  GHashTable *attributes = attributes_of(key);
  char *secret = apus_secret_password_lookupv_sync(&schema, attributes, NULL, &error);
  apus_g_hash_table_unref(attributes);
  take(error, failure, size);
  return secret;
}

int apus_keyring_remove(const char *key, char *failure, size_t size) {
  if (!begin(failure, size)) return -1;
  GError *error = NULL;
  GHashTable *attributes = attributes_of(key);
  apus_secret_password_clearv_sync(&schema, attributes, NULL, &error);
  apus_g_hash_table_unref(attributes);
  return take(error, failure, size) ? -1 : 0;
}

void apus_keyring_free(char *secret) {
  if (secret) apus_secret_password_free(secret);
}
