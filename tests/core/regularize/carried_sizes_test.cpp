// How much each form carries from one iterate to the next, of problems of any size.

#include "core/equations/equations.hpp"
#include "core/regularize/regularize.hpp"
#include "core/regularize/regularize_problem.hpp"
#include "problems/chain.hpp"
#include "tests/catch.hpp"

namespace daewave {

namespace {

/// Five coordinates, the first two on circles about each other: x1^2 + x2^2 = 1, and x3 = x1 where
/// there are two constraints.
DaeProblemPtr on_circles(Kind kind, int constraints) {
  using expression::Ref;
  expression::Equations equations;
  equations.kind = kind;
  equations.nq = 5;
  equations.seek_structure = false;
  expression::Graph& graph = equations.graph;
  const auto x = [&](int i) { return graph.variable(equations.variables().q(i)); };
  equations.f.assign(5, graph.number(0.5));
  if (kind == Kind::multibody) equations.M.assign(5, graph.number(2));
  const Ref first = graph.add(graph.multiply(x(0), x(0)), graph.multiply(x(1), x(1)));
  equations.g = {graph.subtract(first, graph.number(1))};
  if (constraints == 2) equations.g.push_back(graph.subtract(x(2), x(0)));
  if (kind != Kind::multibody) {
    for (int k = 0; k < constraints; ++k) {
      for (int i = 0; i < 5; ++i) {
        equations.B.push_back(k == 0 && i < 2 ? x(i) : graph.number(k == 1 && i == 2 ? 1 : 0));
      }
    }
  }
  VecX start = VecX::Zero(kind == Kind::index_2 ? 5 : 10);
  start[0] = start[2] = 1;
  equations.start = start;
  equations.interval = Interval{0, 1};
  return expression::problem_of(std::move(equations));
}

}  // namespace

TEST_CASE("forms carry y, B y or two of y, and evaluate as much", "[regularize]") {
  struct Row {
    Kind kind;
    Variant variant;
    int of_y, of_By;  // Carried: of_y times the constraints and of_By times the coordinates.
  };
  const Row rows[] = {{Kind::index_2, Variant::direct, 1, 0},
                      {Kind::index_2, Variant::singular, 0, 1},
                      {Kind::index_2, Variant::singular_linear, 0, 1},
                      {Kind::second_order, Variant::singular, 0, 1},
                      {Kind::second_order, Variant::baumgarte_form, 1, 0},
                      {Kind::second_order, Variant::invariant_reduced, 2, 0},
                      {Kind::second_order, Variant::invariant, 1, 0},
                      {Kind::multibody, Variant::singular, 0, 1},
                      {Kind::multibody, Variant::baumgarte_form, 1, 0},
                      {Kind::multibody, Variant::invariant_reduced, 2, 0},
                      {Kind::multibody, Variant::invariant, 1, 0}};
  for (const int constraints : {1, 2}) {
    for (const Row& row : rows) {
      CAPTURE(name_of(row.kind), name_of(row.variant), constraints);
      const DaeProblemPtr problem = on_circles(row.kind, constraints);
      Regularization form;
      form.variant = row.variant;
      const auto ode = regularize(*problem, form);
      REQUIRE(ode);
      const int carried = row.of_y * constraints + row.of_By * 5;
      CHECK(ode->size() == (row.kind == Kind::index_2 ? 5 : 10));
      CHECK(ode->carried() == carried);
      VecX slope = VecX::Zero(ode->size()), after = VecX::Zero(carried);
      REQUIRE(ode->evaluate(*problem->start(), 0, VecX::Zero(carried), slope, after));
      CHECK(after.size() == carried);
      CHECK(after.allFinite());
      CHECK(slope.allFinite());
      double position = 1, velocity = 1;
      ode->residuals(position, velocity);
      CHECK(position == 0);
      if (row.kind != Kind::index_2) CHECK(velocity == 0);
      CHECK(ode->clone()->carried() == carried);
    }
  }
}

TEST_CASE("forms of structs whose sizes are told at run time carry as many", "[regularize]") {
  const problems::ChainOf<Dynamic> chain{.rods = 3};
  const auto z = chain.start();
  Regularization form;
  const auto carried = [&](Variant variant) {
    form.variant = variant;
    form.weight = carries_By(variant) ? Weight::inverse : Weight::identity;
    const auto ode = regularize(chain, form, z);
    CHECK(ode->size() == 18);
    VecX slope(18), after = VecX::Zero(ode->carried());
    REQUIRE(ode->evaluate(z, 0, VecX::Zero(ode->carried()), slope, after));
    return ode->carried();
  };
  // Six constraints on nine coordinates.
  CHECK(carried(Variant::singular) == 9);
  CHECK(carried(Variant::invariant) == 6);
  CHECK(carried(Variant::invariant_reduced) == 12);
}

}  // namespace daewave
