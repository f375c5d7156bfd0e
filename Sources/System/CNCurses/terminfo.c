// terminfo without a session, in a separate file because <term.h> defines common words as macros.

#include "CApusNCurses.h"

#include <curses.h>
#include <term.h>
#include <unistd.h>

bool apus_terminfo_load(const char *name) {
  apus_locale_set();
  int status = 0;
  return setupterm((char *)name, STDOUT_FILENO, &status) == OK;
}

const char *apus_ncurses_version(void) { return curses_version(); }
