#pragma once
// Problems of the catalogue that many tests are about: as a DaeProblem each is compiled once.

#include "core/adapt/problem_of.hpp"
#include "problems/acpr.hpp"
#include "problems/al2.hpp"
#include "problems/andrews.hpp"
#include "problems/chain.hpp"
#include "problems/pendulum.hpp"
#include "problems/scissors.hpp"
#include "problems/slider_crank.hpp"
#include "problems/truck.hpp"
#include "problems/velocity_pendulum.hpp"

namespace daewave {

extern template class ProblemOf<problems::Pendulum>;
extern template DaeProblemPtr problem_of(problems::Pendulum);
extern template DaeProblemPtr problem_of(problems::Pendulum, const VecX&, double);
extern template DaeProblemPtr detail::problem_by_reference(const problems::Pendulum&, const VecX*,
                                                           double, int);

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

extern template DaeProblemPtr problem_of(problems::Andrews);
extern template DaeProblemPtr problem_of(problems::Andrews, const VecX&, double);

extern template DaeProblemPtr problem_of(problems::Chain);
extern template DaeProblemPtr problem_of(problems::Scissors);

extern template DaeProblemPtr problem_of(problems::Truck);
extern template DaeProblemPtr problem_of(problems::Truck, const VecX&, double);

extern template DaeProblemPtr problem_of(problems::VelocityPendulum);
extern template DaeProblemPtr problem_of(problems::VelocityPendulum, const VecX&, double);

}  // namespace daewave
