#pragma once

// The part of libcrypto that Apus uses: digests in one call, and Base64.

#include <openssl/evp.h>
#include <openssl/sha.h>
