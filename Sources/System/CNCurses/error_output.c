// Captures standard error while the screen is shown, because warnings of libraries would overwrite the panes and a
// crash message would disappear with the alternate screen. The text goes to a pipe, and to the terminal when the screen
// closes.

#define _DEFAULT_SOURCE 1
#define _DARWIN_C_SOURCE 1

#include "CApusNCurses.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static int kept[2] = {-1, -1};
static int found = -1;

void apus_error_output_hold(void) {
  if (found >= 0 || !isatty(STDERR_FILENO)) return;
  if (kept[0] < 0) {
    if (pipe(kept) != 0) return;
    for (int end = 0; end < 2; end++) {
      // Text that does not fit is dropped, because waiting could deadlock.
      fcntl(kept[end], F_SETFL, O_NONBLOCK);
      fcntl(kept[end], F_SETFD, FD_CLOEXEC);
    }
  }
  int copy = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
  if (copy < 0) return;
  if (dup2(kept[1], STDERR_FILENO) < 0) {
    close(copy);
    return;
  }
  found = copy;
}

// Async-signal-safe.
void apus_error_output_release(void) {
  if (found < 0) return;
  int descriptor = found;
  found = -1;
  dup2(descriptor, STDERR_FILENO);
  close(descriptor);
  char buffer[1024];
  ssize_t count;
  while ((count = read(kept[0], buffer, sizeof buffer)) > 0) {
    // Control characters from any source are replaced; newlines are kept.
    for (ssize_t index = 0; index < count; index++) {
      unsigned char byte = (unsigned char)buffer[index];
      if ((byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7F) buffer[index] = '?';
    }
    ssize_t ignored = write(STDERR_FILENO, buffer, (size_t)count);
    (void)ignored;
  }
}
