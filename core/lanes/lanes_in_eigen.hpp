#pragma once
// Lanes as the scalar of Eigen's vectors and matrices.

#include "core/eigen_memory.hpp"
#include "core/lanes/lane_functions.hpp"
#include "core/lanes/lanes.hpp"

template <int W, class Set>
struct Eigen::NumTraits<daewave::Lanes<W, Set>> : Eigen::GenericNumTraits<double> {
  using Real = daewave::Lanes<W, Set>;
  using NonInteger = daewave::Lanes<W, Set>;
  using Nested = daewave::Lanes<W, Set>;
  using Literal = double;
  enum { IsComplex = 0, IsInteger = 0, IsSigned = 1, RequireInitialization = 0 };
  enum { ReadCost = 1, AddCost = 1, MulCost = 1 };
};

// Numbers among lanes.
template <int W, class Set, class Operation>
struct Eigen::ScalarBinaryOpTraits<double, daewave::Lanes<W, Set>, Operation> {
  using ReturnType = daewave::Lanes<W, Set>;
};
template <int W, class Set, class Operation>
struct Eigen::ScalarBinaryOpTraits<daewave::Lanes<W, Set>, double, Operation> {
  using ReturnType = daewave::Lanes<W, Set>;
};

// Lanes are aligned by themselves, as wide as their registers are.
template <int W, class Set, int size>
requires(size !=
         Eigen::Dynamic) struct Eigen::internal::compute_default_alignment<daewave::Lanes<W, Set>,
                                                                           size> {
  enum { value = 0 };
};
