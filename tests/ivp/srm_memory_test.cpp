// Steps of a sequential regularization ask for no memory, for fixed and for bounded sizes. An
// executable of its own: what is defined here changes how Eigen is compiled.

#include <atomic>
#include <cstdlib>
#include <new>
#include <stdexcept>

#define EIGEN_RUNTIME_NO_MALLOC
#define eigen_assert(condition)                           \
  do {                                                    \
    if (!(condition)) throw std::logic_error(#condition); \
  } while (false)

#include "core/with_regularized.hpp"
#include "ivp/srm_step.hpp"
#include "problems/al2.hpp"
#include "problems/slider_crank.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/srm_problems.hpp"

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

using namespace daewave;

namespace {

/// Eigen asks malloc, not operator new: an allocation of Eigen's throws.
struct MallocForbidden {
  MallocForbidden() { Eigen::internal::set_is_malloc_allowed(false); }
  ~MallocForbidden() { Eigen::internal::set_is_malloc_allowed(true); }
};

/// Example 6.4 with sizes known at run time only.
struct BoundedArm {
  using Position = SmallVec;
  using Multiplier = SmallVec;
  problems::Al2Example64 arm{};

  SmallMat M(const Position& q) const { return arm.M(q); }
  Position f(const Position& q, const Position& v, double t) const { return arm.f(q, v, t); }
  Multiplier g(const Position& q, double t) const { return arm.g(q, t); }
  SmallMat G(const Position& q, double t) const { return arm.G(q, t); }
  Multiplier g_t(const Position& q, double t) const { return arm.g_t(q, t); }
  Multiplier curvature(const Position& q, const Position& v, double t) const {
    return arm.curvature(q, v, t);
  }
};

RegularizedForm form_of(Variant variant, Weight weight) {
  RegularizedForm form;
  form.variant = variant;
  form.weight = weight;
  form.epsilon = 0.02;
  return form;
}

template <class P, class Start>
long allocations_in_steps(const P& problem, const RegularizedForm& form, const Start& start,
                          const ivp::ExplicitTableau& formula) {
  return with_regularized(problem, form, [&](auto ode) {
    using R = decltype(ode);
    ivp::Options options;
    const ivp::Tolerance tolerance(options, static_cast<int>(start.size()));
    ivp::SrmStep<R> step(std::move(ode), formula, 3, {}, tolerance, true);
    REQUIRE(step.start(0, start));
    typename R::State x = start;
    const long before = allocations;
    const MallocForbidden guard;
    for (int i = 0; i < 5; ++i) {
      step.attempt(0.01);
      step.attempt(0.005);
      step.accept();
      step.interpolate(0.5, x);
      step.drift();
    }
    return allocations - before;
  });
}

template <class P, class Start>
void check_no_memory(const P& problem, const std::vector<Variant>& variants, const Start& start) {
  for (Variant variant : variants) {
    for (Weight weight : {Weight::inverse, Weight::identity, Weight::transpose}) {
      if (carries_By(variant) && weight != Weight::inverse) continue;
      for (const ivp::ExplicitTableau& formula : ivp::all_tableaux()) {
        CAPTURE(name_of(variant), name_of(weight), ivp::name_of(formula.stepper));
        CHECK(allocations_in_steps(problem, form_of(variant, weight), start, formula) == 0);
      }
    }
  }
}

}  // namespace

TEST_CASE("memory is counted", "[srm]") {
  const long before = allocations;
  const std::vector<double> some(3);
  CHECK(allocations == before + 1);
  const MallocForbidden guard;
  CHECK_THROWS_AS(VecX::Zero(3).eval(), std::logic_error);
}

TEST_CASE("steps of every variant, weight and formula need no memory", "[srm]") {
  const problems::Al2Example61 index_2;
  check_no_memory(index_2, variants_of_index_2(), index_2.start());
  check_no_memory(MovingCircle(), variants_of_index_3(), MovingCircle().z_exact(0));
  const problems::SliderCrank crank;
  const problems::Al2Example64 arm;
  check_no_memory(arm, variants_of_index_3(), arm.start());
  check_no_memory(crank, {Variant::singular, Variant::invariant}, crank.start());
}

TEST_CASE("steps of bounded sizes need no memory", "[srm]") {
  check_no_memory(BoundedArm(), variants_of_index_3(),
                  StateOf<BoundedArm>(BoundedArm().arm.start()));
}
