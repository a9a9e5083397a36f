#pragma once
// In which parts of its intervals parallel_block eliminates a matrix: from the matrix and the
// setting alone, whoever solves it.

#include <vector>

#include "core/blocks/babd_matrix.hpp"
#include "core/blocks/interval_chain.hpp"

namespace daewave {

/// As many as serve the threads of one machine. @param coupled  conditions of both ends.
int usual_partitions(bool coupled, int intervals);
/// As many as serve ranks, each of which takes some: more, so that they can be dealt out evenly.
int partitions_for_ranks(int intervals);

/// What partition p of `count` is eliminated as, without its place.
ChainShape partition_shape(int block_size, const ConditionOrder& order, int p, int count);

/// Borders of partitions that take equal times, from 0 to the number of intervals.
/// @param wanted  partitions, >= 1; more than intervals are taken for as many.
std::vector<int> partition_borders(int block_size, const ConditionOrder& order, int intervals,
                                   int wanted);

}  // namespace daewave
