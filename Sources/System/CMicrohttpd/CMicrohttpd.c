#include "CApusMicrohttpd.h"

static bool is_loaded(void);

APUS_MHD_FUNCTIONS(APUS_LAZY_DEFINE)

// The variadic functions. Without a running daemon there is nothing to query or close.
static struct MHD_Daemon *(*start_daemon)(
    unsigned int flags, uint16_t port, MHD_AcceptPolicyCallback accept, void *accept_context,
    MHD_AccessHandlerCallback handler, void *handler_context, ...);
static const union MHD_DaemonInfo *(*get_daemon_info)(struct MHD_Daemon *daemon, enum MHD_DaemonInfoType type, ...);
static enum MHD_Result (*set_connection_option)(
    struct MHD_Connection *connection, enum MHD_CONNECTION_OPTION option, ...);
static enum MHD_Result (*upgrade_action)(
    struct MHD_UpgradeResponseHandle *handle, enum MHD_UpgradeAction action, ...);

static const apus_lazy_function functions[] = {
    APUS_MHD_FUNCTIONS(APUS_LAZY_ENTRY)
    {"MHD_start_daemon", (void **)&start_daemon},
    {"MHD_get_daemon_info", (void **)&get_daemon_info},
    {"MHD_set_connection_option", (void **)&set_connection_option},
    {"MHD_upgrade_action", (void **)&upgrade_action},
};

static apus_lazy_library library =
    APUS_LAZY_LIBRARY("libmicrohttpd.so.12", "libmicrohttpd.12.dylib", "libmicrohttpd12", functions);

static bool is_loaded(void) { return apus_lazy_load(&library); }

const char *apus_mhd_failure(void) { return apus_lazy_failure(&library); }

struct MHD_Daemon *apus_mhd_start(
    uint16_t port, unsigned int silence, MHD_AccessHandlerCallback handler, MHD_RequestCompletedCallback completed,
    void *context) {
  struct sockaddr_in address;
  memset(&address, 0, sizeof address);
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (!is_loaded()) return NULL;
  // MHD_USE_AUTO would choose epoll, with which the library can miss the end of a connection that arrives together with
  // data: the socket of a half-sent request would never be closed.
  return start_daemon(
      MHD_USE_POLL | MHD_USE_INTERNAL_POLLING_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_ALLOW_UPGRADE, port, NULL, NULL,
      handler, context, MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address, MHD_OPTION_NOTIFY_COMPLETED, completed, context,
      MHD_OPTION_CONNECTION_TIMEOUT, silence, MHD_OPTION_END);
}

uint16_t apus_mhd_port(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
  return info ? info->port : 0;
}

void apus_mhd_limit_silence(struct MHD_Connection *connection, unsigned int seconds) {
  set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, seconds);
}

void apus_mhd_close_upgraded(struct MHD_UpgradeResponseHandle *handle) {
  upgrade_action(handle, MHD_UPGRADE_ACTION_CLOSE);
}
