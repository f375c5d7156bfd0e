#pragma once

// libcurl for Swift: loaded on the first call, with one function per value type for the variadic setters and getters,
// and functions for macros.

#include <CApusLazyLoad.h>

#define APUS_CURL_FUNCTIONS(F) \
  F(CURL *, curl_easy_init, (void), (), NULL) \
  F(void, curl_easy_cleanup, (CURL * easy), (easy), (void)0) \
  F(CURLcode, curl_easy_pause, (CURL * easy, int mask), (easy, mask), CURLE_FAILED_INIT) \
  F(CURLcode, curl_easy_perform, (CURL * easy), (easy), CURLE_FAILED_INIT) \
  F(CURLcode, curl_easy_recv, (CURL * easy, void *buffer, size_t size, size_t *count), (easy, buffer, size, count), \
    CURLE_FAILED_INIT) \
  F(void, curl_easy_reset, (CURL * easy), (easy), (void)0) \
  F(CURLcode, curl_easy_send, (CURL * easy, const void *buffer, size_t size, size_t *count), \
    (easy, buffer, size, count), CURLE_FAILED_INIT) \
  F(const char *, curl_easy_strerror, (CURLcode code), (code), NULL) \
  F(void, curl_free, (void *bytes), (bytes), (void)0) \
  F(CURLcode, curl_global_init, (long flags), (flags), CURLE_FAILED_INIT) \
  F(CURLMcode, curl_multi_add_handle, (CURLM * multi, CURL * easy), (multi, easy), CURLM_INTERNAL_ERROR) \
  F(CURLMcode, curl_multi_cleanup, (CURLM * multi), (multi), CURLM_INTERNAL_ERROR) \
  F(CURLMsg *, curl_multi_info_read, (CURLM * multi, int *left), (multi, left), NULL) \
  F(CURLM *, curl_multi_init, (void), (), NULL) \
  F(CURLMcode, curl_multi_perform, (CURLM * multi, int *running), (multi, running), CURLM_INTERNAL_ERROR) \
  F(CURLMcode, curl_multi_poll, \
    (CURLM * multi, struct curl_waitfd more[], unsigned int count, int milliseconds, int *ready), \
    (multi, more, count, milliseconds, ready), CURLM_INTERNAL_ERROR) \
  F(CURLMcode, curl_multi_remove_handle, (CURLM * multi, CURL * easy), (multi, easy), CURLM_INTERNAL_ERROR) \
  F(CURLMcode, curl_multi_wakeup, (CURLM * multi), (multi), CURLM_INTERNAL_ERROR) \
  F(struct curl_slist *, curl_slist_append, (struct curl_slist * list, const char *text), (list, text), NULL) \
  F(void, curl_slist_free_all, (struct curl_slist * list), (list), (void)0) \
  F(CURLU *, curl_url, (void), (), NULL) \
  F(void, curl_url_cleanup, (CURLU * url), (url), (void)0) \
  F(CURLUcode, curl_url_get, (CURLU * url, CURLUPart part, char **text, unsigned flags), (url, part, text, flags), \
    CURLUE_OUT_OF_MEMORY) \
  F(CURLUcode, curl_url_set, (CURLU * url, CURLUPart part, const char *text, unsigned flags), \
    (url, part, text, flags), CURLUE_OUT_OF_MEMORY) \
  F(char *, curl_version, (void), (), NULL) \
  F(curl_version_info_data *, curl_version_info, (CURLversion age), (age), NULL)

APUS_CURL_FUNCTIONS(APUS_LAZY_RENAME)

#include <curl/curl.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

typedef size_t (*apus_curl_data_callback)(char *bytes, size_t size, size_t count, void *context);
typedef int (*apus_curl_prerequest_callback)(
    void *context, char *remote_address, char *local_address, int remote_port, int local_port);

static const size_t apus_curl_abort_reading = CURL_READFUNC_ABORT;
static const size_t apus_curl_pause = CURL_WRITEFUNC_PAUSE;
static const int apus_curl_prerequest_ok = CURL_PREREQFUNC_OK;
static const int apus_curl_prerequest_abort = CURL_PREREQFUNC_ABORT;
static const int apus_curl_error_size = CURL_ERROR_SIZE;

/// NULL if libcurl can be loaded, else the reason and what to install.
const char *apus_curl_failure(void);

// The variadic functions, called through these. They are set before the first handle exists.
extern CURLcode (*apus_curl_setopt)(CURL *easy, CURLoption option, ...);
extern CURLcode (*apus_curl_getinfo)(CURL *easy, CURLINFO info, ...);
extern CURLMcode (*apus_curl_multi_setopt)(CURLM *multi, CURLMoption option, ...);

// The version of the loaded library, which may differ from the one at build time: 0x075801 for 7.88.1.
static inline unsigned apus_curl_version(void) {
  curl_version_info_data *info = curl_version_info(CURLVERSION_NOW);
  return info ? info->version_num : 0;
}

// Sets the name of the calling thread for debuggers and process viewers, at most 15 characters.
static inline void apus_name_thread(const char *name) {
#ifdef __linux__
  prctl(PR_SET_NAME, name, 0, 0, 0);
#else
  pthread_setname_np(name);
#endif
}

static inline CURLcode apus_curl_global_init(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }

// The number of connections kept open for later requests.
static inline CURLMcode apus_curl_set_kept_connections(CURLM *multi, long count) {
  return apus_curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, count);
}

static inline CURLcode apus_curl_set_long(CURL *easy, CURLoption option, long value) {
  return apus_curl_setopt(easy, option, value);
}

static inline CURLcode apus_curl_set_size(CURL *easy, CURLoption option, int64_t value) {
  return apus_curl_setopt(easy, option, (curl_off_t)value);
}

static inline CURLcode apus_curl_set_string(CURL *easy, CURLoption option, const char *value) {
  return apus_curl_setopt(easy, option, value);
}

static inline CURLcode apus_curl_set_pointer(CURL *easy, CURLoption option, void *value) {
  return apus_curl_setopt(easy, option, value);
}

static inline CURLcode apus_curl_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
  return apus_curl_setopt(easy, option, value);
}

static inline CURLcode apus_curl_set_url(CURL *easy, CURLU *value) {
  return apus_curl_setopt(easy, CURLOPT_CURLU, value);
}

static inline CURLcode apus_curl_set_data_callback(CURL *easy, CURLoption option, apus_curl_data_callback value) {
  return apus_curl_setopt(easy, option, value);
}

static inline CURLcode apus_curl_set_seek_callback(CURL *easy, curl_seek_callback value) {
  return apus_curl_setopt(easy, CURLOPT_SEEKFUNCTION, value);
}

static inline CURLcode apus_curl_set_debug_callback(CURL *easy, curl_debug_callback value) {
  return apus_curl_setopt(easy, CURLOPT_DEBUGFUNCTION, value);
}

// Whether the loaded library has a feature, one of the CURL_VERSION_ constants.
static inline bool apus_curl_has_feature(int feature) {
  curl_version_info_data *info = curl_version_info(CURLVERSION_NOW);
  return info && (info->features & feature);
}

static inline CURLcode apus_curl_set_prerequest_callback(CURL *easy, apus_curl_prerequest_callback value) {
  return apus_curl_setopt(easy, CURLOPT_PREREQFUNCTION, value);
}

// Only http and https are allowed, also in redirects.
static inline CURLcode apus_curl_allow_only_http(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075500
  return apus_curl_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
#else
  return apus_curl_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

// A canceled transfer does not wait for a pending name lookup.
static inline void apus_curl_leave_quickly(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075700
  apus_curl_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#else
  (void)easy;
#endif
}

static inline int apus_curl_mark_socket(void *context, curl_socket_t socket, curlsocktype purpose) {
  (void)context;
  (void)purpose;
  fcntl(socket, F_SETFD, FD_CLOEXEC);
  return CURL_SOCKOPT_OK;
}

// Child processes must not inherit the socket, or a connection closed here would stay open there.
static inline void apus_curl_keep_sockets_private(CURL *easy) {
  apus_curl_setopt(easy, CURLOPT_SOCKOPTFUNCTION, apus_curl_mark_socket);
}

static inline long apus_curl_get_long(CURL *easy, CURLINFO info) {
  long value = 0;
  return apus_curl_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}

static inline int64_t apus_curl_get_size(CURL *easy, CURLINFO info) {
  curl_off_t value = 0;
  return apus_curl_getinfo(easy, info, &value) == CURLE_OK ? (int64_t)value : 0;
}

static inline const char *apus_curl_get_string(CURL *easy, CURLINFO info) {
  char *value = NULL;
  return apus_curl_getinfo(easy, info, &value) == CURLE_OK ? value : NULL;
}

/* The known cookies as lines of a cookie file. The caller frees the list. */
static inline struct curl_slist *apus_curl_get_cookies(CURL *easy) {
  struct curl_slist *lines = NULL;
  return apus_curl_getinfo(easy, CURLINFO_COOKIELIST, &lines) == CURLE_OK ? lines : NULL;
}

/* The certificates that the server sent when the connection was made; NULL if it sent none. */
static inline const struct curl_certinfo *apus_curl_get_certificates(CURL *easy) {
  struct curl_certinfo *chain = NULL;
  return apus_curl_getinfo(easy, CURLINFO_CERTINFO, &chain) == CURLE_OK ? chain : NULL;
}

/* Writes the TLS version and cipher of a running transfer, such as "TLSv1.3 TLS_AES_256_GCM_SHA384". Returns whether
   they are known, which requires that libcurl uses OpenSSL. */
bool apus_curl_get_tls_session(CURL *easy, char *buffer, size_t size);

// A number of the caller's that is attached to a handle.
static inline void apus_curl_set_id(CURL *easy, uint64_t id) {
  apus_curl_setopt(easy, CURLOPT_PRIVATE, (void *)(uintptr_t)id);
}

static inline uint64_t apus_curl_get_id(CURL *easy) {
  char *value = NULL;
  return apus_curl_getinfo(easy, CURLINFO_PRIVATE, &value) == CURLE_OK ? (uint64_t)(uintptr_t)value : 0;
}

// The socket of a connect-only handle; CURL_SOCKET_BAD if there is none.
static inline curl_socket_t apus_curl_get_socket(CURL *easy) {
  curl_socket_t value = CURL_SOCKET_BAD;
  return apus_curl_getinfo(easy, CURLINFO_ACTIVESOCKET, &value) == CURLE_OK ? value : CURL_SOCKET_BAD;
}

static const short apus_curl_wait_in = CURL_WAIT_POLLIN;
static const short apus_curl_wait_out = CURL_WAIT_POLLOUT;

static inline int apus_curl_message_is_done(const CURLMsg *message) { return message->msg == CURLMSG_DONE; }

static inline CURLcode apus_curl_message_result(const CURLMsg *message) { return message->data.result; }
