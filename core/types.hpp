#pragma once
// Words for vectors, matrices and the interval of the independent variable.

#include <Eigen/Core>

namespace daewave {

inline constexpr int Dynamic = Eigen::Dynamic;

/// Column vector of N entries; N may be `Dynamic`.
template <int N>
using Vec = Eigen::Matrix<double, N, 1>;

/// Matrix of R rows and C columns, column-major; either may be `Dynamic`.
template <int R, int C>
using Mat = Eigen::Matrix<double, R, C>;

using VecX = Vec<Dynamic>;
using MatX = Mat<Dynamic, Dynamic>;

/// The interval [begin, end] a problem is posed on, in the problem's unit of time.
struct Interval {
  double begin = 0;
  double end = 1;
  double length() const { return end - begin; }
};

}  // namespace daewave
