#pragma once
// Problems of the catalogue that many tests are about: as a DaeProblem each is compiled once.

#include "core/adapt/problem_of.hpp"
#include "problems/acpr.hpp"
#include "problems/al2.hpp"
#include "problems/pendulum.hpp"
#include "problems/slider_crank.hpp"

namespace daewave {

extern template class ProblemOf<problems::Pendulum>;
extern template DaeProblemPtr problem_of(problems::Pendulum);
extern template DaeProblemPtr problem_of(problems::Pendulum, const VecX&, double);
extern template ProblemOf<problems::Pendulum> detail::problem_by_reference(
    const problems::Pendulum&, const VecX*, double, int);

extern template DaeProblemPtr problem_of(problems::SliderCrank);
extern template DaeProblemPtr problem_of(problems::SliderCrank, const VecX&, double);

extern template DaeProblemPtr problem_of(problems::TwoLinkArm<problems::ArmPath::parabola>);
extern template DaeProblemPtr problem_of(problems::TwoLinkArm<problems::ArmPath::parabola>,
                                         const VecX&, double);

extern template DaeProblemPtr problem_of(problems::Al2Example61);
extern template DaeProblemPtr problem_of(problems::Al2Example61, const VecX&, double);

extern template DaeProblemPtr problem_of(problems::Al2Example62);

extern template DaeProblemPtr problem_of(problems::Al2Example64);
extern template DaeProblemPtr problem_of(problems::Al2Example64, const VecX&, double);

}  // namespace daewave
