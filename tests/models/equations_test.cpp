// Equations of every kind: the terms that methods ask for, and their derivatives.

#include <functional>
#include <string>

#include "core/adapt/problem_from_functions.hpp"
#include "core/start/problem_start.hpp"
#include "models/expression/meaning.hpp"
#include "models/problem/equations.hpp"
#include "tests/catch.hpp"

using namespace daewave;
using namespace daewave::models;
using Catch::Matchers::WithinAbs;

namespace {

/// x1, x2, v1, v2 where there are velocities, w1; t.
class StateNames final : public Names {
 public:
  explicit StateNames(Equations& equations) : equations_(equations) {}
  std::optional<Ref> of(const std::string& name) override {
    const Variables variables{2, equations_.has_velocity() ? 2 : 0, 1};
    if (name == "t") return equations_.graph.variable(Variables::t);
    const int i = name.back() - '1';
    return equations_.graph.variable(name[0] == 'x'   ? variables.q(i)
                                     : name[0] == 'v' ? variables.v(i)
                                                      : variables.w(i));
  }
  std::vector<std::string> known() const override { return {}; }

 private:
  Equations& equations_;
};

Equations equations_of(Kind kind, const std::map<std::string, std::vector<std::string>>& texts) {
  Equations equations;
  equations.kind = kind;
  equations.nq = 2;
  equations.name = "sample";
  StateNames names(equations);
  for (const auto& [what, rows] : texts) {
    std::vector<Ref>& to = what == "f"   ? equations.f
                           : what == "B" ? equations.B
                           : what == "g" ? equations.g
                           : what == "r" ? equations.r
                           : what == "h" ? equations.h
                                         : equations.M;
    for (const std::string& row : rows) {
      to.push_back(meaning(parse(row), equations.graph, names));
    }
  }
  return equations;
}

void check_terms(const Equations& equations, const VecX& state) {
  const DaeProblemPtr problem = problem_of(equations);
  const DerivativeReport report = check_derivatives(*problem, state, 0.3);
  INFO(report.text());
  CHECK(report.ok());
  CHECK(problem->structure().has_f_jacobian);
}

}  // namespace

TEST_CASE("equations of every kind have exact derivatives", "[models]") {
  VecX x(2), z(4);
  x << 0.4, 1.2;
  z << 0.4, 1.2, -0.3, 0.5;
  SECTION("index 2") {
    check_terms(equations_of(Kind::index_2, {{"f", {"x1*x2 - t", "sin(x1)"}},
                                             {"B", {"x2", "1 + t"}},
                                             {"g", {"x1^2*x2 - t^2"}}}),
                x);
  }
  SECTION("second order") {
    check_terms(
        equations_of(Kind::second_order,
                     {{"f", {"x1*v2 - t", "v1^2"}}, {"B", {"x2", "x1"}}, {"g", {"x1^2*x2 - t^2"}}}),
        z);
  }
  SECTION("multibody with a mass that is dense, and moves") {
    const Equations equations = equations_of(
        Kind::multibody,
        {{"f", {"x1*v2 - t", "v1^2"}}, {"M", {"2", "x1", "x1", "3"}}, {"g", {"x1^2*x2 - t^2"}}});
    check_terms(equations, z);
    const Structure structure = problem_of(equations)->structure();
    CHECK(structure.mass == Structure::Mass::dense);
    CHECK(!structure.mass_constant);
  }
  SECTION("a dense mass with nothing off its diagonal is diagonal") {
    const Structure structure =
        problem_of(
            equations_of(Kind::multibody,
                         {{"f", {"0", "1"}}, {"M", {"2", "0", "0", "3"}}, {"g", {"x1 + x2"}}}))
            ->structure();
    CHECK(structure.mass == Structure::Mass::diagonal);
    CHECK(structure.mass_constant);
  }
}

TEST_CASE("index 1 is evaluated as what is written", "[models]") {
  const DaeProblemPtr problem = problem_of(
      equations_of(Kind::invariants, {{"f", {"x2*w1", "-x1 + t"}}, {"r", {"w1^3 - x1*x2"}}}));
  const double t = 0.3, q[] = {0.4, 1.2}, w[] = {0.7};
  const auto evaluation = problem->evaluation();
  const Terms& at = evaluation->evaluate(
      Ask::f | Ask::r | Ask::r_w | Ask::r_q | Ask::f_q | Ask::f_w, {1, 1, &t, q, nullptr, w});
  CHECK(at.f[0] == 1.2 * 0.7);
  CHECK_THAT(at.f[1], WithinAbs(-0.1, 1e-16));
  CHECK_THAT(at.r[0], WithinAbs(0.343 - 0.48, 1e-16));
  CHECK_THAT(at.r_w[0], WithinAbs(3 * 0.49, 1e-15));
  CHECK(at.r_q[0] == -1.2);
  CHECK(at.r_q[1] == -0.4);
  CHECK(at.f_w[0] == 1.2);
  CHECK(at.f_w[1] == 0);
  CHECK(at.f_q[1] == -1);
  CHECK(at.f_q[2] == 0.7);
}

TEST_CASE("invariants are evaluated with their derivatives, as what is written", "[models]") {
  const DaeProblemPtr problem = problem_of(equations_of(
      Kind::invariants, {{"f", {"x2", "-x1"}}, {"h", {"x1^2 + x2^2 - 1 + t", "x1*x2"}}}));
  const double t = 0.3, q[] = {0.4, 1.2};
  const auto evaluation = problem->evaluation();
  const Terms& at = evaluation->evaluate(Ask::h | Ask::H, {1, 1, &t, q, nullptr, nullptr});
  REQUIRE(at.h != nullptr);
  CHECK_THAT(at.h[0], WithinAbs(0.16 + 1.44 - 0.7, 1e-15));
  CHECK(at.h[1] == 0.4 * 1.2);
  REQUIRE(at.H != nullptr);
  // Column by column.
  CHECK(at.H[0] == 2 * 0.4);
  CHECK(at.H[1] == 1.2);
  CHECK(at.H[2] == 2 * 1.2);
  CHECK(at.H[3] == 0.4);
}

TEST_CASE("sizes that do not fit the kind are refused", "[models]") {
  Equations equations = equations_of(Kind::index_2, {{"f", {"x1", "x2"}}, {"g", {"x1"}}});
  CHECK_THROWS_WITH(problem_of(equations), contains_text("B has 0 entries, 2 are wanted"));
}

TEST_CASE("a motion without constraints is told to be of another kind", "[models]") {
  CHECK_THROWS_WITH(problem_from_functions({.kind = Kind::multibody,
                                            .sizes = {.nq = 1},
                                            .f = [](const Points&, double*) {},
                                            .M = [](const Points&, double*) {}}),
                    contains_text("ny + nk = 0: must be >= 1"));
}
