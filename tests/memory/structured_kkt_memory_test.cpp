// Evaluating and solving a chain and a scissors lift asks for memory at the first call only.

#include "tests/memory/counted_allocations.hpp"

#include "problems/chain.hpp"
#include "problems/scissors.hpp"
#include "tests/catch.hpp"

namespace daewave::problems {
namespace {

/// Everything a method asks for at one state.
template <class P>
struct Work {
  MultibodyTerms<P> at;
  typename P::Kkt kkt;
  VecX c, a, lambda, Gv;

  void run(const P& problem, const VecX& q, const VecX& v) {
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

template <class P>
bool asks_for_memory_again(const P& problem) {
  const VecX z = problem.start(), q = z.head(48), v = z.tail(48);
  Work<P> work;
  work.run(problem, q, v);
  return testing::asks_for_memory([&] {
    for (int i = 0; i < 3; ++i) work.run(problem, q, v);
  });
}

}  // namespace

TEST_CASE("memory of Eigen and of the library is watched", "[problems]") {
  CHECK(testing::memory_is_watched());
}

TEST_CASE("a chain is evaluated and solved without asking for memory again", "[problems]") {
  CHECK_FALSE(asks_for_memory_again(Chain{.rods = 16}));
}

TEST_CASE("a scissors lift is evaluated and solved without asking for memory again", "[problems]") {
  CHECK_FALSE(asks_for_memory_again(Scissors(8)));
}

}  // namespace daewave::problems
