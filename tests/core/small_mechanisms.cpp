#include "tests/core/small_mechanisms.hpp"

namespace daewave {

template DaeProblemPtr problem_of(WithAutodiff<testing::Pendulum>);
template DaeProblemPtr problem_of(WithAutodiff<testing::DrivenPendulum>);
template DaeProblemPtr problem_of(WithAutodiff<testing::Skate>);
template DaeProblemPtr problem_of(WithAutodiff<testing::PlaneSkate>);
template DaeProblemPtr problem_of(WithAutodiff<testing::OnCircle>);
template DaeProblemPtr problem_of(WithAutodiff<testing::PointsOnLine<SmallVec>>, const VecX&,
                                  double);

}  // namespace daewave
