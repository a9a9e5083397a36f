#pragma once
// What ranks found of a boundary value problem, put together, and compared to the last bit.

#include <functional>
#include <vector>

#include "bvp/solve.hpp"
#include "parallel/rank_threads.hpp"
#include "tests/catch.hpp"
#include "tests/same_bits.hpp"

namespace daewave::testing {

inline MatX beside(const MatX& left, const MatX& right) {
  if (left.cols() == 0) return right;
  MatX both(right.rows(), left.cols() + right.cols());
  both << left, right;
  return both;
}

/// Parts of a solution, put together.
struct Whole {
  Report report;
  MatX x, carried;
  std::vector<double> nodes;
  int largest_part = 0;  ///< Intervals of the rank that has most.
};

/// @param solve  what each rank does. All must tell the same.
inline Whole over_ranks(int size, const std::function<bvp::Solution(const Communicator&)>& solve) {
  std::vector<bvp::Solution> parts(static_cast<std::size_t>(size));
  parallel::run_ranks(size, [&](const Communicator& ranks) {
    parts[static_cast<std::size_t>(ranks.rank())] = solve(ranks);
  });
  Whole whole;
  whole.report = parts[0].report;
  for (const bvp::Solution& part : parts) {
    CHECK(part.report.message == whole.report.message);
    CHECK(part.report.error.x == whole.report.error.x);
    CHECK(part.report.conditioning.boundary == whole.report.conditioning.boundary);
    if (!part.has_values()) return whole;
    whole.largest_part = std::max(whole.largest_part, part.mesh().intervals());
    // Small meshes each rank has.
    if (!whole.nodes.empty() && part.share().is_alike) {
      CHECK(same_bits(part.x_at_nodes(), whole.x));
      continue;
    }
    const std::vector<double>& nodes = part.mesh().nodes();
    const MatX& x = part.x_at_nodes();
    const int from = whole.nodes.empty() ? 0 : 1;
    whole.x = beside(whole.x, x.rightCols(x.cols() - from));
    whole.carried = beside(whole.carried, part.carried_at_stages());
    whole.nodes.insert(whole.nodes.end(), nodes.begin() + from, nodes.end());
  }
  return whole;
}

inline Whole whole_of(const bvp::Solution& solution) {
  if (!solution.has_values()) return {solution.report, {}, {}, {}};
  return {solution.report, solution.x_at_nodes(), solution.carried_at_stages(),
          solution.mesh().nodes()};
}

inline void check_same_bits(const Whole& found, const Whole& expected) {
  CHECK(found.report.message == expected.report.message);
  CHECK(found.nodes == expected.nodes);
  CHECK(same_bits(found.x, expected.x));
  CHECK(same_bits(found.carried, expected.carried));
}

/// Each rank with the options given.
template <class P>
Whole over_ranks(int size, const P& problem, const bvp::Options& options) {
  return over_ranks(size, [&](const Communicator& ranks) {
    bvp::Options mine = options;
    mine.ranks = &ranks;
    return bvp::solve(problem, mine);
  });
}

/// On 1, 2 and 7 ranks. @return what they found, and what all told.
template <class P>
Whole check_any_ranks(const P& problem, const bvp::Options& options) {
  const Whole one = over_ranks(1, problem, options);
  INFO(one.report.full());
  REQUIRE(one.nodes.size() > 1);
  for (const int size : {2, 7}) {
    const Whole whole = over_ranks(size, problem, options);
    CAPTURE(size, whole.report.brief());
    check_same_bits(whole, one);
    CHECK(whole.report.warnings == one.report.warnings);
    CHECK(whole.report.error.x == one.report.error.x);
    CHECK(whole.report.error.By == one.report.error.By);
    CHECK(whole.report.conditioning.rounding == one.report.conditioning.rounding);
    REQUIRE(whole.report.history.size() == one.report.history.size());
    for (std::size_t s = 0; s < one.report.history.size(); ++s) {
      CHECK(whole.report.history[s].change == one.report.history[s].change);
      CHECK(whole.report.history[s].change_at == one.report.history[s].change_at);
      CHECK(whole.report.history[s].drift == one.report.history[s].drift);
    }
  }
  return one;
}

}  // namespace daewave::testing
