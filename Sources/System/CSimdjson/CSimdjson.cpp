#include "CSimdjson.h"
#include <simdjson.h>
