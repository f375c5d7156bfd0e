#pragma once

// The keyring of the user's session (Secret Service API) through libsecret, which is loaded on the first call. Its header
// files are not needed to build Apus. All functions block, and may wait for the user to unlock the keyring.

#include <CApusLazyLoad.h>
#include <stddef.h>

/// NULL if libsecret can be loaded, else the reason and what to install.
const char *apus_keyring_failure(void);

/// Stores a secret under a key, in place of an earlier one. Returns 0, or -1 with the reason in `failure`.
int apus_keyring_store(const char *key, const char *label, const char *secret, char *failure, size_t size);

/// Returns the secret of a key, which `apus_keyring_free` releases; NULL if there is none. `failure` is empty, or has the
/// reason why the keyring could not be read.
char *apus_keyring_load(const char *key, char *failure, size_t size);

/// Removes the secret of a key, if there is one. Returns 0, or -1 with the reason in `failure`.
int apus_keyring_remove(const char *key, char *failure, size_t size);

/// Overwrites and releases a secret.
void apus_keyring_free(char *secret);
