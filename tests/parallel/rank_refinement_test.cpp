// Meshes that ranks choose together, and share anew.

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "bvp/solve.hpp"
#include "core/error.hpp"
#include "problems/al1.hpp"
#include "problems/lin.hpp"
#include "problems/linear_catalogue.hpp"
#include "tests/bvp/linear/peak_problem.hpp"
#include "tests/catch.hpp"
#include "tests/parallel/whole_of_ranks.hpp"

using namespace daewave;
using daewave::testing::check_any_ranks;
using daewave::testing::over_ranks;
using daewave::testing::Whole;

namespace {

using Problem = std::shared_ptr<const LinearDae>;

/// Steep at one time.
struct Steep : problems::Lin {
  Coefficients coefficients(double t) const {
    Coefficients all = problems::Lin::coefficients(t);
    const double s = (t - 0.6 * t_end) / 0.01;
    all.q[0] += 50 * std::exp(-s * s);
    return all;
  }
};

/// A right side that jumps.
struct Jump : problems::Lin {
  Coefficients coefficients(double t) const {
    Coefficients all = problems::Lin::coefficients(t);
    if (t > 3.7) all.q[1] += 1;
    return all;
  }
};

/// Whose coefficients are not finite beside a time.
struct Broken : problems::Lin {
  Coefficients coefficients(double t) const {
    Coefficients all = problems::Lin::coefficients(t);
    if (std::abs(t - 17.3) < 4e-3) all.q[0] = std::numeric_limits<double>::quiet_NaN();
    return all;
  }
};

}  // namespace

TEST_CASE("what rounding of times makes of B y has the same bits however many ranks there are",
          "[ranks][linear]") {
  // What is beyond the tolerance on meshes of more partitions than ranks; and what is not.
  const auto peak = erase(daewave::testing::with_peak(0.5609, 1e-3, true));
  const Whole beyond = check_any_ranks(peak, {.tolerance = 1e-9, .stages = 4});
  CHECK(beyond.report.message.find("rounding of times") != std::string::npos);
  const Whole within = check_any_ranks(peak, {.tolerance = 3e-7, .stages = 4});
  INFO(within.report.brief());
  CHECK(within.report.usable());
  CHECK(within.report.error.By > 0);
}

TEST_CASE("meshes that ranks refine together have the same bits however many they are",
          "[ranks][linear]") {
  const auto lin = erase(problems::Lin{60});
  // Meshes of more partitions than ranks, and first ones of fewer.
  const Whole fine = check_any_ranks(lin, {.tolerance = 1e-7, .stages = 3});
  CHECK(fine.report.usable());
  CHECK(fine.nodes.size() > 512);
  CHECK(check_any_ranks(erase(Steep{{20}}), {.tolerance = 1e-6, .stages = 2, .partitions = 16})
            .report.usable());
  CHECK(check_any_ranks(erase(Jump{{20}}), {.tolerance = 1e-6, .stages = 3}).report.usable());
  // Between stages of two intervals there is a line where each has one.
  CHECK(check_any_ranks(lin, {.tolerance = 1e-2, .scheme = Scheme::gauss, .stages = 1})
            .report.usable());
  CHECK(check_any_ranks(lin,
                        {.tolerance = 1e-4, .scheme = Scheme::radau, .stages = 3, .partitions = 9})
            .nodes.size() > 9);
}

TEST_CASE("what ranks refine is what one machine without them does with as many partitions",
          "[ranks][linear]") {
  const bvp::Options options{.tolerance = 1e-6, .stages = 3, .partitions = 12};
  for (const auto& problem : {erase(problems::Lin{40}), erase(Steep{{20}})}) {
    const Whole alone = testing::whole_of(bvp::solve(problem, options));
    REQUIRE(alone.report.usable());
    testing::check_same_bits(over_ranks(3, problem, options), alone);
  }
}

TEST_CASE("no rank has more of a mesh that was chosen than its part", "[ranks][linear]") {
  const Whole whole = over_ranks(4, erase(problems::Lin{200}), {.tolerance = 1e-8, .stages = 3});
  REQUIRE(whole.report.usable());
  const auto intervals = static_cast<double>(whole.nodes.size() - 1);
  CHECK(whole.largest_part < 0.35 * intervals);
}

TEST_CASE("tolerances of components are those of all ranks", "[ranks][linear]") {
  bvp::Options options{.tolerance = 1e-5, .stages = 3};
  options.tolerances.absolute = VecX{{1e-5, 1e-3, 1e-5, 1e-4}};
  options.tolerances.relative = VecX{{1e-5, 1e-4, 1e-5, 1e-5}};
  CHECK(check_any_ranks(erase(problems::Lin{40}), options).report.usable());
  options.iterates = 2;
  check_any_ranks(erase(problems::Lin{40}), options);
}

TEST_CASE("iterates that were given leave a layer that all ranks measure alike",
          "[ranks][linear]") {
  bvp::Options options{.tolerance = 1e-4, .scheme = Scheme::radau, .stages = 3, .alpha1 = 0.0};
  options.epsilon = 1e-3;
  options.iterates = 3;
  options.max_intervals = 4000;
  check_any_ranks(erase(problems::Lin{20}), options);
}

TEST_CASE("a coefficient that is not finite where one rank looks is told by all", "[ranks]") {
  const auto problem = erase(Broken{{20}});
  const bvp::Options options{.tolerance = 1e-6, .stages = 3, .partitions = 7};
  std::vector<std::string> told(4);
  parallel::run_ranks(4, [&](const Communicator& ranks) {
    bvp::Options mine = options;
    mine.ranks = &ranks;
    try {
      told[static_cast<std::size_t>(ranks.rank())] = bvp::solve(problem, mine).report.message;
    } catch (const std::exception& thrown) {
      told[static_cast<std::size_t>(ranks.rank())] = thrown.what();
    }
  });
  for (const std::string& words : told) CHECK_THAT(words, contains_text("finite"));
}

TEST_CASE("a rank that is lost while meshes are refined ends the others", "[ranks]") {
  const auto lin = erase(problems::Lin{60});
  int calls = 0;
  CHECK_THROWS_AS(parallel::run_ranks(3,
                                      [&](const Communicator& ranks) {
                                        bvp::Options options{.tolerance = 1e-7, .stages = 3};
                                        options.ranks = &ranks;
                                        options.progress = [&](const bvp::Progress&) {
                                          if (ranks.rank() == 1 && ++calls == 9) {
                                            throw FileError("the disk is full");
                                          }
                                          return true;
                                        };
                                        bvp::solve(lin, options);
                                      }),
                  FileError);
  CHECK(calls == 9);
}

TEST_CASE("a stop that one rank is asked for ends the refinement of all", "[ranks]") {
  const auto lin = erase(problems::Lin{60});
  for (const int stop_at : {3, 9}) {
    std::vector<Report> reports(3);
    parallel::run_ranks(3, [&](const Communicator& ranks) {
      int calls = 0;
      bvp::Options options{.tolerance = 1e-7, .stages = 3};
      options.ranks = &ranks;
      options.progress = [&](const bvp::Progress&) {
        return ranks.rank() != 2 || ++calls < stop_at;
      };
      reports[static_cast<std::size_t>(ranks.rank())] = bvp::solve(lin, options).report;
    });
    for (const Report& report : reports) {
      CHECK(report.termination == Termination::stopped);
      CHECK(report.message == reports[0].message);
    }
  }
}
