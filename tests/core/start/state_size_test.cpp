// A state of another size than the problem's own is refused at every door.

#include <string>

#include "core/error.hpp"
#include "core/start/problem_start.hpp"
#include "tests/catch.hpp"
#include "tests/problems/compiled_problems.hpp"

namespace daewave {

TEST_CASE("a start of another size than the state is refused before anything is evaluated",
          "[core][start]") {
  const DaeProblemPtr pendulum = problem_of(problems::Pendulum{});
  const DaeProblemPtr index_2 = problem_of(problems::Al2Example61{});
  for (const DaeProblemPtr& problem : {pendulum, index_2}) {
    const int size = problem->state_size();
    CHECK_NOTHROW(check_state_size(*problem, VecX::Ones(size)));
    for (const int other : {size - 1, size + 1, 0}) {
      CAPTURE(size, other);
      VecX state = VecX::Ones(other);
      const std::string told = "start: has " + std::to_string(other) +
                               " entries, the state of the problem has " + std::to_string(size);
      CHECK_THROWS_AS(check_state_size(*problem, state), InvalidProblem);
      CHECK_THROWS_WITH(check_state_size(*problem, state), contains_text(told));
      CHECK_THROWS_WITH(check_start(*problem, state, 0), contains_text(told));
      CHECK_THROWS_WITH(repair_start(*problem, state, 0, 1e-10), contains_text(told));
    }
  }
}

}  // namespace daewave
