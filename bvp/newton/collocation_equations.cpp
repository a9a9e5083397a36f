#include "bvp/newton/collocation_equations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "bvp/newton/stage_kernel.hpp"
#include "core/not_finite.hpp"

namespace daewave::bvp {
namespace {

SolverSetting setting_of(const Executor* executor) {
  SolverSetting setting;
  setting.executor = executor;
  return setting;
}

}  // namespace

int points_of_chunk(const IterateSystem& system) {
  if (!system.calls_are_dear()) return StageChunks::points_in_cache;
  constexpr int entries_of_jacobians = 1 << 20, most = 4096;
  return std::clamp(entries_of_jacobians / (system.nx() * system.nx()),
                    StageChunks::points_in_cache, most);
}

/// A worker for as long as a chunk takes.
class CollocationEquations::Borrowed {
 public:
  explicit Borrowed(CollocationEquations& from) : from_(from) {
    {
      const std::lock_guard lock(from_.mutex_);
      if (!from_.idle_.empty()) {
        worker_ = std::move(from_.idle_.back());
        from_.idle_.pop_back();
        return;
      }
    }
    worker_ = from_.make_worker();
    worker_->own = from_.prototype_->clone();
    worker_->system = worker_->own.get();
  }
  ~Borrowed() {
    const std::lock_guard lock(from_.mutex_);
    from_.idle_.push_back(std::move(worker_));
  }
  Borrowed(const Borrowed&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;

  ChunkWorker& worker() { return *worker_; }

 private:
  CollocationEquations& from_;
  std::unique_ptr<ChunkWorker> worker_;
};

CollocationEquations::CollocationEquations(IterateSystem& system, TwoPointConditions& conditions,
                                           const Mesh& mesh, const Collocation& scheme,
                                           const std::string& solver, const Executor* executor,
                                           MeshShare share)
    : system_(system),
      conditions_(conditions),
      mesh_(mesh),
      scheme_(scheme),
      executor_(executor),
      share_(std::move(share)),
      n_(system.nx()),
      k_(scheme.stages),
      carried_count_(system.carried()),
      chunks_(scheme.stages, share_.ranges(mesh.intervals()), points_of_chunk(system)),
      solver_(solver, setting_of(executor)),
      matrix_(n_, mesh.intervals()),
      slopes_(n_, scheme, chunks_),
      before_(chunks_.stage_memory(carried_count_)),
      carried_(chunks_.stage_memory(carried_count_)),
      node_residuals_(chunks_.interval_memory(n_)) {
  for (int j = 0; j < k_; ++j) {
    for (int l = 0; l < k_; ++l) weights_of_stages_.push_back(scheme.a(j, l));
  }
  chunks_.make_room(n_, rates_);
  matrix_.share = share_;
  condition_residuals_.setZero(n_);
  right_.setZero(static_cast<Eigen::Index>(n_) * (mesh.intervals() + 1));
  outcomes_.resize(static_cast<std::size_t>(chunks_.count()));
  for (int i = 0; i < mesh.intervals(); ++i) {
    double* const R = matrix_.R(i);
    std::fill_n(R, n_ * n_, 0.0);
    for (int r = 0; r < n_; ++r) R[r * n_ + r] = -1;
  }
  // The first worker has the system itself; others, of threads, have copies of it.
  idle_.push_back(make_worker());
  idle_.back()->system = &system;
  if (executor != nullptr) prototype_ = system.clone();
  if (prototype_ == nullptr) executor_ = &serial_;
}

double CollocationEquations::stage_time(int i, int j) const {
  const double c = scheme_.c[j];
  return c == 1 ? mesh_.node(i + 1) : mesh_.node(i) + c * mesh_.step(i);
}

std::unique_ptr<ChunkWorker> CollocationEquations::make_worker() const {
  return std::make_unique<ChunkWorker>(std::min(chunks_.size(), mesh_.intervals()), k_, n_,
                                       slopes_.memory());
}

void CollocationEquations::over_all_chunks(
    const std::function<void(ChunkWorker&, int chunk, Outcome&)>& work) {
  eliminated_ = nullptr;
  for (Outcome& outcome : outcomes_) outcome = {};
  const auto over_some = [&](int begin, int end) {
    Borrowed borrowed(*this);
    ChunkWorker& worker = borrowed.worker();
    for (int c = begin; c < end; ++c) {
      const int m = chunks_.width(c), first = chunks_.begin(c);
      for (int i = 0; i < m; ++i) worker.h[i] = mesh_.step(first + i);
      work(worker, c, outcomes_[static_cast<std::size_t>(c)]);
    }
  };
  try {
    // Of some thousand chunks each would take no longer than it takes to hand it out.
    constexpr int parts = 64;
    executor_->for_chunks(chunks_.count(), std::max(1, chunks_.count() / parts),
                          std::cref(over_some));
  } catch (...) {
    if (!share_.is_shared()) throw;
    thrown_ = std::current_exception();
  }
}

/// Of failures the first in time is told, whoever came upon his first.
bool CollocationEquations::all_well() {
  share_.together([&] {
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
  });
  const auto failed = std::find_if(outcomes_.begin(), outcomes_.end(),
                                   [](const Outcome& outcome) { return !outcome.failure.empty(); });
  std::string first = share_.first_of(failed != outcomes_.end() ? failed->failure : "");
  if (first.empty()) return true;
  failure_ = std::move(first);
  return false;
}

/// X at the stages, and the residuals at the ends of intervals.
void CollocationEquations::fill_stages(const CollocationUnknowns& at, int chunk,
                                       ChunkWorker& worker) {
  const int m = chunks_.width(chunk), first = chunks_.begin(chunk);
  for (int r = 0; r < n_; ++r) {
    for (int i = 0; i <= m; ++i) worker.x[r * (m + 1) + i] = at.x(r, first + i);
  }
  StageSums sums;
  sums.n = n_;
  sums.stages = k_;
  sums.width = m;
  sums.a = weights_of_stages_.data();
  sums.b = scheme_.b.data();
  sums.h = worker.h;
  sums.x = worker.x;
  sums.K = chunks_.of(at.slopes, n_, chunk);
  sums.X = worker.X;
  sums.off = node_residuals_.data() + static_cast<std::ptrdiff_t>(n_) * first;
  add_up_stages(sums);
}

/// Where fill_stages() has left X.
IteratePoints CollocationEquations::stages_of(int chunk, ChunkWorker& worker) {
  const int m = chunks_.width(chunk), first = chunks_.begin(chunk);
  for (int j = 0; j < k_; ++j) {
    for (int i = 0; i < m; ++i) {
      worker.t[j * m + i] = stage_time(first + i, j);
    }
  }
  IteratePoints batch;
  batch.count = batch.stride = k_ * m;
  batch.t = worker.t;
  batch.x = worker.X;
  batch.before = chunks_.of(before_, carried_count_, chunk);
  return batch;
}

void CollocationEquations::evaluate_chunk(const CollocationUnknowns& at, int chunk, bool with_drift,
                                          ChunkWorker& worker, Outcome& outcome) {
  fill_stages(at, chunk, worker);
  worker.system->evaluate_batch(stages_of(chunk, worker), chunks_.of(rates_, n_, chunk),
                                chunks_.of(carried_, carried_count_, chunk),
                                with_drift ? &outcome.drift : nullptr, outcome.failure);
}

const std::pair<VecX, VecX>& CollocationEquations::ends_of(const CollocationUnknowns& at) {
  if (share_.is_shared()) {
    const auto size = static_cast<std::size_t>(n_);
    const auto [first, last] =
        share_.ends({at.x.data(), size}, {at.x.data() + at.x.size() - n_, size});
    ends_.first = Eigen::Map<const VecX>(first.data(), n_);
    ends_.second = Eigen::Map<const VecX>(last.data(), n_);
  } else {
    ends_.first = at.x.col(0);
    ends_.second = at.x.col(at.x.cols() - 1);
  }
  return ends_;
}

bool CollocationEquations::evaluate_ends(const CollocationUnknowns& at) {
  const auto& [left, right] = ends_of(at);
  conditions_.evaluate(left, right, condition_residuals_);
  if (condition_residuals_.allFinite()) return true;
  int first = 0;
  while (std::isfinite(condition_residuals_[first])) ++first;
  failure_ = fmt::format("boundary condition {} is not finite", first + 1);
  return false;
}

void CollocationEquations::linearize_chunk(const CollocationUnknowns& at, int chunk,
                                           const VecX& moved, ChunkWorker& worker,
                                           Outcome& outcome) {
  fill_stages(at, chunk, worker);
  worker.system->linearize_batch({stages_of(chunk, worker), chunks_.of(rates_, n_, chunk),
                                  chunks_.of(carried_, carried_count_, chunk)},
                                 moved, chunks_.of(next_jacobians_, n_ * n_, chunk), {},
                                 outcome.failure);
}

bool CollocationEquations::evaluate(const CollocationUnknowns& at, bool with_drift) {
  has_jacobians_ = false;
  condense_chunks([&](ChunkWorker& worker, int c, Outcome& outcome) {
    evaluate_chunk(at, c, with_drift, worker, outcome);
  });
  if (with_drift) {
    drift_ = 0;
    for (const Outcome& outcome : outcomes_) drift_ = larger(drift_, outcome.drift);
    drift_ = share_.largest(drift_);
  }
  return all_well() && evaluate_ends(at);
}

bool CollocationEquations::evaluate_first(const CollocationUnknowns& at, const VecX& moved) {
  if (!system_.linearizes_in_one_call()) return evaluate(at, false);
  next_jacobians_.resize(chunks_.stage_memory_size(n_ * n_));
  condense_chunks([&](ChunkWorker& worker, int c, Outcome& outcome) {
    linearize_chunk(at, c, moved, worker, outcome);
  });
  // Where only what is beside cannot be evaluated, it is linearize() that fails.
  if (!all_well()) return evaluate(at, false);
  has_jacobians_ = evaluate_ends(at);
  return has_jacobians_;
}

bool CollocationEquations::evaluate(const CollocationUnknowns& from, double part,
                                    const CollocationUnknowns& d, const VecX& moved,
                                    CollocationUnknowns& at, CollocationUnknowns* next) {
  constexpr int few = 512;  // Further points, which cost less than a call.
  at.x = from.x + part * d.x;
  chunks_.make_room(n_, at.slopes);
  const auto add_up = [&](int c) {
    const double *const K = chunks_.of(from.slopes, n_, c), *const dK = chunks_.of(d.slopes, n_, c);
    double* const sum = chunks_.of(at.slopes, n_, c);
    for (int e = 0; e < n_ * k_ * chunks_.width(c); ++e) sum[e] = K[e] + part * dK[e];
  };
  if (system_.linearizes_in_one_call() && n_ * k_ * matrix_.all_intervals() <= few) {
    condense_chunks([&](ChunkWorker&, int c, Outcome&) { add_up(c); });
    return evaluate_first(at, moved);
  }
  has_jacobians_ = false;
  if (next != nullptr) chunks_.make_room(n_, next->slopes);
  condense_chunks([&](ChunkWorker& worker, int c, Outcome& outcome) {
    add_up(c);
    evaluate_chunk(at, c, false, worker, outcome);
    if (next == nullptr || !outcome.failure.empty()) return;
    eliminate(at, c, false, worker, outcome.unsolved, *next);
  });
  if (!all_well() || !evaluate_ends(at)) return false;
  eliminated_ = next;
  for (Outcome& outcome : outcomes_) outcome.failure.swap(outcome.unsolved);
  return true;
}

/// y of the residuals of the last evaluate(), and the right side of the intervals of a chunk.
void CollocationEquations::eliminate(const CollocationUnknowns& at, int chunk, bool with_nodes,
                                     ChunkWorker& worker, std::string& failure,
                                     CollocationUnknowns& d) {
  const int m = chunks_.width(chunk), first = chunks_.begin(chunk);
  const double* const K = chunks_.of(at.slopes, n_, chunk);
  const double* const rates = chunks_.of(rates_, n_, chunk);
  for (int r = 0; r < n_; ++r) {
    const double part = units_.size() > 0 ? 1 / units_[r] : 1;
    const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(r) * k_ * m;
    slope_residuals(rates + row, K + row, part, k_ * m, worker.right + row);
  }
  SlopeElimination::Reduced to;
  to.of_node = with_nodes ? matrix_.S(first) : nullptr;
  to.y = chunks_.of(d.slopes, n_, chunk);
  to.end = worker.end;
  const int failed = slopes_.eliminate(chunk, worker.h, worker.right, worker.panel, to);
  if (failed >= 0) {
    failure = fmt::format("the stages between t = {:.10g} and {:.10g} cannot be eliminated",
                          mesh_.node(first + failed), mesh_.node(first + failed + 1));
    return;
  }
  const double* const off = node_residuals_.data() + static_cast<std::ptrdiff_t>(n_) * first;
  double* const right = right_.data() + static_cast<std::ptrdiff_t>(n_) * first;
  for (int r = 0; r < n_; ++r) {
    const double part = units_.size() > 0 ? 1 / units_[r] : 1;
    for (int i = 0; i < m; ++i) right[i * n_ + r] = -part * off[r * m + i] - to.end[r * m + i];
  }
}

bool CollocationEquations::linearize(const CollocationUnknowns& at, const VecX& moved,
                                     const VecX& weight, CollocationUnknowns& d) {
  chunks_.make_room(n_, d.slopes);
  inverse_weight_ = weight.cwiseInverse();
  const bool known = std::exchange(has_jacobians_, false);
  choose_units(in_own_units_ ? moved : weight);
  return assemble(at, moved, known, d) && factorize_and_solve(d);
}

/// The matrix, in the units at hand, and its right side. @param known  whether derivatives are.
bool CollocationEquations::assemble(const CollocationUnknowns& at, const VecX& moved, bool known,
                                    CollocationUnknowns& d) {
  condense_chunks([&](ChunkWorker& worker, int c, Outcome& outcome) {
    double* const J = known ? chunks_.of(next_jacobians_, n_ * n_, c) : worker.J;
    if (!known) {
      // To make X again takes less than to keep it.
      fill_stages(at, c, worker);
      if (!worker.system->jacobian_batch(stages_of(c, worker), chunks_.of(rates_, n_, c),
                                         chunks_.of(carried_, carried_count_, c), moved, J,
                                         outcome.failure)) {
        return;
      }
    }
    put_in_units(c, J);
    slopes_.take(c, J);
    eliminate(at, c, true, worker, outcome.failure, d);
    double* S = matrix_.S(chunks_.begin(c));
    for (int i = 0; i < chunks_.width(c); ++i, S += n_ * n_) {
      for (int r = 0; r < n_; ++r) S[r * n_ + r] += 1;
    }
  });
  if (!all_well()) return false;
  matrix_.B0.resize(n_, n_);
  matrix_.B1.resize(n_, n_);
  const auto& [left, right] = ends_of(at);
  conditions_.jacobians(left, right, moved, matrix_.B0, matrix_.B1);
  condition_units();
  return true;
}

bool CollocationEquations::factorize_and_solve(CollocationUnknowns& d) {
  {
    const TimeOf time(seconds_.factorize);
    if (!solver_.factorize(matrix_)) {
      failure_ = solver_.failure();
      return false;
    }
  }
  return solve_nodes(d, false);
}

bool CollocationEquations::change(const CollocationUnknowns& at, CollocationUnknowns& d) {
  if (std::exchange(eliminated_, nullptr) != &d) {
    chunks_.make_room(n_, d.slopes);
    condense_chunks([&](ChunkWorker& worker, int c, Outcome& outcome) {
      eliminate(at, c, false, worker, outcome.failure, d);
    });
  }
  return all_well() && solve_nodes(d, true);
}

/// From right_ and y, which is in `d`, to the change of nodes and slopes.
bool CollocationEquations::solve_nodes(CollocationUnknowns& d, bool is_further) {
  const TimeOf time(seconds_.solve);
  right_.tail(n_) = -condition_residuals_;
  if (units_.size() > 0) right_.tail(n_).array() /= units_of_conditions_.array();
  // A change that is wrong does not lead to smaller ones.
  const CheckedResult solved =
      is_further ? solver_.solve_further(right_, u_) : solver_.solve(right_, u_);
  const auto singular = [&] {
    failure_ = "the linear system is singular, or nearly: no solver reaches an acceptable residual";
    return false;
  };
  if (!solved.accepted) return singular();
  d.x = Eigen::Map<const MatX>(u_.data(), n_, mesh_.intervals() + 1);
  if (units_.size() > 0) d.x = units_.asDiagonal() * d.x;
  inverse_ = inverse_weight_;
  over_chunks([&](ChunkWorker& worker, int c, Outcome& outcome) {
    const int m = chunks_.width(c), first = chunks_.begin(c);
    const double* const node = u_.data() + static_cast<std::ptrdiff_t>(n_) * first;
    for (int r = 0; r < n_; ++r) {
      for (int i = 0; i < m; ++i) worker.dx[r * m + i] = node[i * n_ + r];
    }
    double* const dK = chunks_.of(d.slopes, n_, c);
    slopes_.add_of_node(c, worker.dx, dK);
    for (int r = 0, e = 0; units_.size() > 0 && r < n_; ++r) {
      for (const int end = e + k_ * m; e < end; ++e) dK[e] *= units_[r];
    }
    outcome.sum = squares(d, 0, d, c, worker);
  });
  d.size = root_of_squares(d, 0, d);
  // Squares may be too large where what they are of is not.
  if (!std::isfinite(d.size) && share_.any(!u_.allFinite())) return singular();
  return true;
}

}  // namespace daewave::bvp
