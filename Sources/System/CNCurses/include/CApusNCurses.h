#pragma once

// What Swift needs of ncurses, and what must be C: macros, `FILE *`, and code that runs in signal handlers.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// MARK: The session

typedef enum {
  APUS_SCREEN_OK = 0,
  APUS_SCREEN_NO_TERMINAL = 1,      // neither standard input and output nor /dev/tty is a terminal
  APUS_SCREEN_UNKNOWN_TERMINAL = 2, // terminfo has no entry for TERM
} apus_screen_status;

/// Sets the locale, takes the terminal, switches it to its second screen and to raw input.
apus_screen_status apus_screen_open(int escape_delay);
/// The descriptors that keys are read from and that the screen is written to. The second one does not block and is
/// nobody else's.
int apus_screen_input(void);
int apus_screen_output(void);
/// Takes the locale from the environment; opening the screen does so itself.
void apus_locale_set(void);
/// Whether text outside ASCII can be written: the locale's encoding is UTF-8, or the locale says nothing.
bool apus_screen_is_utf8(void);
/// Gives the terminal back to the shell; `apus_screen_enter` takes it again.
void apus_screen_leave(void);
void apus_screen_enter(void);
/// Sets the modes again, after another program may have changed them while this one was stopped.
void apus_screen_renew_modes(void);
/// Columns and rows as the kernel knows them; false if it does not.
bool apus_screen_size(int *columns, int *rows);
/// Tells ncurses of a new size.
void apus_screen_resize(int columns, int rows);

// MARK: terminfo

/// Loads the entry of TERM and the locale without taking the terminal; false if there is none.
bool apus_terminfo_load(void);
const char *apus_ncurses_version(void);

/// A string capability, or NULL where the entry lacks it. Valid until the session ends.
const char *apus_terminfo_string(const char *name);
int apus_terminfo_number(const char *name);
bool apus_terminfo_flag(const char *name);
/// A string capability with its parameters filled in, padding left out; returns its length, 0 if it does not fit.
size_t apus_terminfo_format(const char *capability, long first, long second, char *buffer, size_t size);

// MARK: Standard error

/// Keeps what is written to standard error while the screen is ours, if it would go to the terminal.
void apus_error_output_hold(void);
/// Lets standard error go to the terminal again, and writes there what was kept.
void apus_error_output_release(void);

// MARK: Signals

/// Bytes that a signal handler leaves in the pipe that `apus_signals_open` returns.
enum {
  APUS_SIGNAL_RESIZE = 'W',
  APUS_SIGNAL_STOP = 'Z',
  APUS_SIGNAL_CONTINUE = 'C',
  APUS_SIGNAL_INTERRUPT = 'I',
  APUS_SIGNAL_END = 'T',
};

/// Installs the handlers; returns the descriptor to read, or -1.
int apus_signals_open(void);
/// Remembers the terminal's modes as they are, for the handlers of crashes.
void apus_signals_remember_modes(int descriptor);
/// The bytes that undo everything, for handlers of crashes and for `exit`. At most 512.
void apus_signals_set_farewell(const uint8_t *bytes, size_t count);
/// Whether the terminal is ours now, and a crash has to give it back.
void apus_signals_set_armed(bool is_armed);

/// The number of the first signal that asked the program to end; 0 when none has.
int apus_signals_end_signal(void);
/// Stops the whole job as the terminal's suspend key does; returns when it goes on.
void apus_signals_stop_job(void);
/// Gives this thread a stack of its own for the handlers of crashes. Every thread that is made in this program has one
/// already, but for the first, which `apus_signals_open` takes care of.
void apus_signals_prepare_thread(void);
/// Puts the handlers found at the start back.
void apus_signals_close(void);
