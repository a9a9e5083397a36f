#include "bvp/linear/conditioning.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "bvp/residual/influences.hpp"
#include "core/not_finite.hpp"

namespace daewave::bvp {
namespace {

/// Orthonormalizes the columns of Q (row-major n x n) in place and adds log lengths.
void orthonormalize(int n, double* Q, double* logarithms) {
  for (int j = 0; j < n; ++j) {
    for (int c = 0; c < j; ++c) {
      double overlap = 0;
      for (int r = 0; r < n; ++r) overlap += Q[r * n + c] * Q[r * n + j];
      for (int r = 0; r < n; ++r) Q[r * n + j] -= overlap * Q[r * n + c];
    }
    double length = 0;
    for (int r = 0; r < n; ++r) length += Q[r * n + j] * Q[r * n + j];
    length = std::sqrt(length);
    // A mode damped to nothing in one step keeps a direction of its own, so that the rest can be
    // measured against it.
    logarithms[j] += std::log(std::max(length, 1e-300));
    if (length < 1e-250) {
      for (int r = 0; r < n; ++r) Q[r * n + j] = r == j ? 1 : 0;
      length = 0;
      for (int c = 0; c < j; ++c) {
        const double overlap = Q[j * n + c];
        for (int r = 0; r < n; ++r) Q[r * n + j] -= overlap * Q[r * n + c];
      }
      for (int r = 0; r < n; ++r) length += Q[r * n + j] * Q[r * n + j];
      length = std::sqrt(length);
      if (length < 1e-8) continue;
    }
    for (int r = 0; r < n; ++r) Q[r * n + j] /= length;
  }
}

bool is_negative_identity(int n, const double* R) {
  for (int r = 0; r < n; ++r) {
    for (int c = 0; c < n; ++c) {
      if (R[r * n + c] != (r == c ? -1.0 : 0.0)) return false;
    }
  }
  return true;
}

}  // namespace

ModeGrowth mode_growth(const BabdMatrix& matrix) {
  using RowMajor = Eigen::Matrix<double, Dynamic, Dynamic, Eigen::RowMajor>;
  const int n = matrix.block_size();
  // A start in general position: a coordinate direction may never meet the growing modes.
  std::mt19937 generator(20260101);
  std::normal_distribution<double> normal;
  std::vector<double> Q(n * n), next(n * n), logarithms(n, 0.0), first(n, 0.0);
  for (double& entry : Q) entry = normal(generator);
  orthonormalize(n, Q.data(), first.data());
  ModeGrowth growth;
  growth.along.reserve(static_cast<std::size_t>(matrix.intervals()) + 1);
  growth.along.push_back(0);
  for (int i = 0; i < matrix.intervals(); ++i) {
    const double* S = matrix.S(i);
    for (int r = 0; r < n; ++r) {
      for (int c = 0; c < n; ++c) {
        double sum = 0;
        for (int l = 0; l < n; ++l) sum += S[r * n + l] * Q[l * n + c];
        next[r * n + c] = sum;
      }
    }
    if (!is_negative_identity(n, matrix.R(i))) {
      const Eigen::Map<const RowMajor> R(matrix.R(i), n, n);
      Eigen::Map<RowMajor> product(next.data(), n, n);
      const MatX solved = MatX(R).partialPivLu().solve(MatX(product));
      product = -solved;
    }
    Q.swap(next);
    orthonormalize(n, Q.data(), logarithms.data());
    growth.largest = std::max(growth.largest, logarithms[0]);
    growth.along.push_back(logarithms[0]);
  }
  growth.logarithms = Eigen::Map<const VecX>(logarithms.data(), n);
  std::sort(growth.logarithms.begin(), growth.logarithms.end(), std::greater<>());
  return growth;
}

namespace {

/// Signs without a pattern, which do not depend on who has which intervals.
class RandomSigns {
 public:
  RandomSigns(const MeshShare& share, int intervals)
      : before_(share.is_shared() ? share.first : 0),
        here_(intervals),
        behind_(share.is_shared() ? share.all - share.first - intervals : 0) {}

  double next() { return generator_() % 2 == 0 ? 1.0 : -1.0; }

  /// Calls use(interval, row, sign) for the intervals that are here; those of others pass.
  template <class Use>
  void in_intervals(int rows, const Use& use) {
    const auto each = static_cast<unsigned long long>(rows);
    generator_.discard(each * static_cast<unsigned long long>(before_));
    for (int i = 0; i < here_; ++i) {
      for (int r = 0; r < rows; ++r) use(i, r, next());
    }
    generator_.discard(each * static_cast<unsigned long long>(behind_));
  }

 private:
  int before_, here_, behind_;
  std::mt19937 generator_{20260102};
};

/// What the rows of the block system are made of, with random signs: right sides like those by
/// which rounding of entries shifts a solution.
template <class Signs>
VecX rounding_of_rows(const BabdMatrix& matrix, const VecX& right, const VecX& u, Signs& signs) {
  using RowMajor = Eigen::Matrix<double, Dynamic, Dynamic, Eigen::RowMajor>;
  constexpr double operations = 3;  // As if so many had rounded in each term.
  constexpr double unit = operations * std::numeric_limits<double>::epsilon();
  const int n = matrix.block_size(), intervals = matrix.intervals();
  const auto block = [n](const double* entries) {
    return Eigen::Map<const RowMajor>(entries, n, n).cwiseAbs();
  };
  const auto node = [&](int i) {
    return u.segment(static_cast<Eigen::Index>(i) * n, n).cwiseAbs();
  };
  VecX rows = right.cwiseAbs();
  for (int i = 0; i < intervals; ++i) {
    auto row = rows.segment(static_cast<Eigen::Index>(i) * n, n);
    row += block(matrix.S(i)).lazyProduct(node(i));
    row += block(matrix.R(i)).lazyProduct(node(i + 1));
  }
  const auto [first, last] = matrix.ends_of(u);
  rows.tail(n) += matrix.B0.cwiseAbs() * first.cwiseAbs() + matrix.B1.cwiseAbs() * last.cwiseAbs();
  signs.in_intervals(n, [&](int i, int r, double sign) {
    rows[static_cast<Eigen::Index>(i) * n + r] *= unit * sign;
  });
  for (double& row : rows.tail(n)) row *= unit * signs.next();
  return rows;
}

/// Of each component of x over all nodes, of all ranks.
VecX largest_of_nodes(const MeshShare& share, const VecX& u, int block, int nx) {
  VecX largest = VecX::Zero(nx);
  for (Eigen::Index first = 0; first < u.size(); first += block) {
    largest = largest.cwiseMax(u.segment(first, nx).cwiseAbs());
  }
  const std::vector<double> all = share.largest_each({largest.begin(), largest.end()});
  return Eigen::Map<const VecX>(all.data(), nx);
}

/// Of each condition, how large it is where x is.
VecX terms_of_conditions(const BabdMatrix& matrix, const VecX& size) {
  const Eigen::Index nx = size.size();
  return (matrix.B0.leftCols(nx).cwiseAbs() + matrix.B1.leftCols(nx).cwiseAbs()) * size;
}

}  // namespace

VecX influences_of(const Discretization& discretization, CheckedSolver& solver,
                   const VecX& solution, const ComponentSizes& sizes) {
  const int n = discretization.matrix().block_size();
  const MeshShare& share = discretization.share();
  const MatX largest = largest_of_nodes(share, solution, n, discretization.layout().nx);
  if (!are_uneven(sizes, largest)) return {};
  const VecX size = sizes.of(largest);
  return probed_influences(discretization.mesh(), share, n, size, [&](const VecX& right) {
    VecX u;
    solver.probe(right, u);
    return u;
  });
}

ConditioningReport estimate_conditioning(const Discretization& discretization,
                                         CheckedSolver& solver, const VecX& right,
                                         const VecX& solution, const ComponentSizes& sizes) {
  const BabdMatrix& matrix = discretization.matrix();
  const MeshShare& share = discretization.share();
  const int n = matrix.block_size(), intervals = matrix.intervals();
  const int nx = discretization.layout().nx;
  ConditioningReport report;
  report.available = true;
  RandomSigns signs(share, intervals);
  const auto largest_x = [&](const VecX& u) {
    double largest = 0;
    for (int i = 0; i <= intervals; ++i) {
      const auto x = u.segment(static_cast<Eigen::Index>(i) * n, nx);
      largest = larger(largest, largest_size(x));
    }
    return share.largest(largest);
  };
  VecX u;
  const VecX size = sizes.of(largest_of_nodes(share, solution, n, nx));
  const VecX terms = terms_of_conditions(matrix, size);
  const auto relative = [&] {
    return largest_size(largest_of_nodes(share, u, n, nx).cwiseQuotient(size));
  };
  constexpr int most_probes = 8;
  for (int probe = 0; probe < std::min(n, most_probes); ++probe) {
    VecX unit = VecX::Zero(matrix.rows());
    for (int r = 0; r < n; ++r) {
      unit[unit.size() - n + r] = n <= most_probes ? (r == probe ? 1.0 : 0.0) : signs.next();
    }
    solver.probe(unit, u);
    report.boundary = larger(report.boundary, largest_x(u));
    if (n <= most_probes) {
      report.influence = larger(report.influence, terms[probe] * relative());
    } else {
      unit.tail(n) = unit.tail(n).cwiseProduct(terms);
      solver.probe(unit, u);
      report.influence = larger(report.influence, relative());
    }
  }
  for (int probe = 0; probe < 2; ++probe) {
    VecX unit = VecX::Zero(matrix.rows());
    signs.in_intervals(nx, [&](int i, int r, double sign) {
      unit[static_cast<Eigen::Index>(i) * n + r] = discretization.mesh().step(i) * sign;
    });
    solver.probe(unit, u);
    report.forcing = larger(report.forcing, largest_x(u));
  }
  solver.probe(rounding_of_rows(matrix, right, solution, signs), u);
  report.rounding = relative();
  // Each interval turns the modes of those before it: ranks would wait for each other.
  if (share.ranks != nullptr) return report;
  const ModeGrowth growth = mode_growth(matrix);
  for (double logarithm : growth.logarithms) {
    if (logarithm > 1) {
      ++report.growing;
    } else if (logarithm < -1) {
      ++report.decaying;
    } else {
      ++report.neutral;
    }
  }
  const double length = discretization.mesh().end() - discretization.mesh().begin();
  report.fastest_growth = growth.logarithms[0] / length;
  return report;
}

}  // namespace daewave::bvp
