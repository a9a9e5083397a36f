#pragma once
// Who runs the loops and pipelines of a solve, and ensembles of solves.

#include "parallel/ensemble.hpp"
#include "parallel/executors.hpp"
#include "parallel/pipelines.hpp"
