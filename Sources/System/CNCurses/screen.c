// The terminal session. ncurses sets the modes and provides the terminfo entry; the program writes cells itself, so the
// windows of ncurses stay empty.

#define _XOPEN_SOURCE_EXTENDED 1
#define _DEFAULT_SOURCE 1
#define _DARWIN_C_SOURCE 1
#define NCURSES_WIDECHAR 1

#include "CApusNCurses.h"

#include <curses.h>

#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

static FILE *input_file;
static FILE *output_file;
static SCREEN *screen;
static int output_descriptor = -1;
static bool is_utf8;

void apus_locale_set(void) {
  setlocale(LC_ALL, "");
  const char *codeset = nl_langinfo(CODESET);
  is_utf8 = strcmp(codeset, "UTF-8") == 0 || strcmp(codeset, "utf8") == 0;
  if (is_utf8) return;
  // The C locale says nothing about the terminal, and nearly all terminals use UTF-8; any other encoding is respected.
  // The names are those of glibc, macOS and musl.
  bool says_nothing = strcmp(codeset, "ANSI_X3.4-1968") == 0 || strcmp(codeset, "US-ASCII") == 0 ||
      strcmp(codeset, "ASCII") == 0 || codeset[0] == 0;
  if (says_nothing) is_utf8 = setlocale(LC_CTYPE, "C.UTF-8") != NULL || setlocale(LC_CTYPE, "en_US.UTF-8") != NULL;
}

apus_screen_status apus_screen_open(int escape_delay, const char *fallback) {
  apus_locale_set();
  if (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)) {
    input_file = stdin;
    output_file = stdout;
  } else {
    // Standard input or output is a pipe, so use the controlling terminal.
    int descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC);
    if (descriptor < 0) return APUS_SCREEN_NO_TERMINAL;
    input_file = fdopen(descriptor, "r+");
    output_file = input_file;
    if (input_file == NULL) {
      close(descriptor);
      return APUS_SCREEN_NO_TERMINAL;
    }
  }
  // Opening a screen would already write to the terminal. Without an entry, the result is not NULL.
  if (tigetstr("cup") == NULL) return APUS_SCREEN_TOO_SIMPLE;
  // A separate open file description, so that nonblocking mode does not affect the shell.
  const char *name = ttyname(fileno(output_file));
  if (output_descriptor < 0 && name != NULL) {
    output_descriptor = open(name, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  }
  if (output_descriptor < 0) output_descriptor = fileno(output_file);
  apus_signals_remember_modes(fileno(input_file));
  screen = newterm(NULL, output_file, input_file);
  if (screen == NULL && fallback != NULL) screen = newterm(fallback, output_file, input_file);
  if (screen == NULL) return APUS_SCREEN_UNKNOWN_TERMINAL;
  set_escdelay(escape_delay);
  raw();
  noecho();
  nonl();
  keypad(stdscr, TRUE);
  // Set only now, so that leaving and reentering restores these modes.
  def_prog_mode();
  refresh();
  return APUS_SCREEN_OK;
}

int apus_screen_input(void) { return input_file == NULL ? -1 : fileno(input_file); }

int apus_screen_output(void) { return output_descriptor; }

bool apus_screen_is_utf8(void) { return is_utf8; }

void apus_screen_leave(void) {
  if (screen != NULL && !isendwin()) endwin();
}

void apus_screen_enter(void) {
  if (screen == NULL) return;
  reset_prog_mode();
  refresh();
}

void apus_screen_renew_modes(void) {
  if (screen != NULL && !isendwin()) reset_prog_mode();
}

bool apus_screen_size(int *columns, int *rows) {
  struct winsize size;
  if (ioctl(apus_screen_output(), TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) return false;
  *columns = size.ws_col;
  *rows = size.ws_row;
  return true;
}

void apus_screen_resize(int columns, int rows) {
  if (screen != NULL) resize_term(rows, columns);
}

const char *apus_terminfo_string(const char *name) {
  const char *value = tigetstr((char *)name);
  return value == (const char *)-1 ? NULL : value;
}

int apus_terminfo_number(const char *name) { return tigetnum((char *)name); }

bool apus_terminfo_flag(const char *name) { return tigetflag((char *)name) > 0; }

size_t apus_terminfo_format(const char *capability, long first, long second, char *buffer, size_t size) {
  const char *text = tparm((char *)capability, first, second, 0L, 0L, 0L, 0L, 0L, 0L, 0L);
  if (text == NULL) return 0;
  size_t length = 0;
  while (*text != 0) {
    // Padding such as `$<5>` is for terminals that need delays; none in use does.
    if (text[0] == '$' && text[1] == '<') {
      const char *end = strchr(text, '>');
      if (end != NULL) {
        text = end + 1;
        continue;
      }
    }
    if (length == size) return 0;
    buffer[length++] = *text++;
  }
  return length;
}
