#pragma once
// The sums of which a step of an iterate consists, over states of a few numbers, and always in the
// same order: two stages at a time, as iterates in lanes do (ivp/lanes/lane_iterate.hpp).

#include "ivp/one_step/tableaux.hpp"

namespace daewave::ivp {

/// out = x + h sum_j a_j k_j. @param k  the stages, by their number.
void step_along(const double* x, double h, const Combination& row, const double* const* k, int n,
                double* out);

/// out = factor sum_j a_j k_j.
void sum_stages(double factor, const Combination& row, const double* const* k, int n, double* out);

/// out = r_0 + theta (r_1 + (1 - theta) (r_2 + theta (r_3 + ...))) of the rows r_0 .. r_degree, n
/// numbers each, one behind the other.
void interpolate_rows(const double* rows, int degree, double theta, int n, double* out);

/// True where the sum is finite: so are all numbers then, and seldom without it.
bool sums_up(const double* x, int n);

}  // namespace daewave::ivp
