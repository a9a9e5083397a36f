// Differences are told from states that are wanted.

#include "bvp/statement/difference_moves.hpp"

#include "bvp/statement/forward_differences.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {

TEST_CASE("a little of one entry is a difference, and so is what goes on from it",
          "[difference-moves]") {
  DifferenceMoves moves;
  moves.start(VecX{{1, -2, 0}});
  const DifferenceMoves::Move first = moves.look(VecX{{1, -2 + 1e-8, 0}});
  CHECK(first.entry == 1);
  CHECK(first.by == Approx(1e-8).epsilon(1e-6));
  CHECK(first.is_difference);
  CHECK_FALSE(first.goes_on);
  const DifferenceMoves::Move further = moves.look(VecX{{1, -2 + 1e-4, 0}});
  CHECK(further.is_difference);
  CHECK(further.goes_on);
  CHECK(moves.look(VecX{{1, -2 + 1, 0}}).goes_on);
}

TEST_CASE("a state that is moved far, or in several entries, may be one that is wanted",
          "[difference-moves]") {
  DifferenceMoves moves;
  CHECK(moves.look(VecX{{1.0}}).entry == DifferenceMoves::several);  // Nothing to move from.
  const VecX from{{1, -2, 0}};
  moves.start(from);
  CHECK(moves.look(from).entry == DifferenceMoves::none);
  CHECK(moves.look(VecX{{1 + 1e-8, -2 + 1e-8, 0}}).entry == DifferenceMoves::several);
  CHECK_FALSE(moves.look(VecX{{1 + 1e-2, -2, 0}}).is_difference);
  // As far as a difference would go on, but not from one, nor of its entry.
  CHECK_FALSE(moves.look(VecX{{1 + 1e2, -2, 0}}).is_difference);
  moves.look(VecX{{1, -2, 1e-8}});
  CHECK_FALSE(moves.look(VecX{{1 + 1e-4, -2, 0}}).is_difference);
  // Another state in between begins anew.
  moves.look(VecX{{1, -2, 1e-8}});
  moves.start(from);
  CHECK_FALSE(moves.look(VecX{{1, -2, 1e-4}}).is_difference);
}

TEST_CASE("what forward differences ask is seen as such", "[difference-moves]") {
  DifferenceMoves moves;
  const VecX x{{1e-3, 5, -400, 0}};
  moves.start(x);
  MatX J(1, 4);
  const auto constant = [&](const VecX& moved, VecX& value) {
    CHECK(moves.look(moved).is_difference);
    value = VecX{{1.0}};
    return true;
  };
  // Sizes of components, which no entry exceeds.
  const VecX sizes{{1, 6, 401, 1}};
  CHECK(forward_differences(constant, x, VecX{{1.0}}, sizes, J, 1));
}

}  // namespace daewave::bvp
