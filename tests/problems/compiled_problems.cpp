#include "tests/problems/compiled_problems.hpp"

namespace daewave {

template class ProblemOf<problems::Pendulum>;
template DaeProblemPtr problem_of(problems::Pendulum);
template DaeProblemPtr problem_of(problems::Pendulum, const VecX&, double);
template DaeProblemPtr detail::problem_by_reference(const problems::Pendulum&, const VecX*, double,
                                                    int);

template DaeProblemPtr problem_of(problems::SliderCrank);
template DaeProblemPtr problem_of(problems::SliderCrank, const VecX&, double);

template DaeProblemPtr problem_of(problems::TwoLinkArm<problems::ArmPath::parabola>);
template DaeProblemPtr problem_of(problems::TwoLinkArm<problems::ArmPath::parabola>, const VecX&,
                                  double);

template DaeProblemPtr problem_of(problems::Al2Example61);
template DaeProblemPtr problem_of(problems::Al2Example61, const VecX&, double);

template DaeProblemPtr problem_of(problems::Al2Example62);

template DaeProblemPtr problem_of(problems::Al2Example64);
template DaeProblemPtr problem_of(problems::Al2Example64, const VecX&, double);

template DaeProblemPtr problem_of(problems::Andrews);
template DaeProblemPtr problem_of(problems::Andrews, const VecX&, double);

template DaeProblemPtr problem_of(problems::Chain);
template DaeProblemPtr problem_of(problems::Scissors);

template DaeProblemPtr problem_of(problems::Truck);
template DaeProblemPtr problem_of(problems::Truck, const VecX&, double);

template DaeProblemPtr problem_of(problems::VelocityPendulum);
template DaeProblemPtr problem_of(problems::VelocityPendulum, const VecX&, double);

}  // namespace daewave
