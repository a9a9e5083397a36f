#pragma once
// Who runs the loops and pipelines of a solve, and ensembles of solves; ranks that share a solve.

#include "ivp/options/rank_pipeline.hpp"
#include "parallel/ensemble.hpp"
#include "parallel/executors.hpp"
#include "parallel/pipelines.hpp"
#include "parallel/rank_threads.hpp"
