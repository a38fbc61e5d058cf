#include "solvers/solver.h"
