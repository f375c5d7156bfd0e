#pragma once

// libmicrohttpd as Swift can call it: loaded on the first call, and its variadic functions with the options that Apus uses.

#include <CApusLazyLoad.h>

#define APUS_MHD_FUNCTIONS(F) \
  F(enum MHD_Result, MHD_add_response_header, (struct MHD_Response * response, const char *name, const char *value), \
    (response, name, value), MHD_NO) \
  F(struct MHD_Response *, MHD_create_response_for_upgrade, (MHD_UpgradeHandler handler, void *context), \
    (handler, context), NULL) \
  F(struct MHD_Response *, MHD_create_response_from_buffer, \
    (size_t size, void *bytes, enum MHD_ResponseMemoryMode mode), (size, bytes, mode), NULL) \
  F(struct MHD_Response *, MHD_create_response_from_callback, \
    (uint64_t size, size_t block, MHD_ContentReaderCallback read, void *context, MHD_ContentReaderFreeCallback free), \
    (size, block, read, context, free), NULL) \
  F(void, MHD_destroy_response, (struct MHD_Response * response), (response), (void)0) \
  F(int, MHD_get_connection_values, \
    (struct MHD_Connection * connection, enum MHD_ValueKind kind, MHD_KeyValueIterator take, void *context), \
    (connection, kind, take, context), 0) \
  F(const char *, MHD_get_version, (void), (), NULL) \
  F(enum MHD_Result, MHD_queue_response, \
    (struct MHD_Connection * connection, unsigned int status, struct MHD_Response *response), \
    (connection, status, response), MHD_NO) \
  F(void, MHD_resume_connection, (struct MHD_Connection * connection), (connection), (void)0) \
  F(void, MHD_stop_daemon, (struct MHD_Daemon * daemon), (daemon), (void)0) \
  F(void, MHD_suspend_connection, (struct MHD_Connection * connection), (connection), (void)0)

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/types.h>

APUS_MHD_FUNCTIONS(APUS_LAZY_RENAME)

#include <microhttpd.h>

/// NULL when libmicrohttpd is there, else why it is not and what to install.
const char *apus_mhd_failure(void);

/// A daemon with one thread of its own, reachable from this machine only; NULL when the port is taken. Port 0 lets
/// the system choose. A connection on which nothing moves for `silence` seconds is closed.
struct MHD_Daemon *apus_mhd_start(
    uint16_t port, unsigned int silence, MHD_AccessHandlerCallback handler, MHD_RequestCompletedCallback completed,
    void *context);

/// Sets after how many seconds in which nothing moves a connection is closed; 0 for never.
void apus_mhd_limit_silence(struct MHD_Connection *connection, unsigned int seconds);

/// The port that the daemon listens on; 0 when it cannot be told.
uint16_t apus_mhd_port(struct MHD_Daemon *daemon);

/// Ends an upgraded connection.
void apus_mhd_close_upgraded(struct MHD_UpgradeResponseHandle *handle);

static const ssize_t apus_mhd_end_of_stream = -1;
static const ssize_t apus_mhd_end_with_error = -2;
