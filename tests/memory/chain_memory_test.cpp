// Evaluating and solving a chain asks for memory at the first call only.

#include "tests/memory/counted_allocations.hpp"

#include "problems/chain.hpp"
#include "tests/catch.hpp"

namespace daewave::problems {
namespace {

/// Everything a method asks for at one state.
struct Work {
  MultibodyTerms<Chain> at;
  ChainKkt kkt;
  VecX c, a, lambda, Gv;

  void run(const Chain& problem, const VecX& q, const VecX& v) {
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

TEST_CASE("memory of Eigen and of the library is watched", "[problems]") {
  CHECK(testing::memory_is_watched());
}

TEST_CASE("a chain is evaluated and solved without asking for memory again", "[problems]") {
  const Chain problem{.rods = 16};
  const VecX z = problem.start(), q = z.head(48), v = z.tail(48);
  Work work;
  work.run(problem, q, v);
  CHECK_FALSE(testing::asks_for_memory([&] {
    for (int i = 0; i < 3; ++i) work.run(problem, q, v);
  }));
}

}  // namespace daewave::problems
