#pragma once
// All of the library but the catalogue.

#include "daewave/bvp.hpp"
#include "daewave/io.hpp"
#include "daewave/ivp.hpp"
#include "daewave/problem.hpp"
#if __has_include("daewave/parallel.hpp")
#include "daewave/parallel.hpp"
#endif
