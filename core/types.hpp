#pragma once
// Words for vectors, matrices and the interval of the independent variable.

#include "core/eigen_memory.hpp"

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

/// The same of any scalar, for mathematics that is differentiated or run in SIMD lanes.
template <class T, int N>
using VecOf = Eigen::Matrix<T, N, 1>;
template <class T, int R, int C>
using MatOf = Eigen::Matrix<T, R, C>;

/// Run-time sizes up to 24 without memory from the heap: for systems read from a file.
inline constexpr int most_on_stack = 24;
using SmallVec = Eigen::Matrix<double, Dynamic, 1, Eigen::ColMajor, most_on_stack, 1>;
using SmallMat =
    Eigen::Matrix<double, Dynamic, Dynamic, Eigen::ColMajor, most_on_stack, most_on_stack>;

/// The interval [begin, end] a problem is posed on, in the problem's unit of time.
struct Interval {
  double begin = 0;
  double end = 1;
  double length() const { return end - begin; }
};

}  // namespace daewave
