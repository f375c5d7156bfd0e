#include "CApusCurl.h"

static bool is_loaded(void);

APUS_CURL_FUNCTIONS(APUS_LAZY_DEFINE)

CURLcode (*apus_curl_setopt)(CURL *easy, CURLoption option, ...);
CURLcode (*apus_curl_getinfo)(CURL *easy, CURLINFO info, ...);

static const apus_lazy_function functions[] = {
    APUS_CURL_FUNCTIONS(APUS_LAZY_ENTRY)
    {"curl_easy_setopt", (void **)&apus_curl_setopt},
    {"curl_easy_getinfo", (void **)&apus_curl_getinfo},
};

static apus_lazy_library library = APUS_LAZY_LIBRARY("libcurl.so.4", "libcurl.4.dylib", "libcurl4", functions);

static bool is_loaded(void) { return apus_lazy_load(&library); }

const char *apus_curl_failure(void) { return apus_lazy_failure(&library); }
