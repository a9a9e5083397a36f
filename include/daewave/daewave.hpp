#pragma once
// All of the library but the catalogue, of what was built.

#include "daewave/bvp.hpp"
#include "daewave/io.hpp"
#include "daewave/ivp.hpp"
#include "daewave/problem.hpp"
#if __has_include("daewave/models.hpp")
#include "daewave/models.hpp"
#endif
#if __has_include("daewave/parallel.hpp")
#include "daewave/parallel.hpp"
#endif
#if __has_include("daewave/sparse.hpp")
#include "daewave/sparse.hpp"
#endif
