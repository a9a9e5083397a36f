// Compiled without the precompiled headers, which promise what is defined here.

#define DAEWAVE_COMPILED_EIGEN template
#include "core/compiled_eigen.hpp"
