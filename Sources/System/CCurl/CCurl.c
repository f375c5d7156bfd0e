#define _GNU_SOURCE 1

#include "CApusCurl.h"

#include <dlfcn.h>
#include <stdio.h>

static bool is_loaded(void);

APUS_CURL_FUNCTIONS(APUS_LAZY_DEFINE)

CURLcode (*apus_curl_setopt)(CURL *easy, CURLoption option, ...);
CURLcode (*apus_curl_getinfo)(CURL *easy, CURLINFO info, ...);
CURLMcode (*apus_curl_multi_setopt)(CURLM *multi, CURLMoption option, ...);

static const apus_lazy_function functions[] = {
    APUS_CURL_FUNCTIONS(APUS_LAZY_ENTRY)
    {"curl_easy_setopt", (void **)&apus_curl_setopt},
    {"curl_easy_getinfo", (void **)&apus_curl_getinfo},
    {"curl_multi_setopt", (void **)&apus_curl_multi_setopt},
};

static apus_lazy_library library = APUS_LAZY_LIBRARY("libcurl.so.4", "libcurl.4.dylib", "libcurl4", functions);

static bool is_loaded(void) { return apus_lazy_load(&library); }

typedef const char *(*session_text)(const void *session);
typedef const void *(*session_cipher)(const void *session);

bool apus_curl_get_tls_session(CURL *easy, char *buffer, size_t size) {
  struct curl_tlssessioninfo *info = NULL;
  if (!apus_lazy_load(&library) || apus_curl_getinfo(easy, CURLINFO_TLS_SSL_PTR, &info) != CURLE_OK || !info) return false;
  if (info->backend != CURLSSLBACKEND_OPENSSL || !info->internals) return false;
  // These functions are looked up among the loaded libraries, so that they come from the TLS library that libcurl uses.
  Dl_info place;
  if (!dladdr((void *)apus_curl_getinfo, &place)) return false;
  void *curl = dlopen(place.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  if (!curl) return false;
  session_text version = (session_text)dlsym(curl, "SSL_get_version");
  session_cipher cipher = (session_cipher)dlsym(curl, "SSL_get_current_cipher");
  session_text name = (session_text)dlsym(curl, "SSL_CIPHER_get_name");
  bool is_known = false;
  if (version && cipher && name && cipher(info->internals)) {
    int count = snprintf(buffer, size, "%s %s", version(info->internals), name(cipher(info->internals)));
    is_known = count > 0 && (size_t)count < size;
  }
  dlclose(curl);
  return is_known;
}

const char *apus_curl_failure(void) { return apus_lazy_failure(&library); }
