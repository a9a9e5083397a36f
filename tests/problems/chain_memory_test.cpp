// Evaluating and solving a chain asks for memory at the first call only. An executable of its own:
// what is defined here changes how Eigen is compiled.

#include <atomic>
#include <cstdlib>
#include <new>
#include <stdexcept>

#define EIGEN_RUNTIME_NO_MALLOC
#define eigen_assert(condition)                           \
  do {                                                    \
    if (!(condition)) throw std::logic_error(#condition); \
  } while (false)

#include "problems/chain.hpp"
#include "tests/catch.hpp"

namespace {

std::atomic<long> allocations{0};

void* counted(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size > 0 ? size : 1)) return memory;
  throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t size) { return counted(size); }
void* operator new[](std::size_t size) { return counted(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(size > 0 ? size : 1);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }

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
  const long before = allocations;
  const std::vector<double> some(3);
  CHECK(allocations == before + 1);
  Eigen::internal::set_is_malloc_allowed(false);
  bool refused = false;
  try {
    const VecX vector(7);
  } catch (const std::logic_error&) {
    refused = true;
  }
  Eigen::internal::set_is_malloc_allowed(true);
  CHECK(refused);
}

TEST_CASE("a chain is evaluated and solved without asking for memory again", "[problems]") {
  const Chain problem{.rods = 16};
  const VecX z = problem.start(), q = z.head(48), v = z.tail(48);
  Work work;
  work.run(problem, q, v);
  const long before = allocations;
  Eigen::internal::set_is_malloc_allowed(false);
  bool refused = false;
  try {
    for (int i = 0; i < 3; ++i) work.run(problem, q, v);
  } catch (const std::logic_error&) {
    refused = true;
  }
  Eigen::internal::set_is_malloc_allowed(true);
  CHECK_FALSE(refused);
  CHECK(allocations == before);
}

}  // namespace daewave::problems
