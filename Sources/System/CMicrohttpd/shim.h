#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/types.h>

#include <microhttpd.h>

// Swift cannot call variadic functions: these fix the options that Apus uses.

/// A daemon with one thread of its own, reachable from this machine only; NULL when the port is taken. Port 0 lets
/// the system choose.
static inline struct MHD_Daemon *apus_mhd_start(
    uint16_t port, MHD_AccessHandlerCallback handler, MHD_RequestCompletedCallback completed, void *context) {
  struct sockaddr_in address;
  memset(&address, 0, sizeof address);
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return MHD_start_daemon(
      MHD_USE_AUTO | MHD_USE_INTERNAL_POLLING_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_ALLOW_UPGRADE, port, NULL, NULL, handler, context,
      MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address, MHD_OPTION_NOTIFY_COMPLETED, completed, context,
      MHD_OPTION_END);
}

/// The port that the daemon listens on; 0 when it cannot be told.
static inline uint16_t apus_mhd_port(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
  return info ? info->port : 0;
}

/// Ends an upgraded connection.
static inline void apus_mhd_close_upgraded(struct MHD_UpgradeResponseHandle *handle) {
  MHD_upgrade_action(handle, MHD_UPGRADE_ACTION_CLOSE);
}

static const ssize_t apus_mhd_end_of_stream = -1;
static const ssize_t apus_mhd_end_with_error = -2;
