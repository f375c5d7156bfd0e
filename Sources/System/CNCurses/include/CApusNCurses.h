#pragma once

// The parts of ncurses that Swift needs, and code that must be C: macros, `FILE *`, and signal handlers.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// MARK: The session

typedef enum {
  APUS_SCREEN_OK = 0,
  APUS_SCREEN_NO_TERMINAL = 1,      // neither standard input and output nor /dev/tty is a terminal
  APUS_SCREEN_UNKNOWN_TERMINAL = 2, // terminfo has no entry for TERM
  APUS_SCREEN_TOO_SIMPLE = 3,       // the terminal cannot position the cursor
} apus_screen_status;

/// Sets the locale, opens the terminal, and switches to the alternate screen and raw input.
/// `fallback` is the entry to use if terminfo has none for TERM, or NULL. `apus_terminfo_load` must have been called.
apus_screen_status apus_screen_open(int escape_delay, const char *fallback);
/// The descriptors for reading keys and writing the screen. The second one is nonblocking and not shared.
int apus_screen_input(void);
int apus_screen_output(void);
/// Sets the locale from the environment. Opening the screen includes this.
void apus_locale_set(void);
/// Whether text outside ASCII can be written: the encoding of the locale is UTF-8 or unspecified.
bool apus_screen_is_utf8(void);
/// Returns the terminal to the shell; `apus_screen_enter` takes it again.
void apus_screen_leave(void);
void apus_screen_enter(void);
/// Restores the modes after another program may have changed them while this one was stopped.
void apus_screen_renew_modes(void);
/// The number of columns and rows reported by the kernel; false if unknown.
bool apus_screen_size(int *columns, int *rows);
/// Notifies ncurses of a new size.
void apus_screen_resize(int columns, int rows);

// MARK: terminfo

/// Loads the locale and a terminfo entry, that of TERM for NULL, without opening the terminal; false if there is no entry.
bool apus_terminfo_load(const char *name);
const char *apus_ncurses_version(void);

/// A string capability, or NULL if the entry lacks it. Valid until the session ends.
const char *apus_terminfo_string(const char *name);
int apus_terminfo_number(const char *name);
bool apus_terminfo_flag(const char *name);
/// A string capability with its parameters, without padding; returns its length, or 0 if it does not fit.
size_t apus_terminfo_format(const char *capability, long first, long second, char *buffer, size_t size);

// MARK: Standard error

/// Captures standard error while the screen is shown, if it would go to the terminal.
void apus_error_output_hold(void);
/// Restores standard error and writes the captured text to it.
void apus_error_output_release(void);

// MARK: Signals

/// Bytes that a signal handler writes to the pipe returned by `apus_signals_open`.
enum {
  APUS_SIGNAL_RESIZE = 'W',
  APUS_SIGNAL_STOP = 'Z',
  APUS_SIGNAL_CONTINUE = 'C',
  APUS_SIGNAL_INTERRUPT = 'I',
  APUS_SIGNAL_END = 'T',
};

/// Installs the handlers; returns the descriptor to read from, or -1.
int apus_signals_open(void);
/// Saves the current modes of the terminal for the crash handlers.
void apus_signals_remember_modes(int descriptor);
/// The bytes that restore the terminal, for crash handlers and `exit`; at most 512.
void apus_signals_set_farewell(const uint8_t *bytes, size_t count);
/// Whether the screen is shown, so that a crash must restore the terminal.
void apus_signals_set_armed(bool is_armed);

/// The number of the first signal that requested termination; 0 if there was none.
int apus_signals_end_signal(void);
/// Stops the whole job like the terminal's suspend key; returns when it continues.
void apus_signals_stop_job(void);
/// Sets up an alternate signal stack for crash handlers on this thread. Threads created in this program have one; the
/// first thread gets one from `apus_signals_open`.
void apus_signals_prepare_thread(void);
/// Restores the handlers found at the start.
void apus_signals_close(void);
