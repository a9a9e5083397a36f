#pragma once
// What an evaluation of a problem of functions gives out, of each kind.

#include <vector>

#include "core/adapt/problem_from_functions.hpp"

namespace daewave {

/// One array.
struct FunctionArray {
  Ask what;
  const char* name;
  BatchFunction ProblemFunctions::*function;
  const double* Terms::*member;
  int rows, columns;
};

/// All of its kind.
std::vector<FunctionArray> arrays_of(const ProblemFunctions& of);

/// A derivative of f or r.
bool is_of_f_jacobian(Ask what);

/// The first of the derivatives of f and r that is given, or that is not; null for none.
const FunctionArray* first_of_f_jacobian(const ProblemFunctions& of,
                                         const std::vector<FunctionArray>& arrays, bool given);

}  // namespace daewave
