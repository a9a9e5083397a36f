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

}  // namespace
}  // namespace daewave
