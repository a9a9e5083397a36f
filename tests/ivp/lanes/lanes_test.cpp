// Iterates and ensembles in SIMD lanes, with every instruction set this machine has.

#include <cmath>
#include <cstring>
#include <memory>
#include <numbers>
#include <utility>
#include <vector>

#include "catalogue/slider_crank_lanes.hpp"
#include "core/adapt/problem_of.hpp"
#include "core/regularize/regularize.hpp"
#include "ivp/lanes/lane_methods.hpp"
#include "ivp/lanes/lane_step.hpp"
#include "ivp/solve.hpp"
#include "ivp/solve_lanes.hpp"
#include "ivp/srm/srm_step.hpp"
#include "tests/catch.hpp"
#include "tests/same_bits.hpp"

namespace daewave {
namespace {

using problems::SliderCrank;
using testing::same_bits;
std::vector<Simd> supported_sets() {
  std::vector<Simd> all;
  for (Simd simd : all_simd()) {
    if (supported(simd)) all.push_back(simd);
  }
  return all;
}

DaeProblemPtr erased(const SliderCrank& crank, Simd simd) {
  return problem_of(crank,
                    best_of([](auto set) { return catalogue::slider_crank_lanes(set); }, simd));
}

Regularization form_of(Variant variant, Weight weight) {
  Regularization form;
  form.variant = variant;
  form.weight = weight;
  form.epsilon = 1e-3;
  return form;
}

/// y_s after the last step and x_s of all iterates.
struct End {
  std::vector<double> x, carried;
};

constexpr int steps = 300;
constexpr double h = 1e-3;

End in_lanes_of(Simd simd, const SliderCrank& crank, const Vec<12>& start,
                const Regularization& form, ivp::Stepper stepper, int iterates,
                const ivp::LaneRescue& rescue = {}) {
  const ivp::LaneFormula formula = ivp::lane_formula(ivp::tableau(stepper));
  const DaeProblemPtr problem = erased(crank, simd);
  auto lanes = ivp::skewed_iterates(*problem, simd, form, formula, iterates, rescue);
  REQUIRE(lanes);
  const ivp::LaneShape shape = lanes->shape();
  ivp::LaneFeed feed(std::move(lanes), formula, iterates, ivp::FixedSteps({0, steps * h}, h), {},
                     true);
  End end;
  if (!feed.start(start.data())) return end;
  for (int i = 0; i < steps; ++i) {
    if (!feed.next()) return end;
  }
  for (int s = 1; s <= iterates; ++s) {
    std::vector<double> x(static_cast<std::size_t>(shape.nz)),
        carried(static_cast<std::size_t>(shape.nc));
    feed.lanes().iterate(s, x.data(), carried.data());
    end.x.insert(end.x.end(), x.begin(), x.end());
    end.carried.insert(end.carried.end(), carried.begin(), carried.end());
  }
  // What is given out is the last iterate.
  CHECK(std::memcmp(feed.x(), &end.x[static_cast<std::size_t>((iterates - 1) * shape.nz)],
                    sizeof(double) * static_cast<std::size_t>(shape.nz)) == 0);
  return end;
}

template <class Step>
End end_of(const Step& step) {
  End end;
  for (int s = 1; s <= step.iterates(); ++s) {
    const auto& at = step.iterate(s);
    end.x.insert(end.x.end(), at.x.data(), at.x.data() + at.x.size());
    end.carried.insert(end.carried.end(), at.carried.data(), at.carried.data() + at.carried.size());
  }
  return end;
}

End step_local(const SliderCrank& crank, const Vec<12>& start, const Regularization& form,
               ivp::Stepper stepper, int iterates) {
  ivp::SrmStep step(regularize(crank, form, start), ivp::tableau(stepper), iterates);
  REQUIRE(step.start(0, start));
  for (int i = 0; i < steps; ++i) {
    REQUIRE_FALSE(std::isnan(step.attempt((i + 1) * h - step.t())));
    REQUIRE(step.accept());
  }
  return end_of(step);
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

TEST_CASE("iterates in lanes are those step by step, to rounding", "[lanes][AL2]") {
  const SliderCrank crank;
  struct Case {
    Variant variant;
    Weight weight;
    ivp::Stepper stepper;
    int iterates;
  };
  const Case cases[] = {
      {Variant::singular, Weight::inverse, ivp::Stepper::heun, 4},
      {Variant::singular, Weight::inverse, ivp::Stepper::heun, 1},
      {Variant::singular, Weight::inverse, ivp::Stepper::rk4, 3},
      {Variant::singular, Weight::inverse, ivp::Stepper::dopri5, 2},
      {Variant::singular, Weight::inverse, ivp::Stepper::explicit_midpoint, 7},
      {Variant::invariant, Weight::inverse, ivp::Stepper::heun, 3},
      {Variant::baumgarte_form, Weight::inverse, ivp::Stepper::heun, 3},
      {Variant::invariant_reduced, Weight::inverse, ivp::Stepper::heun, 2},
  };
  for (const Case& one : cases) {
    const Regularization form = form_of(one.variant, one.weight);
    const End expected = step_local(crank, crank.start(), form, one.stepper, one.iterates);
    for (Simd simd : supported_sets()) {
      INFO(name_of(one.variant) << ", " << name_of(one.stepper) << ", " << one.iterates << ", "
                                << name_of(simd));
      const End end = in_lanes_of(simd, crank, crank.start(), form, one.stepper, one.iterates);
      // States of size 10 after 300 steps: sines of other last bits, no growth. What is carried is
      // v / epsilon, and so are its roundings.
      CHECK(largest_difference(end.x, expected.x) < 1e-12);
      CHECK(largest_difference(end.carried, expected.carried) < 1e-9);
    }
  }
}

TEST_CASE("E = I and E = (GB)^T in lanes too, where |GBE| allows the step", "[lanes][AL2]") {
  const SliderCrank crank;
  for (Weight weight : {Weight::identity, Weight::transpose}) {
    Regularization form = form_of(Variant::invariant, weight);
    form.epsilon = weight == Weight::identity ? 0.1 : 10;  // |GB| is about 50.
    const End expected = step_local(crank, crank.start(), form, ivp::Stepper::heun, 3);
    for (Simd simd : supported_sets()) {
      const End end = in_lanes_of(simd, crank, crank.start(), form, ivp::Stepper::heun, 3);
      CHECK(largest_difference(end.x, expected.x) < 1e-12);
      CHECK(largest_difference(end.carried, expected.carried) < 1e-10);
    }
  }
}

TEST_CASE("every instruction set gives the same bits", "[lanes]") {
  const SliderCrank crank;
  const auto all = supported_sets();
  for (int iterates : {1, 3, 4, 6}) {
    const Regularization form = form_of(Variant::singular, Weight::inverse);
    const End first = in_lanes_of(all[0], crank, crank.start(), form, ivp::Stepper::heun, iterates);
    REQUIRE_FALSE(first.x.empty());
    for (Simd simd : all) {
      INFO(name_of(simd));
      const End end = in_lanes_of(simd, crank, crank.start(), form, ivp::Stepper::heun, iterates);
      CHECK(same_bits(end.x, first.x));
      CHECK(same_bits(end.carried, first.carried));
    }
  }
}

TEST_CASE("where G has lost rank, numbers do what lanes cannot", "[lanes][AL2-6.5]") {
  // The bars lie on each other: the last row of G is zero.
  const SliderCrank crank;
  Vec<12> start = crank.state(std::numbers::pi / 2, 1.0);
  start[2] = std::numbers::pi / 2;
  const Regularization form = [] {
    Regularization with_guard = form_of(Variant::singular, Weight::inverse);
    with_guard.rank_tolerance = 1e-3;  // Cosines are below it for some steps.
    return with_guard;
  }();
  const End expected = step_local(crank, start, form, ivp::Stepper::heun, 3);
  for (Simd simd : supported_sets()) {
    ivp::LaneRescuer rescuer(regularize(crank, form, start));
    const End end = in_lanes_of(simd, crank, start, form, ivp::Stepper::heun, 3, rescuer.rescue());
    CHECK(rescuer.ode().guarded() > 0);
    CHECK(largest_difference(end.x, expected.x) < 1e-11);
  }
}

TEST_CASE("members of an ensemble in lanes have the bits they have alone", "[lanes][ensemble]") {
  const Regularization form = form_of(Variant::singular, Weight::inverse);
  const ivp::LaneFormula formula = ivp::lane_formula(ivp::tableau(ivp::Stepper::heun));
  std::vector<double> nodes;
  for (int i = 0; i <= steps; ++i) nodes.push_back(i * h);
  for (Simd simd : supported_sets()) {
    const auto run = [&](int broken) {
      const int count = ivp::members_in(simd);
      std::vector<SliderCrank> cranks(static_cast<std::size_t>(count));
      std::vector<DaeProblemPtr> problems;
      std::vector<const DaeProblem*> members;
      std::vector<double> x;
      for (int i = 0; i < count; ++i) {
        SliderCrank& crank = cranks[static_cast<std::size_t>(i)];
        crank.g0 = 9 + 0.3 * i;
        crank.m = 1 + 0.1 * i;
        if (i % 2 == 1) crank.from = problems::SliderCrankStart::turning;
        problems.push_back(erased(crank, simd));
        members.push_back(problems.back().get());
        Vec<12> start = crank.start();
        if (i == broken) start[8] = std::nan("");
        x.insert(x.end(), start.data(), start.data() + 12);
      }
      const auto lanes = ivp::members_in_lanes(members, simd, form, formula, 3, {}, {});
      lanes->start(0, x.data());
      lanes->advance(steps, nodes.data());
      std::vector<std::vector<double>> ends;
      for (int i = 0; i < count; ++i) {
        std::vector<double> end(12), carried(6);
        lanes->state(i, end.data(), carried.data());
        double position = 0, velocity = 0;
        lanes->drift(i, position, velocity);
        CHECK(lanes->steps(i) == (i == broken ? 0 : steps));
        if (i != broken) CHECK(position < 1e-4);
        if (i != broken) {
          const End alone =
              in_lanes_of(simd, cranks[static_cast<std::size_t>(i)],
                          cranks[static_cast<std::size_t>(i)].start(), form, ivp::Stepper::heun, 3);
          CHECK(same_bits(end, {alone.x.end() - 12, alone.x.end()}));
        }
        ends.push_back(end);
      }
      return ends;
    };
    INFO(name_of(simd));
    const auto all = run(-1);
    const auto without = run(1);
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (i != 1) CHECK(same_bits(all[i], without[i]));
    }
  }
}

TEST_CASE("members in lanes end as they do alone", "[lanes][ensemble]") {
  // With alpha1 > 0 a regularization passes configurations in which constraints are dependent
  // without knowing the branch.
  const ivp::Srm alone{.alpha1 = 1};
  ivp::Srm together = alone;
  together.loops = ivp::InLanes{};
  ivp::Options options{.method = alone, .h = 1e-3, .every = 0};
  std::vector<DaeProblemPtr> problems;
  std::vector<const DaeProblem*> members;
  std::vector<VecX> starts;
  for (int i = 0; i < ivp::members_in(best_simd()); ++i) {
    SliderCrank crank;
    crank.g0 = 9.6 + 0.1 * i;
    problems.push_back(erased(crank, best_simd()));
    members.push_back(problems.back().get());
    starts.push_back(crank.start());
  }
  options.method = together;
  const Interval span{0, 2};
  const auto solutions = ivp::solve_members_in_lanes(members, starts, span, options);
  REQUIRE(solutions.size() == members.size());
  int singular = 0;
  for (std::size_t i = 0; i < members.size(); ++i) {
    options.method = alone;
    const ivp::Solution one = ivp::solve(*members[i], starts[i], span, options);
    CHECK(solutions[i].report.termination == one.report.termination);
    options.method = together;
    const ivp::Solution iterates = ivp::solve_in_lanes(*members[i], starts[i], span, options);
    CHECK(iterates.report.termination == one.report.termination);
    singular += one.report.termination == Termination::singular_constraint;
  }
  CHECK(singular > 0);
}

TEST_CASE("an iterate that is not finite is named", "[lanes]") {
  const SliderCrank crank;
  Regularization form = form_of(Variant::singular, Weight::inverse);
  form.epsilon = h / 10;  // Not stable: what Heun's formula damps grows 41-fold in each step.
  const ivp::LaneFormula formula = ivp::lane_formula(ivp::tableau(ivp::Stepper::heun));
  for (Simd simd : supported_sets()) {
    const auto fed = [&](const Vec<12>& start) {
      const DaeProblemPtr problem = erased(crank, simd);
      auto lanes = ivp::skewed_iterates(*problem, simd, form, formula, 3, {});
      ivp::LaneFeed feed(std::move(lanes), formula, 3, ivp::FixedSteps({0, 1}, h), {}, true);
      bool ok = feed.start(start.data());
      while (ok && feed.steps() < 1000) ok = feed.next();
      CHECK_FALSE(ok);
      return std::pair<long, int>(feed.steps(), feed.failed_iterate());
    };
    const auto [grown, iterate] = fed(crank.start());
    CHECK(grown > 50);
    CHECK(grown < 1000);
    CHECK(iterate >= 1);
    CHECK(iterate <= 3);
    Vec<12> start = crank.start();
    start[8] = std::nan("");
    CHECK(fed(start) == std::pair<long, int>(0, 1));
  }
}

}  // namespace
}  // namespace daewave
