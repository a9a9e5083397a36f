#pragma once
// How the terms of a motion change around a point, by central differences of many points: those
// that are not zero alone, of which mechanisms in Cartesian coordinates have few.

#include <vector>

#include "core/types.hpp"
#include "ivp/trains/known_terms.hpp"

namespace daewave::ivp {

/// d(entry) / d(variable); variables are q, then v, then t: 2 nq + 1.
struct TermSlope {
  int entry = 0;
  int variable = 0;
  double value = 0;
};

struct TermSlopes {
  std::vector<TermSlope> f, M, G, curvature;

  /// How many points an evaluation of f needs, of which the leading ones are for M, G and
  /// curvature.
  static int points_of_f(int nq) { return 4 * nq + 2; }
  static int points(int nq) { return 2 * nq + 2; }

  /// Writes those points: entry i of q at point p at q[i * stride + p].
  static void place(const double* q, const double* v, double t, int nq, int stride, double* at_t,
                    double* at_q, double* at_v);
  /// @param f_terms, terms  evaluations, in which the leading ones of those points begin at
  ///                        `first_of_f` and `first`, and those for f alone at `first_of_v`.
  TermSlopes(const KnownTerms& center, const Terms& f_terms, int first_of_f, const Terms& terms,
             int first, int first_of_v);
  TermSlopes() = default;

  bool finite() const;
};

}  // namespace daewave::ivp
