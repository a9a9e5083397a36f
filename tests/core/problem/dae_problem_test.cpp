#include "core/problem/dae_problem.hpp"

#include "core/error.hpp"
#include "tests/catch.hpp"

namespace daewave {
namespace {

using Mass = Structure::Mass;
using Constraints = Structure::Constraints;

class OfStructure final : public DaeProblem {
 public:
  OfStructure(Mass mass, Constraints constraints, int nk)
      : DaeProblem(Kind::multibody, {.nq = 6, .ny = 2, .nk = nk},
                   {.mass = mass, .constraints = constraints}) {}
  std::unique_ptr<Evaluation> evaluation() const override { return nullptr; }
};

TEST_CASE("structured constraints without a mass that goes with them are refused", "[problem]") {
  CHECK_NOTHROW(OfStructure(Mass::diagonal, Constraints::chain, 0));
  CHECK_NOTHROW(OfStructure(Mass::diagonal, Constraints::joints, 0));
  CHECK_NOTHROW(OfStructure(Mass::bodies, Constraints::joints, 0));
  CHECK_NOTHROW(OfStructure(Mass::diagonal, Constraints::sparse, 0));
  CHECK_NOTHROW(OfStructure(Mass::bodies, Constraints::sparse, 0));
  for (const Mass mass : {Mass::dense, Mass::diagonal, Mass::bodies}) {
    CHECK_NOTHROW(OfStructure(mass, Constraints::dense, 1));
  }
  for (const Mass mass : {Mass::dense, Mass::bodies}) {
    CHECK_THROWS_WITH(OfStructure(mass, Constraints::chain, 0),
                      contains_text("chain go with a diagonal mass"));
  }
  CHECK_THROWS_WITH(OfStructure(Mass::dense, Constraints::joints, 0),
                    contains_text("diagonal or of bodies"));
  CHECK_THROWS_WITH(OfStructure(Mass::dense, Constraints::sparse, 0),
                    contains_text("sparse pattern go with a mass that is diagonal or of bodies"));
  for (const Constraints constraints :
       {Constraints::chain, Constraints::joints, Constraints::sparse}) {
    CHECK_THROWS_WITH(OfStructure(Mass::diagonal, constraints, 1),
                      contains_text("constraints on velocities go with dense G"));
  }
}

class OfConstantMass final : public DaeProblem {
 public:
  OfConstantMass() : DaeProblem(Kind::ordinary, {.nq = 1}, {.mass_constant = true}) {}
  std::unique_ptr<Evaluation> evaluation() const override { return nullptr; }
};

TEST_CASE("a constant mass of a problem without one is refused", "[problem]") {
  CHECK_THROWS_WITH(OfConstantMass(), contains_text("only multibody has a mass"));
}

class OfSizes final : public DaeProblem {
 public:
  OfSizes(Kind kind, Sizes sizes) : DaeProblem(kind, sizes, {}) {}
  std::unique_ptr<Evaluation> evaluation() const override { return nullptr; }
};

TEST_CASE("sizes that a kind does not have are refused by name", "[problem]") {
  struct Row {
    Kind kind;
    Sizes sizes;
    const char* says;  // Empty: nothing.
  };
  const Row rows[] = {
      {Kind::ordinary, {.nq = 1}, ""},
      {Kind::ordinary, {.nq = 0}, "nq = 0"},
      {Kind::ordinary, {.nq = 1, .ny = 1}, "ny = 1"},
      {Kind::ordinary, {.nq = 1, .ny = 1}, "it has no multipliers"},
      {Kind::ordinary, {.nq = 1, .nk = 1}, "only multibody has velocity constraints"},
      {Kind::ordinary, {.nq = 1, .nw = 1}, "unknowns w are of kind invariants"},
      {Kind::ordinary, {.nq = 1, .nh = 1}, "invariants are of kind invariants"},
      {Kind::invariants, {.nq = 1, .nw = 1, .nh = 1}, ""},
      {Kind::invariants, {.nq = 1, .ny = 1, .nw = 1}, "it has no multipliers"},
      {Kind::invariants, {.nq = 1, .nw = -1, .nh = 1}, "nw = -1"},
      {Kind::invariants, {.nq = 1, .nw = 1, .nh = -1}, "nh = -1"},
      {Kind::multibody, {.nq = 2, .ny = 1}, ""},
      {Kind::multibody, {.nq = 2, .nk = 1}, ""},
      {Kind::multibody, {.nq = 2, .ny = -1, .nk = 1}, "ny = -1"},
      {Kind::multibody, {.nq = 2, .ny = -1, .nk = 1}, "must be >= 0"},
      {Kind::multibody, {.nq = 2, .ny = 1, .nk = -1}, "nk = -1"},
      {Kind::multibody, {.nq = 2}, "ny + nk = 0"},
      {Kind::multibody, {.nq = 2, .ny = 1, .nw = 1}, "nw = 1"},
      {Kind::multibody, {.nq = 2, .ny = 1, .nh = 1}, "nh = 1"},
      {Kind::index_2, {.nq = 2, .ny = 1}, ""},
      {Kind::index_2, {.nq = 2}, "ny = 0"},
      {Kind::index_2, {.nq = 2, .ny = 1, .nk = 1}, "nk = 1"},
      {Kind::second_order, {.nq = 2, .ny = 1}, ""},
      {Kind::second_order, {.nq = 2}, "with x = (q, v)"}};
  for (const Row& row : rows) {
    const Sizes& n = row.sizes;
    CAPTURE(name_of(row.kind), n.nq, n.ny, n.nk, n.nw, n.nh);
    if (std::string(row.says).empty()) {
      CHECK_NOTHROW(OfSizes(row.kind, n));
    } else {
      CHECK_THROWS_AS(OfSizes(row.kind, n), InvalidProblem);
      CHECK_THROWS_WITH(OfSizes(row.kind, n), contains_text(row.says));
    }
  }
}

}  // namespace
}  // namespace daewave
