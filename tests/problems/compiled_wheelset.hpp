#pragma once
// The wheelset, whose derivatives by automatic differentiation are compiled once for all tests.

#include "core/adapt/problem_of.hpp"
#include "core/derivatives/invariant_derivatives.hpp"
#include "problems/wheelset.hpp"

namespace daewave {

extern template void algebraic_jacobian(const problems::Wheelset& problem,
                                        const problems::Wheelset::State& z,
                                        const problems::Wheelset::Algebraic& w, double t,
                                        AlgebraicJacobian<problems::Wheelset>& J);
extern template void invariant_jacobian(const problems::Wheelset& problem,
                                        const problems::Wheelset::State& z, double t,
                                        InvariantJacobian<problems::Wheelset>& H);

extern template DaeProblemPtr problem_of(problems::Wheelset);

}  // namespace daewave
