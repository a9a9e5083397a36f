#pragma once
// What ranks have taken of time and memory, and told each other.

#include <string>
#include <vector>

#include "core/ranks/communicator.hpp"

namespace daewave::cli {

/// Of one rank: what it has, and what its process has taken so far.
struct RankReport {
  int part = 0;  ///< Intervals of a mesh, or iterates.
  RankUsage usage{};
};

/// Of all of them, on each. @param part  that this one has.
std::vector<RankReport> rank_reports(const Communicator& ranks, int part);

/// A line for each. @param parts  what they have parts of.
std::string text_of(const std::vector<RankReport>& reports, const char* parts = "intervals");

/// @param json  an object. @return it with "ranks", one object for each.
std::string with_ranks(const std::string& json, const std::vector<RankReport>& reports,
                       const char* parts = "intervals");

}  // namespace daewave::cli
