// Whether conditions determine a solution, of solves whose influence of conditions is made up.

#include "bvp/mesh/open_conditions.hpp"

#include "bvp/residual/turning_modes.hpp"
#include "tests/bvp/made_up_solution.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

using Found = OpenConditions::Found;

/// Influence of the conditions on a mesh of as many intervals.
using Influence = std::function<double(int intervals)>;

struct Solves {
  Influence influence = [](int) { return 1.0; };
  bool relative = true;  ///< In units of the solution; else modes were counted.
  Termination ended = Termination::converged;
  int most = 1 << 20;  ///< Intervals of a refinement.
  std::vector<int> meshes{};

  Solution on(const Mesh& mesh) {
    meshes.push_back(mesh.intervals());
    Report report;
    report.termination = ended;
    if (ended == Termination::singular_matrix) return {nullptr, report};
    report.conditioning.available = true;
    report.conditioning.boundary = influence(mesh.intervals());
    if (!relative) report.conditioning.growing = 1;
    return testing::made_up(testing::straight(mesh, 1, 1), report);
  }
  OpenConditions conditions() {
    return {[this](const Mesh& mesh, const Solution&) { return on(mesh); },
            [](const Mesh& mesh) { return mesh; }, most};
  }
};

Solution on_ten(double influence, bool relative = true) {
  Solves solves{.influence = [influence](int) { return influence; }, .relative = relative};
  return solves.on(uniform_mesh(0, 1, 10));
}

VecX turns(double of_each) { return VecX::Constant(10, of_each); }

Found followed(Solves& solves, double here, double turn, bool relative = true) {
  Solution now = on_ten(here, relative), fine;
  return solves.conditions().follow(now, turns(turn), fine);
}

}  // namespace

TEST_CASE("a mesh that follows modes well enough for its conditions is believed", "[mesh][open]") {
  Solves solves;
  CHECK(followed(solves, 1, 0.1) == Found::as_here);
  CHECK(followed(solves, 1e3, 0) == Found::as_here);
  CHECK(solves.meshes.empty());
}

TEST_CASE("one that does not is compared with one that does", "[mesh][open]") {
  // As here, or well determined there.
  Solves alike{.influence = [](int) { return 120.0; }};
  CHECK(followed(alike, 60, 4) == Found::as_here);
  REQUIRE_FALSE(alike.meshes.empty());
  CHECK(alike.meshes.back() > 20);
  Solves determined{.influence = [](int) { return 15.0; }};
  CHECK(followed(determined, 1, 4) == Found::as_here);
  Solves other{.influence = [](int) { return 300.0; }};
  CHECK(followed(other, 60, 4) == Found::otherwise);
  Solves smaller{.influence = [](int) { return 40.0; }};
  CHECK(followed(smaller, 170, 4) == Found::otherwise);
  // The finer the mesh, the more they leave open.
  Solves open{.influence = [](int intervals) { return 1.0 * intervals * intervals * intervals; }};
  CHECK(followed(open, 60, 4) == Found::leave_open);
  Solves far{.influence = [](int) { return 1e8; }};
  CHECK(followed(far, 60, 4) == Found::leave_open);
  CHECK(far.meshes.size() == 1);
}

TEST_CASE("where modes are counted influences are not relative, and are only compared",
          "[mesh][open]") {
  Solves alike{.influence = [](int) { return 1e9; }, .relative = false};
  CHECK(followed(alike, 5e8, 4, false) == Found::as_here);
  Solves other{.influence = [](int) { return 2.0; }, .relative = false};
  CHECK(followed(other, 15, 4, false) == Found::otherwise);
}

TEST_CASE("of a first mesh, on which nothing was asked, the influence is found", "[mesh][open]") {
  Solves known{.influence = [](int) { return 5.0; }};
  CHECK(followed(known, 0, 4) == Found::otherwise);
  CHECK(known.meshes == std::vector<int>{10});
  Solves none{.influence = [](int) { return 0.0; }};
  CHECK(followed(none, 0, 4) == Found::as_here);
  Solves stopped{.ended = Termination::stopped};
  CHECK(followed(stopped, 0, 4) == Found::stopped);
  CHECK(followed(stopped, 60, 4) == Found::stopped);
  // Modes that turn little do not matter.
  Solves unasked;
  CHECK(followed(unasked, 0, 0.01) == Found::as_here);
  CHECK(unasked.meshes.empty());
}

TEST_CASE("a mesh that has no solution, or that is not allowed, is told", "[mesh][open]") {
  Solves failing{.ended = Termination::singular_matrix};
  Solution now = on_ten(60), fine;
  CHECK(failing.conditions().follow(now, turns(4), fine) == Found::leave_open);
  CHECK(fine.report.termination == Termination::singular_matrix);
  Solves few{.most = 10};
  CHECK(few.conditions().follow(now, turns(4), fine) == Found::as_here);
  REQUIRE(now.report.warnings.size() == 1);
  CHECK_THAT(now.report.warnings[0], contains_text("turn by 40 rad in all"));
  CHECK_THAT(now.report.warnings[0], contains_text("which 10 intervals do not follow"));
  CHECK(few.meshes.empty());
}

TEST_CASE("conditions that hardly determine a solution must do so alike on two meshes",
          "[mesh][open]") {
  Solves none;
  double otherwise = 0;
  const auto determine = [&](double here, double before, bool relative = true) {
    const auto another = [] { return uniform_mesh(0, 1, 7); };
    return none.conditions().determine(
        on_ten(here, relative), on_ten(before, relative), [&] { return otherwise; }, another);
  };
  CHECK(determine(15, 1));
  CHECK(determine(100, 30));
  CHECK(determine(100, 390));
  CHECK_FALSE(determine(100, 20));
  CHECK_FALSE(determine(100, 500));
  CHECK_FALSE(determine(2e7, 2e7));
  CHECK(determine(2e7, 2e7, false));
  CHECK(none.meshes.empty());
  // Where there was no other mesh one is solved on.
  none.influence = [](int) { return 130.0; };
  CHECK(determine(100, 0));
  CHECK(none.meshes == std::vector<int>{7});
  none.influence = [](int) { return 1300.0; };
  CHECK_FALSE(determine(100, 0));
  // Or by other equations, which is as good, and tells of a mesh before that was too coarse.
  none.meshes.clear();
  otherwise = 130;
  CHECK(determine(100, 0));
  CHECK(determine(100, 20));
  CHECK_FALSE(determine(2e7, 20));
  otherwise = 500;
  CHECK(determine(100, 30));
  CHECK_FALSE(determine(100, 20));
  CHECK_FALSE(determine(100, 0));
  CHECK(none.meshes.empty());
}

TEST_CASE("what conditions leave open is told with its influence, and what to state instead",
          "[mesh][open]") {
  const Solution told = OpenConditions::not_determined(on_ten(3e5));
  CHECK(told.report.termination == Termination::singular_matrix);
  CHECK_THAT(told.report.message, contains_text("moves it by 3e+05 times as much on 10 intervals"));
  CHECK_THAT(told.report.advice, contains_text("what grows with t needs them at the end"));
}

TEST_CASE("influences that are well above one and differ between meshes are told", "[mesh][open]") {
  const auto differ = [](double last, double next, bool relative = true) {
    return OpenConditions::differ(on_ten(last, relative).report, on_ten(next, relative).report);
  };
  CHECK(differ(30, 300));
  CHECK(differ(1e6, 1e5));
  CHECK_FALSE(differ(300, 600));
  CHECK_FALSE(differ(300, 15));
  CHECK_FALSE(differ(30, 300, false));
  // Next to none determined: the same on meshes that resolve the solution.
  CHECK(differ(1e9, 2e9));
  CHECK_FALSE(differ(1e9, 1.4e9));
}

}  // namespace daewave::bvp
