#pragma once

// The part of libcrypto that Apus uses: SHA-256 in one call.

#include <openssl/sha.h>
