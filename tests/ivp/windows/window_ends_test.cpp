// The end of a window and a place inside of it, side by side in lanes: what is found there, and how
// the end is brought back to the constraints, is what comes out one by one.

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "core/adapt/problem_of.hpp"
#include "core/machine/aligned.hpp"
#include "core/machine/simd.hpp"
#include "ivp/doors/solve_reduced.hpp"
#include "ivp/windows/compiled_windows.hpp"
#include "problems/acpr.hpp"
#include "problems/andrews.hpp"
#include "problems/car_axis.hpp"
#include "problems/chain.hpp"
#include "problems/pendulum.hpp"
#include "problems/slider_crank.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/double_four_bar.hpp"
#include "tests/problems/compiled_problems.hpp"

namespace daewave::ivp {
namespace {

using problems::Pendulum;

/// Sweeps of a problem whose terms at 8 points are said to cost no more than at one.
std::unique_ptr<WindowSweeps> sweeps_of(const DaeProblem& problem) {
  const Structure& structure = problem.structure();
  const WindowTask task{problem.sizes(),
                        structure.mass == Structure::Mass::diagonal,
                        structure.mass_constant,
                        structure.constraints == Structure::Constraints::chain,
                        1e-12,
                        pivots_of_windows,
                        true};
  Evaluation* const evaluation = problem.evaluation().release();
  return std::unique_ptr<WindowSweeps>(
      best_of([&](auto set) { return compiled_windows(set, evaluation, task); }, best_simd()));
}

/// After a sweep over one short window from the start.
std::unique_ptr<WindowSweeps> swept(std::unique_ptr<WindowSweeps> sweeps, const VecX& start) {
  const auto nq = static_cast<int>(start.size()) / 2;
  AlignedVector a;
  a.assign(static_cast<std::size_t>(nq * WindowFormula::nodes), 0.0);
  const std::vector<double> weight(static_cast<std::size_t>(nq), 1.0);
  const WindowBegin from{nq, 0, 1e-6, start.data(), start.data() + nq};
  REQUIRE(sweeps->sweep(from, weight.data(), a.data()).evaluated);
  return sweeps;
}

/// The start, off the constraints by about `by` of the size of each entry.
VecX disturbed(const VecX& start, double by) {
  VecX z = start;
  for (int i = 0; i < z.size(); ++i) {
    z[i] += by * (1 + std::abs(z[i])) * std::sin(1.7 * i + 0.4);
  }
  return z;
}

/// A window without length, so that all of its places are its begin.
struct Still {
  explicit Still(const VecX& z) : begin(z), none(static_cast<std::size_t>(z.size() / 2), 0.0) {
    series.assign(none.size() * WindowFormula::nodes, 0.0);
    check = {0, 0, begin.data(), series.data(), none.data(), none.data()};
  }
  VecX begin;
  std::vector<double> none;
  AlignedVector series;
  WindowCheck check;
};

/// @param tolerance  beside the largest entry.
void check_alike(const VecX& one, const VecX& other, double tolerance) {
  REQUIRE(one.size() == other.size());
  CHECK((one - other).cwiseAbs().maxCoeff() <= tolerance * (1 + other.cwiseAbs().maxCoeff()));
}

/// @param off  the constraints, by about that part of each entry.
template <class P>
void check_ends(const P& problem, double off = 1e-5) {
  const DaeProblemPtr erased = problem_of(problem);
  const VecX start = problem.start();
  const int nq = static_cast<int>(start.size()) / 2;
  const double t = 1e-3, t_inside = 4e-4;
  const VecX end = disturbed(start, off), inside = disturbed(start, -3 * off);

  const auto system = reduce(*erased, reduction_of(GaussWindows{}, Tolerance({}, 2 * nq), 1e-12));
  VecX slope_inside = start, slope = start, corrected = end;
  REQUIRE(system->rhs(t_inside, inside, slope_inside));
  const double pivot_inside = system->pivots().last();
  REQUIRE(system->rhs(t, end, slope));
  const double pivot = system->pivots().last();
  VecX kept = slope;
  REQUIRE(system->after_step(t, corrected, kept));

  const auto sweeps = swept(sweeps_of(*erased), start);
  VecX a = VecX::Zero(nq), a_inside = a, brought = end;
  WindowPoint at_end{t, end.data(), a.data()}, between{t_inside, inside.data(), a_inside.data()};
  const Still still(start);
  WindowCheck check = still.check;
  REQUIRE(sweeps->look(check, at_end, between));
  check_alike(a, slope.tail(nq), 1e-11);
  check_alike(a_inside, slope_inside.tail(nq), 1e-11);
  if (std::isinf(pivot)) {  // As of chains, whose rows never depend.
    CHECK(std::isinf(at_end.pivot));
    CHECK(std::isinf(between.pivot));
  } else {
    CHECK(at_end.pivot == Approx(pivot).epsilon(1e-3));
    CHECK(between.pivot == Approx(pivot_inside).epsilon(1e-3));
  }

  sweeps->bring_back(brought.data());
  check_alike(brought, corrected, 1e-13);
  // There was something to correct, and it is corrected.
  const Drift before = system->drift(t, end), after = system->drift(t, brought);
  CHECK(before.position > 1e-8);
  CHECK(after.position < 1e-4 * before.position);
  CHECK(after.velocity < 1e-3 * std::max(before.velocity, before.position));
}

}  // namespace

TEST_CASE("ends of windows side by side are what they are one by one", "[windows]") {
  check_ends(Pendulum{});
  check_ends(problems::Andrews{});
  check_ends(problems::AcprCase1{});
  check_ends(problems::AcprCase2{});
  check_ends(problems::SliderCrank{});
  check_ends(problems::CarAxis{});
  check_ends(DoubleFourBar{});
  check_ends(problems::Chain{1}, 1e-7);
  check_ends(problems::Chain{5}, 1e-7);
  check_ends(problems::Chain{40}, 1e-7);
}

TEST_CASE(
    "ends are looked at one by one before a sweep, without lanes, where pivots are others or "
    "nothing is finite",
    "[windows]") {
  const DaeProblemPtr pendulum = problem_of(Pendulum{}), arm = problem_of(DoubleFourBar{});
  const auto looks = [](WindowSweeps& sweeps, const VecX& z) {
    const auto nq = z.size() / 2;
    VecX a = VecX::Zero(nq), other = a;
    WindowPoint end{0, z.data(), a.data()}, inside{0, z.data(), other.data()};
    const Still still(z);
    WindowCheck check = still.check;
    const bool looked = sweeps.look(check, end, inside);
    // What was not found is left alone.
    if (!looked) CHECK(a.isZero());
    return looked;
  };
  VecX z = Pendulum{}.start();
  CHECK_FALSE(looks(*sweeps_of(*pendulum), z));
  const auto swung = swept(sweeps_of(*pendulum), z);
  CHECK(looks(*swung, z));
  // Eight points of a problem without lanes cost as much as eight.
  const DaeProblemPtr one_by_one = problem_of(Pendulum{}, StructLanes<Pendulum>{});
  REQUIRE(one_by_one->lanes() == 1);
  CHECK_FALSE(looks(*swept(sweeps_in_lanes(*one_by_one, 1e-12), z), z));
  CHECK(looks(*swept(sweeps_in_lanes(*pendulum, 1e-12), z), z));
  z[0] = NAN;
  CHECK_FALSE(looks(*swung, z));

  // Where all bars lie in one line, G loses a row.
  const VecX start = DoubleFourBar{}.start();
  const auto bars = swept(sweeps_of(*arm), start);
  CHECK(looks(*bars, start));
  CHECK_FALSE(looks(*bars, VecX::Zero(start.size())));

  const problems::Chain chain{3};
  const DaeProblemPtr links = problem_of(chain);
  const VecX hanging = chain.start();
  CHECK(looks(*sweeps_of(*links), hanging));
  VecX torn = hanging;
  torn[5] = INFINITY;
  CHECK_FALSE(looks(*sweeps_of(*links), torn));
  const DaeProblemPtr rods = problem_of(chain, StructLanes<problems::Chain>{});
  REQUIRE(rods->lanes() == 1);
  CHECK_FALSE(looks(*swept(sweeps_in_lanes(*rods, 1e-12), hanging), hanging));
}

}  // namespace daewave::ivp
