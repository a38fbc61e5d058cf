#include "gpu/runtime.h"
