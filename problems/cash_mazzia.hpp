#pragma once
// The singularly perturbed boundary value problems of the collection of Cash and Mazzia that have
// one unknown: numbers 1 to 30, 34 and 35.                                                    [CM]

#include <vector>

#include "problems/two_point.hpp"

namespace daewave::problems {

/// One number of the collection, for any e > 0.
struct CashMazzia {
  using Exact = Vec<2> (*)(double e, double t);

  int number = 0;
  const char* summary = "";
  bool linear = false;
  double e = 0.1;  ///< Default: one at which the straight line leads to the solution.
  TwoPoint (*make)(double e) = nullptr;
  Exact exact = nullptr;  ///< (y, y'); null where it is not known.
};

std::vector<CashMazzia> linear_cash_mazzia();
std::vector<CashMazzia> nonlinear_cash_mazzia();

/// "cash-mazzia-7".
std::string name_of(const CashMazzia& one);

}  // namespace daewave::problems
