// terminfo without a session. A file of its own: <term.h> turns common words into macros.

#include "CApusNCurses.h"

#include <curses.h>
#include <term.h>
#include <unistd.h>

bool apus_terminfo_load(void) {
  apus_locale_set();
  int status = 0;
  return setupterm(NULL, STDOUT_FILENO, &status) == OK;
}

const char *apus_ncurses_version(void) { return curses_version(); }
