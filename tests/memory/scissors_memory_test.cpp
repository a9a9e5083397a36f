// Evaluating and solving a scissors lift asks for memory at the first call only.

#include "tests/memory/counted_allocations.hpp"

#include "problems/scissors.hpp"
#include "tests/catch.hpp"

namespace daewave::problems {
namespace {

/// Everything a method asks for at one state.
struct WorkOfScissors {
  MultibodyTerms<Scissors> at;
  Scissors::Kkt kkt;
  VecX c, a, lambda, Gv;

  void run(const Scissors& problem, const VecX& q, const VecX& v) {
    evaluate(problem, q, v, 0, at);
    apply(at.G, v, Gv);
    kkt.eliminate(at.G, 0);
    kkt.weigh(at.M);
    c = -at.curvature;
    kkt.solve(at.M, at.f, c, a, lambda);
    kkt.correct(at.M, at.position, a);
    kkt.correct_orthogonal(at.position, a);
    kkt.forbidden(v, a);
  }
};

}  // namespace

TEST_CASE("a scissors lift is evaluated and solved without asking for memory again", "[problems]") {
  const Scissors problem(8);
  const VecX z = problem.start(), q = z.head(48), v = z.tail(48);
  WorkOfScissors work;
  work.run(problem, q, v);
  CHECK_FALSE(testing::asks_for_memory([&] {
    for (int i = 0; i < 3; ++i) work.run(problem, q, v);
  }));
}

}  // namespace daewave::problems
