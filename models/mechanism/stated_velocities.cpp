#include "models/mechanism/stated_velocities.hpp"

#include "core/eigen_memory.hpp"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "core/not_finite.hpp"

namespace daewave::models {
namespace {

/// Columns and rows of a few entries.
MatX part_of(const Structure::Mass mass, const double* M, int n, const std::vector<int>& of) {
  const auto count = static_cast<int>(of.size());
  MatX part = MatX::Zero(count, count);
  for (int i = 0; i < count; ++i) {
    const int row = of[static_cast<std::size_t>(i)];
    if (mass == Structure::Mass::diagonal) part(i, i) = M[row];
    for (int k = 0; k < count && mass == Structure::Mass::dense; ++k) {
      part(i, k) = M[row + of[static_cast<std::size_t>(k)] * n];
    }
  }
  return part;
}

}  // namespace

double farthest(const StatedVelocities& stated, const VecX& state) {
  const Eigen::Index n = state.size() / 2;
  double most = 0;
  for (const auto& [entry, value] : stated) {
    most = std::max(most, std::abs(state[n + entry] - value));
  }
  return most;
}

bool keep_velocities(const DaeProblem& problem, VecX& state, double t,
                     const StatedVelocities& stated, double dependent) {
  constexpr double allowed = 1e-9, most_growth = 1e4;
  const int n = problem.sizes().nq, rows = problem.sizes().nl();
  VecX z = state;
  std::vector<bool> is_stated(static_cast<std::size_t>(n), false);
  for (const auto& [entry, value] : stated) {
    is_stated[static_cast<std::size_t>(entry)] = true;
    z[n + entry] = value;
  }
  std::vector<int> open;
  for (int i = 0; i < n; ++i) {
    if (!is_stated[static_cast<std::size_t>(i)]) open.push_back(i);
  }
  if (open.empty()) return false;
  const auto evaluation = problem.evaluation();
  const Terms& terms =
      evaluation->evaluate(Ask::M | Ask::G | Ask::g_t, {1, 1, &t, z.data(), z.data() + n, nullptr});
  const Eigen::Map<const MatX> G(terms.G, rows, n);
  const VecX off = G * z.tail(n) + Eigen::Map<const VecX>(terms.g_t, rows);
  const Eigen::LLT<MatX> mass(part_of(problem.structure().mass, terms.M, n, open));
  if (!G.allFinite() || !off.allFinite() || mass.info() != Eigen::Success) return false;
  MatX moved(rows, static_cast<int>(open.size()));
  for (int i = 0; i < moved.cols(); ++i) moved.col(i) = G.col(open[static_cast<std::size_t>(i)]);
  // With d = L^-T s the smallest s is the smallest d in the metric of M = L L^T.
  const MatX scaled = mass.matrixL().solve(moved.transpose()).transpose();
  Eigen::CompleteOrthogonalDecomposition<MatX> factor;
  factor.setThreshold(dependent);
  factor.compute(scaled);
  const VecX d = mass.matrixU().solve(factor.solve(-off).eval());
  const double size = largest_size(z.tail(n));
  // Beside a singular pose little of the one is much of the other.
  if (!d.allFinite() || largest_size(d) > most_growth * size) return false;
  if (largest_size(moved * d + off) > allowed * std::max(size, largest_size(off))) return false;
  for (int i = 0; i < d.size(); ++i) z[n + open[static_cast<std::size_t>(i)]] += d[i];
  state = std::move(z);
  return true;
}

}  // namespace daewave::models
