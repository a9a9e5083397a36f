#include "tests/ivp/linear_runs.hpp"

namespace daewave {

template DaeProblemPtr problem_of(LinearAsSemiExplicit, const VecX&, double);

}  // namespace daewave
