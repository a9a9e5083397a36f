// Numbers in SIMD lanes, and iterates and ensembles in them, with every instruction set this
// machine has.

#include <cmath>
#include <cstring>
#include <memory>
#include <numbers>
#include <utility>
#include <vector>

#include "catalogue/slider_crank_lanes.hpp"
#include "core/adapt/problem_of.hpp"
#include "core/lanes/lane_cholesky.hpp"
#include "core/lanes/lane_elimination.hpp"
#include "core/lanes/lanes_in_eigen.hpp"
#include "core/machine/sine_cosine.hpp"
#include "core/regularize/regularize.hpp"
#include "ivp/lanes/lane_methods.hpp"
#include "ivp/lanes/lane_step.hpp"
#include "ivp/srm/srm_step.hpp"
#include "tests/catch.hpp"

namespace daewave {
namespace {

using problems::SliderCrank;
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

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return false;
  return a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
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

template <class T>
T lanes_with(double (*value)(int)) {
  T x;
  for (int i = 0; i < T::width; ++i) x.set(i, value(i));
  return x;
}

TEMPLATE_TEST_CASE("a lane does what a number does", "[lanes]", (Lanes<2, Sse2>), (Lanes<4, Sse2>),
                   (Lanes<8, Sse2>)) {
  const auto a = lanes_with<TestType>([](int i) { return 0.7 + 1.3 * i; });
  const auto b = lanes_with<TestType>([](int i) { return 2.1 - 0.9 * i; });
  for (int i = 0; i < TestType::width; ++i) {
    CHECK((a + b)[i] == a[i] + b[i]);
    CHECK((a - 3.0)[i] == a[i] - 3);
    CHECK((2.0 * a / b)[i] == 2 * a[i] / b[i]);
    CHECK((-b)[i] == -b[i]);
    CHECK(sqrt(a)[i] == std::sqrt(a[i]));
    CHECK(abs(b)[i] == std::abs(b[i]));
    CHECK(max(a, b)[i] == std::max(a[i], b[i]));
    CHECK(min(a, b)[i] == std::min(a[i], b[i]));
    CHECK(sin(a)[i] == sine_cosine(a[i]).sine);
    CHECK(cos(b)[i] == sine_cosine(b[i]).cosine);
    CHECK(exp(b)[i] == std::exp(b[i]));
    CHECK(((a < b).bits() >> i & 1U) == (a[i] < b[i] ? 1U : 0U));
    CHECK(select(a < b, a, b)[i] == std::min(a[i], b[i]));
    CHECK(moved_up(a, -1)[i] == (i == 0 ? -1 : a[i - 1]));
  }
}

TEMPLATE_TEST_CASE("the larger in each lane is NaN where one of them is", "[lanes]",
                   (Lanes<2, Sse2>), (Lanes<4, Sse2>), (Lanes<8, Sse2>)) {
  const auto a = lanes_with<TestType>([](int i) { return i % 4 == 1 ? NAN : 1.5 - i; });
  const auto b = lanes_with<TestType>([](int i) { return i % 4 == 2 ? NAN : 0.0; });
  for (int i = 0; i < TestType::width; ++i) {
    if (i % 4 == 1 || i % 4 == 2) {
      CHECK(std::isnan(larger(a, b)[i]));
    } else {
      CHECK(larger(a, b)[i] == std::max(a[i], b[i]));
    }
  }
}

TEST_CASE("a lane with a large angle, or none, leaves the others their bits", "[lanes]") {
  using T = Lanes<4, Sse2>;
  T x;
  const double angles[4] = {1.25, 3e7, std::nan(""), -2.5};
  for (int i = 0; i < 4; ++i) x.set(i, angles[i]);
  const T s = sin(x), c = cos(x);
  for (int i : {0, 3}) {
    CHECK(s[i] == sine_cosine(angles[i]).sine);
    CHECK(c[i] == sine_cosine(angles[i]).cosine);
  }
  CHECK(s[1] == std::sin(3e7));
  CHECK(c[1] == std::cos(3e7));
  CHECK(std::isnan(s[2]));
  CHECK((finite_in(x).bits() & 0xFU) == 0xBU);
}

TEST_CASE("each lane is eliminated with pivots of its own", "[lanes]") {
  using T = Lanes<4, Sse2>;
  constexpr int n = 3, m = 5;
  std::srand(7);
  for (int round = 0; round < 20; ++round) {
    Mat<n, m> A[4];
    MatOf<T, n, m> lanes;
    for (int lane = 0; lane < 4; ++lane) {
      A[lane].setRandom();
      for (int i = 0; i < n; ++i) {
        for (int j = 0; j < m; ++j) lanes(i, j).set(lane, A[lane](i, j));
      }
    }
    LaneElimination<T, n, m> elimination;
    CHECK_FALSE(elimination.eliminate(lanes, 1e-12).any());
    VecOf<T, n> c(T(1), T(-2), T(0.5)), lambda;
    VecOf<T, m> x, z[m - n];
    elimination.particular(c, x);
    for (int j = 0; j < m - n; ++j) elimination.null_space(j, z[j]);
    VecOf<T, m> f;
    for (int j = 0; j < m; ++j) f[j] = lanes(0, j) * 3.0 - lanes(2, j);
    elimination.transposed(f, lambda);
    for (int lane = 0; lane < 4; ++lane) {
      const auto of = [lane](const auto& v) {
        VecX one(v.size());
        for (int i = 0; i < v.size(); ++i) one[i] = v[i][lane];
        return one;
      };
      // Pivots of random rows are seldom below 1e-2: errors of a few hundred roundings.
      CHECK((A[lane] * of(x) - of(c)).norm() < 1e-12);
      for (int j = 0; j < m - n; ++j) {
        CHECK((A[lane] * of(z[j])).norm() < 1e-12 * (1 + of(z[j]).norm()));
      }
      CHECK((of(lambda) - Vec<3>(3, 0, -1)).norm() < 1e-11);
    }
  }
}

TEST_CASE("sizes of the type and those of run time give the same bits", "[lanes]") {
  using T = Lanes<4, Sse2>;
  constexpr int n = 3, m = 5;
  std::srand(11);
  MatOf<T, n, m> A;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < m; ++j) {
      for (int lane = 0; lane < 4; ++lane) A(i, j).set(lane, Vec<1>::Random()[0]);
    }
  }
  LaneElimination<T, n, m> fixed;
  LaneElimination<T, Dynamic, Dynamic> loose(n, m);
  fixed.eliminate(A, 1e-12);
  loose.eliminate(A, 1e-12);
  LaneCholesky<T, m> fixed_squares;
  LaneCholesky<T, Dynamic> loose_squares(m);
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j <= i; ++j) {
      const T entry = A(0, i) * A(0, j) + T(i == j ? 3 : 0);
      fixed_squares(i, j) = entry;
      loose_squares(i, j) = entry;
    }
  }
  CHECK_FALSE(fixed_squares.factorize().any());
  CHECK_FALSE(loose_squares.factorize().any());
  const VecOf<T, n> c(T(1), T(-2), T(0.5));
  VecOf<T, m> x, y;
  fixed.particular(c, x);
  loose.particular(c, y);
  fixed_squares.solve(x);
  loose_squares.solve(y);
  for (int i = 0; i < m; ++i) CHECK((x[i] == y[i]).all());
}

TEST_CASE("a lane without full rank is named, and the others are not", "[lanes]") {
  using T = Lanes<4, Sse2>;
  MatOf<T, 2, 3> A;
  for (int lane = 0; lane < 4; ++lane) {
    const double last = lane == 1 ? 0 : lane == 3 ? std::nan("") : 1;
    const double rows[2][3] = {{1, 2, 3}, {2, 4 + last, 6}};
    for (int i = 0; i < 2; ++i) {
      for (int j = 0; j < 3; ++j) A(i, j).set(lane, rows[i][j]);
    }
  }
  LaneElimination<T, 2, 3> elimination;
  CHECK(elimination.eliminate(A, 1e-12).bits() == 0b1010U);
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

TEST_CASE("instruction sets are named, and one that is missing is refused", "[lanes]") {
  CHECK(simd_named("auto") == best_simd());
  CHECK(supported(best_simd()));
  CHECK_THROWS_WITH(simd_named("mmx"), contains_text("known: auto, sse2, avx2, avx512"));
  for (Simd simd : all_simd()) {
    if (supported(simd)) {
      CHECK(simd_named(name_of(simd)) == simd);
    } else {
      CHECK_THROWS_WITH(
          simd_named(name_of(simd)),
          contains_text(compiled(simd) ? "this machine has none" : "are compiled for"));
    }
  }
}

}  // namespace
}  // namespace daewave
