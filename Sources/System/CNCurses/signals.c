// Signal handlers, which only call `write` and `tcsetattr`. The rest happens in the loop that reads the pipe.

#define _DEFAULT_SOURCE 1
#define _DARWIN_C_SOURCE 1

#include "CApusNCurses.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

static int pipe_ends[2] = {-1, -1};
static struct termios found_modes;
static bool has_found_modes;
static uint8_t farewell[512];
static size_t farewell_count;
static atomic_bool is_armed;
static atomic_int end_signal;
static uint8_t alternate_stack[32768];

static const int loop_signals[] = {
    SIGWINCH, SIGTSTP, SIGCONT, SIGHUP, SIGTERM, SIGINT, SIGQUIT,
    // By default these end a program like SIGTERM. A user, a limit or the system may send them.
    SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGIO,
#ifdef SIGPWR
    SIGPWR,
#endif
#ifdef SIGSTKFLT
    SIGSTKFLT,
#endif
};
static const int crash_signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS};
enum {
  loop_signal_count = sizeof(loop_signals) / sizeof(loop_signals[0]),
  crash_signal_count = sizeof(crash_signals) / sizeof(crash_signals[0]),
};
static struct sigaction found_loop_actions[loop_signal_count];
static struct sigaction found_crash_actions[crash_signal_count];

// Restores the terminal, once. Async-signal-safe.
static void say_farewell(void) {
  if (!atomic_exchange(&is_armed, false)) return;
  int descriptor = apus_screen_output();
  size_t written = 0;
  while (written < farewell_count) {
    ssize_t count = write(descriptor, farewell + written, farewell_count - written);
    if (count < 0 && errno == EAGAIN) {
      // A slow terminal gets one second.
      struct pollfd waiting = {.fd = descriptor, .events = POLLOUT};
      if (poll(&waiting, 1, 1000) > 0) continue;
    }
    if (count <= 0) break;
    written += (size_t)count;
  }
  if (has_found_modes) tcsetattr(descriptor, TCSANOW, &found_modes);
  apus_error_output_release();
}

static void tell_loop(uint8_t byte) {
  int saved = errno;
  // A full pipe loses nothing, because any byte in it makes the loop check everything.
  ssize_t ignored = write(pipe_ends[1], &byte, 1);
  (void)ignored;
  errno = saved;
}

static void on_loop_signal(int number) {
  switch (number) {
    case SIGWINCH: tell_loop(APUS_SIGNAL_RESIZE); break;
    case SIGTSTP: tell_loop(APUS_SIGNAL_STOP); break;
    case SIGCONT: tell_loop(APUS_SIGNAL_CONTINUE); break;
    default: {
      bool is_interrupt = number == SIGINT || number == SIGQUIT;
      bool is_armed_now = atomic_load(&is_armed);
      // While another program has the terminal, Ctrl-C is meant for that program.
      if (is_armed_now || !is_interrupt) {
        int none = 0;
        bool is_first = atomic_compare_exchange_strong(&end_signal, &none, number);
        // A second request ends the program immediately, except that a closed terminal sends several hangups.
        if (!is_first && is_armed_now && number != SIGHUP) {
          say_farewell();
          _exit(128 + number);
        }
      }
      tell_loop(is_interrupt ? APUS_SIGNAL_INTERRUPT : APUS_SIGNAL_END);
    }
  }
}

static void on_crash(int number) {
  say_farewell();
  // The previous handler decides about a backtrace or core dump; returning raises the fault again.
  for (int index = 0; index < crash_signal_count; index++) {
    if (crash_signals[index] == number) sigaction(number, &found_crash_actions[index], NULL);
  }
  raise(number);
}

int apus_signals_open(void) {
  if (pipe_ends[0] < 0) {
    if (pipe(pipe_ends) != 0) return -1;
    for (int end = 0; end < 2; end++) {
      fcntl(pipe_ends[end], F_SETFL, O_NONBLOCK);
      fcntl(pipe_ends[end], F_SETFD, FD_CLOEXEC);
    }
    atexit(say_farewell);
  }
  struct sigaction action;
  memset(&action, 0, sizeof action);
  sigemptyset(&action.sa_mask);
  action.sa_handler = on_loop_signal;
  action.sa_flags = SA_RESTART;
  for (int index = 0; index < loop_signal_count; index++) {
    sigaction(loop_signals[index], &action, &found_loop_actions[index]);
  }
  // A handler cannot run on an overflowed stack, so crashes of this thread use a separate one.
  stack_t stack = {.ss_sp = alternate_stack, .ss_size = sizeof alternate_stack, .ss_flags = 0};
  sigaltstack(&stack, NULL);
  action.sa_handler = on_crash;
  action.sa_flags = SA_ONSTACK | SA_NODEFER;
  for (int index = 0; index < crash_signal_count; index++) {
    sigaction(crash_signals[index], &action, &found_crash_actions[index]);
  }
  return pipe_ends[0];
}

int apus_signals_end_signal(void) { return atomic_load(&end_signal); }

void apus_signals_remember_modes(int descriptor) { has_found_modes = tcgetattr(descriptor, &found_modes) == 0; }

void apus_signals_set_farewell(const uint8_t *bytes, size_t count) {
  farewell_count = count <= sizeof farewell ? count : 0;
  memcpy(farewell, bytes, farewell_count);
}

void apus_signals_set_armed(bool armed) { atomic_store(&is_armed, armed); }

void apus_signals_stop_job(void) {
  struct sigaction action, found;
  memset(&action, 0, sizeof action);
  sigemptyset(&action.sa_mask);
  // First the other processes of the job, while this one ignores the signal; then this one. `raise` returns after its
  // signal is delivered, so nothing is drawn before the stop.
  action.sa_handler = SIG_IGN;
  sigaction(SIGTSTP, &action, &found);
  kill(0, SIGTSTP);
  action.sa_handler = SIG_DFL;
  sigaction(SIGTSTP, &action, NULL);
  raise(SIGTSTP);
  sigaction(SIGTSTP, &found, NULL);
}

void apus_signals_close(void) {
  for (int index = 0; index < loop_signal_count; index++) {
    sigaction(loop_signals[index], &found_loop_actions[index], NULL);
  }
  for (int index = 0; index < crash_signal_count; index++) {
    sigaction(crash_signals[index], &found_crash_actions[index], NULL);
  }
}
