#include "tests/problems/compiled_wheelset.hpp"

namespace daewave {

template void algebraic_jacobian(const problems::Wheelset& problem,
                                 const problems::Wheelset::State& z,
                                 const problems::Wheelset::Algebraic& w, double t,
                                 AlgebraicJacobian<problems::Wheelset>& J);
template void invariant_jacobian(const problems::Wheelset& problem,
                                 const problems::Wheelset::State& z, double t,
                                 InvariantJacobian<problems::Wheelset>& H);

template DaeProblemPtr problem_of(problems::Wheelset);

}  // namespace daewave
