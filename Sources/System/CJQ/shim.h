// libjq: filters over JSON. It aborts the process when memory runs out, so it is used in a child process alone.
#include <jq.h>
