// What a mesh takes of memory, and meshes that are refused for it.

#include "bvp/mesh/mesh_memory.hpp"

#include "core/error.hpp"
#include "core/machine/memory.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

double bytes(int nx, int ny, int stages, KeepSlopes slopes, const char* solver,
             Scheme scheme = Scheme::gauss) {
  return bytes_per_interval(StageLayout(nx, ny, collocation(scheme, stages)), slopes, solver);
}

}  // namespace

TEST_CASE("an interval takes at least its two blocks, their factors and its stages",
          "[mesh][memory]") {
  for (const int n : {2, 10, 100}) {
    CAPTURE(n);
    // Matrix and factors are five blocks, with maps and values some more; not twice as many.
    const double one = bytes(n, 1, 1, KeepSlopes::no, "auto");
    CHECK(one > 8 * 5.0 * n * n);
    CHECK(bytes(100, 1, 1, KeepSlopes::no, "auto") < 8 * 10.0 * 100 * 100);
    CHECK(bytes_per_interval(n, 1, 1) > 8 * 7.0 * n * n);
    CHECK(bytes_per_interval(100, 1, 1) < 8 * 14.0 * 100 * 100);
  }
}

TEST_CASE("more stages, more multipliers, slopes that are kept and sparse factors take more",
          "[mesh][memory]") {
  constexpr KeepSlopes no = KeepSlopes::no, yes = KeepSlopes::yes;
  CHECK(bytes(10, 2, 4, no, "auto") > bytes(10, 2, 3, no, "auto"));
  CHECK(bytes(10, 3, 3, no, "auto") > bytes(10, 2, 3, no, "auto"));
  for (const char* sparse : {"umfpack", "eigen"}) {
    CHECK(bytes(10, 2, 3, no, sparse) == bytes(10, 2, 3, no, "auto") + 8 * 5 * 100);
  }
  CHECK(bytes(10, 2, 3, no, "block_qr") == bytes(10, 2, 3, no, "auto"));
  // Slopes of k stages from x, multipliers and a constant: n (n + m k + 1) numbers each.
  CHECK(bytes(10, 2, 3, yes, "auto") - bytes(10, 2, 3, no, "auto") == 8 * 3 * 10 * (10 + 6 + 1));
  // Where the first stage is the left node slopes have no maps of their own.
  CHECK(bytes(10, 2, 3, yes, "auto", Scheme::lobatto) ==
        bytes(10, 2, 3, no, "auto", Scheme::lobatto));
  CHECK(bytes_per_interval(10, 2, 4) > bytes_per_interval(10, 2, 3));
  CHECK(bytes_per_interval(10, 3, 3) > bytes_per_interval(10, 2, 3));
  CHECK(bytes_per_interval(11, 2, 3) > bytes_per_interval(10, 2, 3));
}

TEST_CASE("a mesh that the free memory does not hold is refused with what it holds",
          "[mesh][memory]") {
  CHECK_NOTHROW(check_memory(100, 1e4));
  CHECK_THROWS_AS(check_memory(1 << 30, 1e6), InvalidOption);
  CHECK_THROWS_WITH(check_memory(1 << 30, 1e6),
                    contains_text("intervals = 1073741824") && contains_text("take at most"));
}

TEST_CASE("a refinement is told why the next mesh does not fit", "[mesh][memory]") {
  CHECK(beyond_memory(100, 1e4).empty());
  const std::string why = beyond_memory(1 << 30, 1e6);
  CHECK_THAT(why, contains_text("the free memory, ") && contains_text("holds no more than"));
  // Two meshes are there at a time.
  const double free = static_cast<double>(free_memory());
  CHECK(beyond_memory(1000, 0.25 * free / 1000).empty());
  CHECK_FALSE(beyond_memory(1000, 0.75 * free / 1000).empty());
  CHECK_NOTHROW(check_memory(1000, 0.25 * free / 1000));
}

}  // namespace daewave::bvp
