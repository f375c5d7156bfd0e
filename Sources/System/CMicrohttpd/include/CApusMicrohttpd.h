#pragma once

// libmicrohttpd for Swift: loaded on the first call, with its variadic functions for the options that Apus uses.

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

/// NULL if libmicrohttpd can be loaded, else the reason and what to install.
const char *apus_mhd_failure(void);

/// A daemon with its own thread that is reachable only from this machine; NULL if the port is in use. With port 0 the
/// system chooses one. A connection that is idle for `silence` seconds is closed.
struct MHD_Daemon *apus_mhd_start(
    uint16_t port, unsigned int silence, MHD_AccessHandlerCallback handler, MHD_RequestCompletedCallback completed,
    void *context);

/// Sets the idle time in seconds after which a connection is closed; 0 for never.
void apus_mhd_limit_silence(struct MHD_Connection *connection, unsigned int seconds);

/// The port of the daemon; 0 if it is unknown.
uint16_t apus_mhd_port(struct MHD_Daemon *daemon);

/// Closes an upgraded connection.
void apus_mhd_close_upgraded(struct MHD_UpgradeResponseHandle *handle);

static const ssize_t apus_mhd_end_of_stream = -1;
static const ssize_t apus_mhd_end_with_error = -2;
