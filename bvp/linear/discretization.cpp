#include "bvp/linear/discretization.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <mutex>
#include <optional>
#include <sstream>

#include "core/error.hpp"
#include "core/not_finite.hpp"
#include "core/stages/regularize_stages.hpp"

namespace daewave::bvp {
namespace {

/// What condensing chunks at the same time may write to.
class Findings {
 public:
  /// @param first  interval of the whole mesh that is the first here.
  explicit Findings(int first) : first_(first) {}
  void add(SingularPoint point) {
    const std::lock_guard lock(mutex_);
    points_.push_back(std::move(point));
  }
  /// Keeps the failure furthest left, whichever thread came first.
  void fail(int interval, Termination termination, const std::string& message) {
    const std::lock_guard lock(mutex_);
    if (!message_.empty() && interval_ <= interval) return;
    interval_ = interval;
    termination_ = termination;
    message_ = fmt::format("mesh interval {}, {}", first_ + interval, message);
  }
  /// Counts intervals done and tells the caller; false when the caller wants to stop.
  bool advance(int done, int intervals, const std::function<bool(const Progress&)>& progress) {
    const std::lock_guard lock(mutex_);
    done_ += done;
    return !progress || progress({"condense", static_cast<double>(done_) / intervals, intervals});
  }
  std::vector<SingularPoint> points_;
  Termination termination_ = Termination::not_run;
  std::string message_;

 private:
  std::mutex mutex_;
  int first_, interval_ = 0, done_ = 0;
};

/// With alpha1 the multiplier equations are well-conditioned where C B is.
MultipliersFirst elimination_order(const Regularization& regularization,
                                   const StageLayout& layout) {
  const bool alone =
      regularization.alpha1 >= 0.1 && regularization.weight == Weight::inverse && !layout.shared;
  return alone ? MultipliersFirst::yes : MultipliersFirst::no;
}

}  // namespace

Discretization::Discretization(const LinearDae& problem, Setting setting,
                               const ConstraintScan& scan, const Executor& executor,
                               const std::function<bool(const Progress&)>& progress)
    : setting_(std::move(setting)),
      layout_(problem.nx(), problem.ny(), setting_.scheme),
      matrix_(layout_.node, setting_.mesh.intervals()),
      maps_(layout_, setting_.mesh.intervals(), setting_.slopes),
      reference_(scan.reference) {
  matrix_.share = setting_.share;
  const int intervals = mesh().intervals(), n = layout_.nx, m = layout_.ny;
  if (setting_.singular == SingularHandling::move_node) move_nodes(problem, scan);
  bases_.resize(stage_index(intervals, 0) * n * m);
  node_constraints_.resize(static_cast<std::size_t>(intervals + 1) * m * (n + 1));

  Findings findings(setting_.share.first);
  std::atomic<bool> stopped{false};
  std::exception_ptr thrown;
  const auto condense_intervals = [&](int begin, int end) {
    if (stopped) return;
    const Regularization& regularization = setting_.regularization;
    const int k = layout_.stages;
    CoefficientBatch coefficients(n, m, regularization.alpha1 != 0);
    StageBatch regularized(n, m);
    StageRegularizer regularizer(problem, regularization, scan.reference);
    const MultipliersFirst order = elimination_order(regularization, layout_);
    StageElimination elimination(layout_, setting_.scheme, regularization.epsilon, order);
    std::optional<StageElimination> together;  // Where a multiplier cannot be had alone.
    std::vector<double> t;
    for (int i = begin; i < end; ++i) {
      for (int j = 0; j < k; ++j) t.push_back(stage_time(i, j));
    }
    problem.evaluate(t.data(), static_cast<int>(t.size()), coefficients);
    regularized.resize(static_cast<int>(t.size()));
    MatX C(m, n);
    VecX r(m);
    // A chunk of large systems may take minutes.
    const bool one_by_one = n * k > 64;
    for (int i = begin; i < end && !stopped; ++i) {
      const int first = (i - begin) * k;
      for (int j = 0; j < k; ++j) {
        const int stage = first + j;
        StagePassage passage = regularizer.regularize(coefficients, stage, t[stage], regularized);
        if (!passage.failure.empty()) {
          findings.fail(i, Termination::singular_constraint, passage.failure);
          return;
        }
        if (passage.point) findings.add(std::move(*passage.point));
        std::copy_n(regularized.V(stage).data(), n * m, bases_.data() + stage_index(i, j) * n * m);
      }
      const auto condense = [&](StageElimination& by) {
        return by.condense(coefficients, regularized, first, mesh().step(i), matrix_.S(i),
                           matrix_.R(i), maps_, i);
      };
      double pivot = condense(elimination);
      if (pivot == 0 && order == MultipliersFirst::yes) {
        if (!together) {
          together.emplace(layout_, setting_.scheme, regularization.epsilon);
        }
        pivot = condense(*together);
      }
      if (pivot == 0) {
        findings.fail(i, Termination::singular_matrix,
                      fmt::format("t = {:.10g}: the stage equations are singular; use another "
                                  "number of intervals or stages",
                                  mesh().node(i)));
        return;
      }
      problem.evaluate_constraint(mesh().node(i + 1), C, r);
      double* const node = node_constraints_.data() + static_cast<std::size_t>(i + 1) * m * (n + 1);
      for (int row = 0; row < m; ++row) {
        for (int c = 0; c < n; ++c) node[row * (n + 1) + c] = C(row, c);
        node[row * (n + 1) + n] = r[row];
      }
      if (one_by_one && !findings.advance(1, intervals, progress)) stopped = true;
    }
    if (!one_by_one && !findings.advance(end - begin, intervals, progress)) stopped = true;
  };
  try {
    executor.for_chunks(intervals, chunk, condense_intervals);
  } catch (...) {
    if (share().ranks == nullptr) throw;
    thrown = std::current_exception();
  }
  singular_points_.insert(singular_points_.end(), findings.points_.begin(), findings.points_.end());
  std::sort(singular_points_.begin(), singular_points_.end(),
            [](const SingularPoint& a, const SingularPoint& b) { return a.t < b.t; });
  // A stage at a node may belong to both its intervals.
  singular_points_.erase(
      std::unique(singular_points_.begin(), singular_points_.end(),
                  [](const SingularPoint& a, const SingularPoint& b) { return a.t == b.t; }),
      singular_points_.end());
  failure_ = std::move(findings.message_);
  termination_ = findings.termination_;
  if (stopped) {
    failure_ = "stopped by the caller while condensing";
    termination_ = Termination::stopped;
  }
  if (share().ranks != nullptr) agree_with_ranks(thrown);
  if (failure_.empty()) boundary_rows(problem);
}

/// The failure furthest left is that of all ranks, and each knows the singular points of all.
void Discretization::agree_with_ranks(const std::exception_ptr& thrown) {
  const Communicator& ranks = *share().ranks;
  together(ranks, [&] {
    if (thrown) std::rethrow_exception(thrown);
  });
  const std::string mine =
      failure_.empty() ? "" : fmt::format("{} {}", static_cast<int>(termination_), failure_);
  for (const std::string& one : ranks.gather(mine)) {
    if (one.empty()) continue;
    const std::size_t space = one.find(' ');
    termination_ = static_cast<Termination>(std::stoi(one.substr(0, space)));
    failure_ = one.substr(space + 1);
    break;
  }
  if (share().is_alike) return;
  std::string points;
  for (const SingularPoint& point : singular_points_) {
    points += fmt::format("{} {} {}\n{}\n", point.t, point.pivot, point.kind, point.passed_by);
  }
  singular_points_.clear();
  for (const std::string& all : ranks.gather(points)) {
    std::istringstream in(all);
    SingularPoint point;
    while (in >> point.t >> point.pivot && in.get() && std::getline(in, point.kind) &&
           std::getline(in, point.passed_by)) {
      if (!singular_points_.empty() && singular_points_.back().t == point.t) continue;
      singular_points_.push_back(point);
    }
  }
}

void Discretization::boundary_rows(const LinearDae& problem) {
  const int n = layout_.nx, m = layout_.ny, u = layout_.node;
  const double begin = this->begin();
  const Boundary& boundary = problem.boundary();
  CoefficientBatch batch(n, m, setting_.regularization.alpha1 != 0);
  problem.evaluate(&begin, 1, batch);
  boundary_right_ = VecX::Zero(u);
  matrix_.B0.topLeftCorner(m, n) = batch.C(0);
  boundary_right_.head(m) = -batch.r(0);
  matrix_.B0.block(m, 0, n - m, n) = boundary.B0;
  matrix_.B1.block(m, 0, n - m, n) = boundary.B1;
  boundary_right_.segment(m, n - m) = boundary.beta;
  // Of other ranks the first node is the last one of the rank before.
  for (int row = 0; row < m && share().has_begin(); ++row) {
    double* const node = node_constraints_.data() + row * (n + 1);
    for (int c = 0; c < n; ++c) node[c] = batch.C(0)(row, c);
    node[n] = batch.r(0)[row];
  }
  if (layout_.shared) {
    StageBatch regularized(n, m);
    regularized.resize(1);
    LinearRegularizer(n, m, setting_.regularization, reference_.units)
        .regularize(batch, 0, regularized);
    matrix_.B0.block(n, 0, m, n) = -regularized.K(0);
    matrix_.B0.block(n, n, m, m) = regularized.L(0);
    boundary_right_.tail(m) = regularized.w(0);
    first_Lo_ = setting_.regularization.epsilon * regularized.Lo(0);
  }
  // Conditions in other units are no weaker for it: rows are scaled to entries of at most one.
  for (int row = 0; row < n; ++row) {
    const double largest = std::max(matrix_.B0.row(row).cwiseAbs().maxCoeff(),
                                    matrix_.B1.row(row).cwiseAbs().maxCoeff());
    matrix_.B0.row(row) /= largest;
    matrix_.B1.row(row) /= largest;
    boundary_right_[row] /= largest;
  }
}

void Discretization::move_nodes(const LinearDae& problem, const ConstraintScan& scan) {
  std::vector<double> nodes = mesh().nodes();
  CoefficientBatch batch(problem.nx(), problem.ny(), false);
  ConstraintBases bases(problem.nx(), problem.ny(), scan.reference.units);
  MatX unused(problem.ny(), 0);
  const std::vector<double>& fixed = setting_.fixed_nodes;
  const auto stays = [&](double t) { return std::binary_search(fixed.begin(), fixed.end(), t); };
  for (int i = 0; i < mesh().intervals(); ++i) {
    for (int j = 0; j < layout_.stages; ++j) {
      const double t = stage_time(i, j);
      problem.evaluate(&t, 1, batch);
      const double pivot =
          relative_pivot(bases.find(batch.B(0), batch.C(0), unused), scan.reference);
      if (pivot >= singular_pivot) continue;
      // The right node shifts every stage but one at the left node; at the end, and where it stays,
      // the left node does.
      const bool right = i + 1 < mesh().intervals() && !stays(mesh().node(i + 1));
      const int node = right ? i + 1 : i;
      const double fixed_end = right ? 0.0 : 1.0;
      if (node == 0 || stays(mesh().node(node)) || setting_.scheme.c[j] == fixed_end) continue;
      nodes[node] = mesh().node(node) - 0.25 * mesh().step(node - 1);
      SingularPoint point;
      point.t = t;
      point.pivot = pivot;
      point.kind = "stage";
      point.passed_by = fmt::format("node {} moved to {:.10g}", node, nodes[node]);
      singular_points_.push_back(std::move(point));
    }
  }
  setting_.mesh = Mesh(std::move(nodes));
}

double Discretization::drift(int i, const double* x) const {
  const int n = layout_.nx, m = layout_.ny;
  const double* const node = node_constraints_.data() + static_cast<std::size_t>(i) * m * (n + 1);
  double largest = 0;
  for (int row = 0; row < m; ++row) {
    double sum = node[row * (n + 1) + n];
    for (int c = 0; c < n; ++c) sum += node[row * (n + 1) + c] * x[c];
    largest = larger(largest, std::abs(sum));
  }
  return largest;
}

void Discretization::right_side(const double* zeta_old, VecX& right,
                                const Executor& executor) const {
  const int u = layout_.node, z = layout_.multipliers, intervals = mesh().intervals();
  right.resize(matrix_.rows());
  executor.for_chunks(intervals, chunk, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      const double* const old =
          zeta_old == nullptr ? nullptr : zeta_old + static_cast<std::size_t>(i) * z;
      maps_.right_side(i, old, right.data() + static_cast<std::ptrdiff_t>(i) * u);
    }
  });
  right.tail(u) = boundary_right_;
  if (!layout_.shared || zeta_old == nullptr) return;
  const auto m = static_cast<std::size_t>(layout_.ny);
  const std::vector<double> first = share().ends({zeta_old, m}, {}).first;
  right.tail(layout_.ny) += first_Lo_ * Eigen::Map<const VecX>(first.data(), layout_.ny);
}

double Discretization::bytes() const {
  return maps_.bytes() + 8.0 * static_cast<double>(bases_.size() + node_constraints_.size());
}

}  // namespace daewave::bvp
