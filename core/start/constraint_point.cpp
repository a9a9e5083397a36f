#include "core/start/constraint_point.hpp"

#include <fmt/format.h>

#include "core/error.hpp"

namespace daewave::detail {

int positions_of(int entries) {
  if (entries % 2 != 0) {
    throw InvalidProblem(
        fmt::format("the state has {} entries, must have an even number: all positions, then as "
                    "many velocities",
                    entries));
  }
  return entries / 2;
}

void GeneralB::split(const MatX& B, const MatX& G, double rank_tolerance) {
  if (B.rows() != G.cols() || B.cols() != G.rows()) {
    throw InvalidProblem(fmt::format("B is {} x {}, must be {} x {}: the shape of G transposed",
                                     B.rows(), B.cols(), G.cols(), G.rows()));
  }
  kkt_.eliminate(G, rank_tolerance);
  gone_ = rows_gone(kkt_, static_cast<int>(G.rows()));
  meets_ = !oblique_.split(B, G, rank_tolerance);
  factor_.compute(G * B);
  rank_ = std::min(kkt_.rank(), meets_ ? static_cast<int>(factor_.rank()) : oblique_.rank());
}

VecX GeneralB::correct(const VecX& c) {
  VecX d;
  if (meets_) {
    kkt_.correct_orthogonal(c, d);
  } else {
    oblique_.correct(c, d);
  }
  return d;
}

bool GeneralB::solve(const VecX& c, VecX& y, VecX& By) {
  if (rank_ < c.size()) return false;
  By = correct(c);
  y = factor_.solve(c);
  return true;
}

}  // namespace daewave::detail
