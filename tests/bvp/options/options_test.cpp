// Every option out of range is refused, whatever else is given, and what is left open.

#include "bvp/options/options.hpp"

#include <functional>
#include <limits>
#include <string>

#include "core/error.hpp"
#include "tests/bvp/made_up_solution.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

struct Fault {
  std::function<void(Options&)> make;
  std::string told;
};

void check_refused(const std::vector<Fault>& faults, const std::function<void(Options&)>& check) {
  for (const Fault& fault : faults) {
    Options options;
    fault.make(options);
    CAPTURE(fault.told);
    CHECK_THROWS_AS(check(options), InvalidOption);
    CHECK_THROWS_WITH(check(options), contains_text(fault.told));
  }
}

}  // namespace

TEST_CASE("options out of range are refused at their bounds, not beside them", "[options]") {
  check_refused(
      {{[](Options& o) { o.tolerance = 0.99e-14; }, "must be within [1e-14, 1)"},
       {[](Options& o) { o.tolerance = 1; }, "must be within [1e-14, 1)"},
       {[](Options& o) { o.tolerance = -1e-6; }, "must be > 0 and finite"},
       {[](Options& o) { o.tolerance = NAN; }, "must be > 0 and finite"},
       {[](Options& o) { o.truncation = 0; }, "truncation = 0: must be > 0"},
       {[](Options& o) { o.residual_tolerance = 0; }, "residual_tolerance = 0: must be > 0"},
       {[](Options& o) { o.residual_tolerance = INFINITY; }, "must be > 0 and finite"},
       {[](Options& o) {
          o.residual_tolerance = 1e-6;
          o.intervals = 10;
        },
        "residual_tolerance: is met by refining the mesh"},
       {[](Options& o) { o.intervals = 0; }, "intervals = 0: must be >= 1"},
       {[](Options& o) { o.iterates = 0; }, "iterates = 0: must be >= 1"},
       {[](Options& o) { o.iterates = 10'001; }, "must be <= 10000"},
       {[](Options& o) { o.max_intervals = 0; }, "max_intervals = 0: must be >= 1"},
       {[](Options& o) { o.samples = 0; }, "samples = 0: must be >= 1"},
       {[](Options& o) { o.samples = 10'000'001; }, "must be <= 10000000"},
       {[](Options& o) { o.newton_iterations = 0; }, "newton_iterations = 0: must be >= 1"},
       {[](Options& o) { o.max_parasitic_growth = 0.9; }, "max_parasitic_growth = 0.9: must be >="},
       {[](Options& o) { o.max_amplification = 0.9; }, "max_amplification = 0.9: must be >= 1"},
       {[](Options& o) { o.max_amplification = NAN; }, "max_amplification = nan"},
       {[](Options& o) { o.partitions = 0; }, "partitions = 0: must be >= 1"},
       {[](Options& o) { o.stages = 9; }, "stages"},
       {[](Options& o) { o.stages = 0; }, "stages"},
       {[](Options& o) {
          o.scheme = Scheme::lobatto;
          o.stages = 1;
        },
        "stages"},
       {[](Options& o) {
          o.fixed_nodes = {0.5, 0.4};
        },
        "fixed_nodes[1] = 0.4"},
       {[](Options& o) {
          o.fixed_nodes = {0.5, 0.5};
        },
        "fixed_nodes[1] = 0.5"},
       {[](Options& o) { o.fixed_nodes = {std::numeric_limits<double>::infinity()}; },
        "must be finite and increase"},
       {[](Options& o) {
          o.mesh = uniform_mesh(0, 1, 3);
          o.intervals = 3;
        },
        "mesh and intervals are both given"},
       {[](Options& o) { o.mesh = Mesh(); }, "mesh: is empty"},
       {[](Options& o) {
          o.intervals = 10;
          o.max_intervals = 9;
        },
        "intervals = 10: must be at most max_intervals, 9"},
       {[](Options& o) {
          o.mesh = uniform_mesh(0, 1, 3);
          o.max_intervals = 2;
        },
        "intervals of the mesh = 3: must be at most max_intervals, 2"},
       {[](Options& o) {
          o.partitions = 4;
          o.intervals = 3;
        },
        "must be at most the number of intervals, 3"},
       {[](Options& o) {
          o.partitions = 4;
          o.mesh = uniform_mesh(0, 1, 3);
        },
        "must be at most the number of intervals, 3"},
       {[](Options& o) {
          o.from = testing::made_up(testing::straight(uniform_mesh(0, 1, 2), 1, 1));
          o.guess = [](double) { return VecX::Zero(1); };
        },
        "guess and from are both given"},
       {[](Options& o) {
          Report report;
          report.message = "why not";
          o.from = Solution(nullptr, report);
        },
        "from: has no values"},
       {[](Options& o) { o.epsilon = 0; }, "epsilon"},
       {[](Options& o) { o.alpha1 = -1; }, "alpha1"},
       {[](Options& o) { o.alpha2 = 0; }, "alpha2"},
       {[](Options& o) { o.linear_solver = "none"; }, "none"}},
      [](Options& options) { check(options); });
  Options all;
  all.tolerance = 1e-14;
  all.iterates = 10'000;
  all.samples = 10'000'000;
  all.max_parasitic_growth = all.max_amplification = 1;
  all.stages = 8;
  all.partitions = 3;
  all.intervals = all.max_intervals = 3;
  all.fixed_nodes = {-0.5, 0.25};
  CHECK_NOTHROW(check(all));
}

TEST_CASE("fixed nodes are inside, apart from each other, and not too many", "[options]") {
  const auto refused = [](std::vector<double> nodes, int most, const std::string& why) {
    Options options;
    options.fixed_nodes = std::move(nodes);
    CHECK_THROWS_WITH(check_fixed_nodes(options, {0, 2}, most), contains_text(why));
  };
  refused({0}, 10, "must be inside the interval, (0, 2)");
  refused({2}, 10, "must be inside the interval, (0, 2)");
  refused({1, 1 + 1e-13}, 10, "are the same but for rounding");
  refused({1e-13}, 10, "are the same but for rounding");
  refused({2 - 1e-13}, 10, "are the same but for rounding");
  refused({0.5, 1}, 2, "nodes of 3 intervals at the least, and max_intervals = 2");
  Options options;
  options.fixed_nodes = {1e-11, 1, 1 + 1e-11};
  CHECK_NOTHROW(check_fixed_nodes(options, {0, 2}, 4));
}

TEST_CASE("options of another kind of problem are refused by name", "[options]") {
  check_refused({{[](Options& o) { o.guess = [](double) { return VecX::Zero(1); }; }, "guess"},
                 {[](Options& o) { o.from = Solution(); }, "from"},
                 {[](Options& o) { o.newton_iterations = 3; }, "newton_iterations"},
                 {[](Options& o) { o.truncation = 3; }, "truncation"},
                 {[](Options& o) { o.residual_tolerance = 1e-3; }, "residual_tolerance"},
                 {[](Options& o) { o.on_each_mesh = [](const Solution&) {}; }, "on_each_mesh"},
                 {[](Options& o) { o.variant = Variant::direct; }, "variant"},
                 {[](Options& o) { o.control_multiplier = true; }, "control_multiplier"},
                 {[](Options& o) { o.constraint_end = ConstraintEnd::end; }, "constraint_end"}},
                [](Options& options) { refuse_nonlinear_options(options); });
  check_refused({{[](Options& o) { o.delta = 1; }, "delta"},
                 {[](Options& o) { o.By_0 = Waveform::constant(VecX::Ones(1)); }, "By_0"},
                 {[](Options& o) { o.partitions = 1; }, "partitions"},
                 {[](Options& o) { o.singular = SingularHandling::limits; }, "singular"},
                 {[](Options& o) { o.max_parasitic_growth = 2; }, "max_parasitic_growth"},
                 {[](Options& o) { o.max_amplification = 2; }, "max_amplification"},
                 {[](Options& o) { o.conditioning = false; }, "conditioning"}},
                [](Options& options) { refuse_linear_options(options); });
  CHECK_NOTHROW(refuse_nonlinear_options({}));
  CHECK_NOTHROW(refuse_linear_options({}));
}

TEST_CASE("meshes are refined where a tolerance is asked for, or no mesh is given", "[options]") {
  CHECK(refines({}));
  CHECK(refines({.tolerance = 1e-3, .intervals = 4}));
  CHECK(refines({.tolerances = {.relative = 1e-3}, .intervals = 4}));
  CHECK_FALSE(refines({.intervals = 4}));
  CHECK_FALSE(refines({.mesh = uniform_mesh(0, 1, 4)}));
  CHECK(plain_tolerance({}) == 1e-6);
  CHECK(plain_tolerance({.tolerance = 1e-3}) == 1e-3);
  CHECK(wanted_tolerance({.tolerance = 1e-3}) == 1e-3);
  CHECK(wanted_tolerance({.tolerances = {.relative = VecX{{1e-3, 1e-5}}}}) == 1e-5);
}

}  // namespace daewave::bvp
