#include "CApusBaselines.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#ifdef __APPLE__
#include <util.h>
#else
#include <pty.h>
#endif

int yardstick_terminal_spawn(char *const arguments[], int columns, int rows, int32_t *process) {
  struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
  int terminal = -1;
  pid_t child = forkpty(&terminal, NULL, NULL, &size);
  if (child < 0) return -1;
  if (child == 0) {
    // The calling thread may have blocked signals; a program in a terminal starts with none blocked.
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execvp(arguments[0], arguments);
    _exit(127);
  }
  *process = child;
  return terminal;
}
