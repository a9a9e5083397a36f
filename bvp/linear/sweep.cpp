#include "bvp/linear/sweep.hpp"

#include <Eigen/QR>
#include <tuple>
#include <utility>
#include <vector>

#include "bvp/linear/end_values.hpp"

namespace daewave::bvp {
namespace {

/// Replaces what there is of some intervals by its successor.
/// @param watch_from  time from which changes count.
SweepChange update(const Discretization& discretization, int begin, int end, const VecX& u,
                   bool zero_old, bool by_row, double watch_from, SweepValues& values) {
  const StageLayout& layout = discretization.layout();
  const int n = layout.nx, m = layout.ny, z = layout.multipliers;
  SweepChange result;
  if (by_row) result.changes = result.sizes = VecX::Zero(n);
  std::vector<double> old(z);
  MatX& slopes = values.slopes;
  const bool keeps_change = values.change.cols() > 0;
  for (int i = begin; i < end; ++i) {
    if (keeps_change) values.change.col(i).setZero();
    double* const mine = values.zeta.data() + static_cast<std::ptrdiff_t>(i) * z;
    const double* const left = u.data() + static_cast<std::ptrdiff_t>(i) * layout.node;
    std::copy(mine, mine + z, old.begin());
    if (slopes.cols() > 0) {
      discretization.maps().slopes(i, left, zero_old ? nullptr : mine,
                                   slopes.col(static_cast<Eigen::Index>(i) * layout.stages).data());
    }
    discretization.maps().update_multipliers(i, left, left + layout.node, zero_old, mine);
    for (int j = 0; j < layout.stages; ++j) {
      const double* const V = discretization.basis(i, j).data();
      const double t = discretization.stage_time(i, j);
      for (int r = 0; r < n; ++r) {
        double change = 0, size = 0;
        for (int c = 0; c < m; ++c) {
          change += V[c * n + r] * (mine[j * m + c] - old[j * m + c]);
          size += V[c * n + r] * mine[j * m + c];
        }
        result.add(std::abs(change), t);
        if (t >= watch_from) result.watched = larger(result.watched, std::abs(change));
        if (keeps_change) values.change(r, i) = larger(values.change(r, i), std::abs(change));
        result.size = std::max(result.size, std::abs(size));
        if (!by_row) continue;
        if (t >= watch_from) result.changes[r] = std::max(result.changes[r], std::abs(change));
        result.sizes[r] = std::max(result.sizes[r], std::abs(size));
      }
    }
  }
  return result;
}

/// What all ranks found, those further left first.
SweepChange of_all_ranks(const MeshShare& share, const SweepChange& mine) {
  if (!share.is_shared()) return mine;
  std::vector<double> numbers{mine.change, mine.change_at, mine.watched, mine.size};
  const Eigen::Index rows = mine.changes.size();
  numbers.insert(numbers.end(), mine.changes.begin(), mine.changes.end());
  numbers.insert(numbers.end(), mine.sizes.begin(), mine.sizes.end());
  const std::vector<double> all = gather(*share.ranks, numbers);
  SweepChange result;
  for (const double* of = all.data(); of != all.data() + all.size(); of += numbers.size()) {
    result.add({of[0], of[1], of[2], of[3], Eigen::Map<const VecX>(of + 4, rows),
                Eigen::Map<const VecX>(of + 4 + rows, rows)});
  }
  return result;
}

}  // namespace

void project(const Discretization& discretization, const Waveform& By_0, VecX& zeta) {
  const StageLayout& layout = discretization.layout();
  const int m = layout.ny;
  for (int i = 0; i < discretization.mesh().intervals(); ++i) {
    for (int j = 0; j < layout.stages; ++j) {
      const VecX By = By_0(discretization.stage_time(i, j), layout.nx);
      const auto target = static_cast<std::ptrdiff_t>(i) * layout.multipliers + j * m;
      const Eigen::ColPivHouseholderQR<MatX> basis(discretization.basis(i, j));
      zeta.segment(target, m) = basis.solve(By);
    }
  }
}

SweepChange update(const Discretization& discretization, const VecX& u, bool zero_old, bool by_row,
                   double watch_from, SweepValues& values, const Executor& executor) {
  constexpr int chunk = Discretization::chunk;
  const int intervals = discretization.mesh().intervals();
  std::vector<SweepChange> changes(intervals / chunk + 1);
  executor.for_chunks(intervals, chunk, [&](int begin, int end) {
    changes[begin / chunk] =
        update(discretization, begin, end, u, zero_old, by_row, watch_from, values);
  });
  SweepChange result;
  for (const SweepChange& one : changes) result.add(one);
  return of_all_ranks(discretization.share(), result);
}

MatX changes_in_intervals(const Discretization& discretization, const VecX& before,
                          const VecX& after, const Executor& executor) {
  const StageLayout& layout = discretization.layout();
  const Collocation& scheme = discretization.setting().scheme;
  const int n = layout.nx, m = layout.ny, k = layout.stages;
  const VecX at_begin = scheme.interpolation_weights(0), at_end = scheme.interpolation_weights(1);
  const int intervals = discretization.mesh().intervals();
  MatX changes(n, intervals);
  executor.for_chunks(intervals, Discretization::chunk, [&](int begin, int end) {
    MatX of_stages(n, k);
    for (int i = begin; i < end; ++i) {
      for (int j = 0; j < k; ++j) {
        const auto first = static_cast<Eigen::Index>(i) * layout.multipliers + j * m;
        of_stages.col(j).noalias() = discretization.basis(i, j).lazyProduct(
            after.segment(first, m) - before.segment(first, m));
      }
      changes.col(i) = of_stages.cwiseAbs()
                           .rowwise()
                           .maxCoeff()
                           .cwiseMax((of_stages * at_begin).cwiseAbs())
                           .cwiseMax((of_stages * at_end).cwiseAbs());
    }
  });
  return changes;
}

double largest_drift(const Discretization& discretization, const VecX& u,
                     const Executor& executor) {
  constexpr int chunk = Discretization::chunk;
  const int nodes = discretization.mesh().intervals() + 1;
  const int first = discretization.share().has_begin() ? 0 : 1;
  std::vector<double> drifts(nodes / chunk + 1, 0.0);
  executor.for_chunks(nodes, chunk, [&](int begin, int end) {
    double largest = 0;
    for (int i = std::max(begin, first); i < end; ++i) {
      const double* const x =
          u.data() + static_cast<std::ptrdiff_t>(i) * discretization.layout().node;
      largest = larger(largest, discretization.drift(i, x));
    }
    drifts[begin / chunk] = largest;
  });
  double largest = 0;
  for (const double drift : drifts) largest = larger(largest, drift);
  return discretization.share().largest(largest);
}

LinearData collect(std::shared_ptr<const LinearDae> problem, const Discretization& discretization,
                   const VecX& u, SweepValues found, SolutionSizes sizes) {
  const StageLayout& layout = discretization.layout();
  const int n = layout.nx, m = layout.ny, k = layout.stages;
  const int intervals = discretization.mesh().intervals();
  CollocationValues values;
  values.x.resize(n, intervals + 1);
  values.carried.resize(n, static_cast<Eigen::Index>(intervals) * k);
  for (int i = 0; i <= intervals; ++i) {
    values.x.col(i) = u.segment(static_cast<std::ptrdiff_t>(i) * layout.node, n);
  }
  for (int i = 0; i < intervals; ++i) {
    for (int j = 0; j < k; ++j) {
      const auto from = static_cast<std::ptrdiff_t>(i) * layout.multipliers + j * m;
      values.carried.col(static_cast<Eigen::Index>(i) * k + j).noalias() =
          discretization.basis(i, j).lazyProduct(found.zeta.segment(from, m));
    }
  }
  values.slopes = std::move(found.slopes);
  LinearData data;
  data.problem = std::move(problem);
  data.curve =
      CollocationCurve(discretization.mesh(), discretization.setting().scheme, std::move(values));
  data.regularization = discretization.setting().regularization;
  data.sizes = std::move(sizes);
  data.reference = discretization.reference();
  data.share = discretization.share();
  std::tie(data.extent_x, data.extent_carried) =
      data.share.extents(data.curve.values().x, data.curve.values().carried);
  data.change = std::move(found.change);
  add_stages_beside(data);
  const bool needs_slopes = discretization.keeps_slopes() && !data.curve.has_slopes();
  if (!needs_slopes && !discretization.setting().end_values) return data;
  data.share.together([&] {
    if (needs_slopes) add_slopes(data);
    if (discretization.setting().end_values) add_end_values(data);
  });
  return data;
}

}  // namespace daewave::bvp
