#include "tests/ivp/rolling_on_circle.hpp"

namespace daewave {

template class ProblemOf<ivp::RollingOnCircle<>>;
template DaeProblemPtr problem_of(ivp::RollingOnCircle<>);
template DaeProblemPtr problem_of(ivp::RollingOnCircle<>, const VecX&, double);
template DaeProblemPtr detail::problem_by_reference(const ivp::RollingOnCircle<>&, const VecX*,
                                                    double, int);

}  // namespace daewave
