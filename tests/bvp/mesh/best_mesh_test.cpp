// What a refinement remembers of its best mesh.

#include "bvp/mesh/best_mesh.hpp"

#include <cmath>

#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

IntervalErrors residual(double x) {
  IntervalErrors local;
  local.x = VecX{{x}};
  return local;
}

}  // namespace

TEST_CASE("meshes count as in vain where the estimate stays, and coarser ones do not",
          "[mesh][refine]") {
  BestMesh best;
  CHECK(best.in_vain() == 0);
  best.count(1e-2, true);
  CHECK(best.in_vain() == 0);
  best.see(1e-2, Solution(), residual(1));
  best.count(8e-3, true);
  CHECK(best.in_vain() == 1);
  best.see(8e-3, Solution(), residual(2));
  best.count(1, false);
  CHECK(best.in_vain() == 1);
  best.count(6e-3, true);
  CHECK(best.in_vain() == 2);
  best.count(5e-3, true);
  CHECK(best.in_vain() == 0);
}

TEST_CASE("the mesh with the least estimate is kept, until that counts for nothing",
          "[mesh][refine]") {
  BestMesh best;
  best.see(1e-10, Solution(), residual(1));
  best.see(2e-10, Solution(), residual(2));
  CHECK(best.local().x[0] == 1);
  CHECK(best.is_near_rounding());
  best.forget();
  CHECK_FALSE(best.is_near_rounding());
  best.see(2e-3, Solution(), residual(3));
  CHECK(best.local().x[0] == 3);
  best.see(std::nan(""), Solution(), residual(4));
  CHECK(best.local().x[0] == 3);
}

TEST_CASE("near rounding one mesh in vain is enough, and before layers are resolved many are not",
          "[mesh][refine]") {
  BestMesh best;
  best.see(1e-3, Solution(), residual(1));
  const auto after = [&](int meshes) {
    while (best.in_vain() < meshes) best.count(1e-3, true);
  };
  after(1);
  CHECK(best.gives_up(true, true));
  CHECK_FALSE(best.gives_up(false, true));
  after(4);
  CHECK_FALSE(best.gives_up(false, true));
  after(5);
  CHECK(best.gives_up(false, true));
  CHECK_FALSE(best.gives_up(false, false));
  after(13);
  CHECK_FALSE(best.gives_up(false, false));
  after(14);
  CHECK(best.gives_up(false, false));
}

TEST_CASE("an estimate that is much larger than the best one tells nothing", "[mesh][refine]") {
  const DifferenceEstimate nothing_told(1e-12, {}, true);
  BestMesh best;
  best.see(1e-10, Solution(), residual(1));
  CHECK(best.tells_nothing_of(1.1e-9, nothing_told, 1e-12));
  CHECK_FALSE(best.tells_nothing_of(9e-10, nothing_told, 1e-12));
  CHECK(best.tells_nothing_of(9e-10, nothing_told, 1e-9));
}

}  // namespace daewave::bvp
