#define _GNU_SOURCE

#include "CApusSpawn.h"

#ifdef __linux__

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

// Only async-signal-safe functions are allowed between fork and exec, because other threads may have held locks.

static int place_streams(const int streams[3]) {
  for (int target = 0; target < 3; target++) {
    int source = streams[target];
    if (source == APUS_STREAM_OURS) continue;
    if (source == APUS_STREAM_NOWHERE) source = open("/dev/null", target == 0 ? O_RDONLY : O_WRONLY);
    if (source < 0) return -1;
    // `dup2` onto the same descriptor does nothing, so close-on-exec would stay set.
    if (source == target ? fcntl(source, F_SETFD, 0) < 0 : dup2(source, target) < 0) return -1;
    if (streams[target] == APUS_STREAM_NOWHERE && source != target) close(source);
  }
  return 0;
}

static void run(
    pid_t parent, const char *program, char *const words[], char *const settings[], const int streams[3], int signal) {
  struct sigaction plain = {.sa_handler = SIG_DFL};
  for (int number = 1; number < NSIG; number++) sigaction(number, &plain, NULL);
  if (prctl(PR_SET_PDEATHSIG, signal) != 0) return;
  // The parent may have ended before the request.
  if (getppid() != parent) {
    errno = ESRCH;
    return;
  }
  if (place_streams(streams) != 0) return;
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  execvpe(program, words, settings);
}

int apus_spawn_with_thread(
    pid_t *child, const char *program, char *const words[], char *const settings[], const int streams[3], int signal) {
  // Reports why the program did not start; a successful start closes it.
  int news[2];
  if (pipe2(news, O_CLOEXEC) != 0) return errno;
  pid_t parent = getpid();
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t process = fork();
  if (process == 0) {
    run(parent, program, words, settings, streams, signal);
    int code = errno;
    (void)!write(news[1], &code, sizeof(code));
    _exit(127);
  }
  int code = process < 0 ? errno : 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  close(news[1]);
  if (process > 0) {
    int told = 0;
    ssize_t count;
    do count = read(news[0], &told, sizeof(told));
    while (count < 0 && errno == EINTR);
    if (count == sizeof(told)) {
      code = told;
      while (waitpid(process, NULL, 0) < 0 && errno == EINTR) {}
    }
  }
  close(news[0]);
  *child = process;
  return code;
}

#else
// ISO C forbids an empty translation unit.
typedef int apus_spawn_is_for_linux;
#endif
