#include "core/machine/simd.hpp"

#include "core/error.hpp"
#include "core/lanes/instruction_set.hpp"
#include "tests/catch.hpp"

namespace daewave {
namespace {

TEST_CASE("instruction sets are named, and one that is missing is refused", "[lanes]") {
  CHECK(simd_named("auto") == best_simd());
  CHECK(supported(best_simd()));
  CHECK_THROWS_WITH(simd_named("mmx"), contains_text("known: auto, sse2, avx2, avx512"));
  for (Simd simd : all_simd()) {
    if (supported(simd)) {
      CHECK(simd_named(name_of(simd)) == simd);
    } else {
      CHECK_THROWS_WITH(
          simd_named(name_of(simd)),
          contains_text(compiled(simd) ? "this machine has none" : "are compiled for"));
    }
  }
}

TEST_CASE("where lanes are not compiled for a set, nothing is taken for it", "[lanes]") {
  for (Simd simd : all_simd()) {
    const int numbers = best_of([](auto set) { return decltype(set)::numbers; }, simd);
    CHECK((numbers > 0) == compiled(simd));
  }
}

}  // namespace
}  // namespace daewave
