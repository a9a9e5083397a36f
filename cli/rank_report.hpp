#pragma once
// What ranks have taken of time and memory, and told each other.

#include <string>
#include <vector>

#include "core/ranks/communicator.hpp"

namespace daewave::cli {

/// Of one rank: what it has, and what its process has taken so far.
struct RankReport {
  int intervals = 0;
  RankUsage usage{};
};

/// Of all of them, on each. @param intervals  that this one has.
std::vector<RankReport> rank_reports(const Communicator& ranks, int intervals);

/// A line for each.
std::string text_of(const std::vector<RankReport>& reports);

/// @param json  an object. @return it with "ranks", one object for each.
std::string with_ranks(const std::string& json, const std::vector<RankReport>& reports);

}  // namespace daewave::cli
