#pragma once
// The table of a solution whose mesh ranks share, written by one of them as the rows come.

#include <string>

#include "bvp/result/solution.hpp"
#include "core/ranks/communicator.hpp"

namespace daewave::cli {

/// The bytes that io::write_csv() writes of bvp::Solution::table(points) on one machine. No rank
/// has more than some thousand rows beside its own part of the solution. All ranks call it.
/// @throws FileError on the first rank, which writes.
void write_csv(const std::string& path, const bvp::Solution& part, int points,
               const Communicator& ranks);

}  // namespace daewave::cli
