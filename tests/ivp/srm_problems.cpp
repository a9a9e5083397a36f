#include "tests/ivp/srm_problems.hpp"

namespace daewave {

template class ProblemOf<MovingCircle>;
template DaeProblemPtr problem_of(MovingCircle);
template DaeProblemPtr problem_of(MovingCircle, const VecX&, double);
template DaeProblemPtr detail::problem_by_reference(const MovingCircle&, const VecX*, double, int);

template DaeProblemPtr problem_of(MovingCylinder);
template DaeProblemPtr problem_of(MovingCylinder, const VecX&, double);

}  // namespace daewave
