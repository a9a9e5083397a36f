#include "ivp/linear/step_local_linear.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

#include "core/not_finite.hpp"
#include "core/stages/constraint_scan.hpp"
#include "ivp/linear/condensed_steps.hpp"
#include "ivp/linear/initial_values.hpp"
#include "ivp/linear/linear_choose.hpp"

namespace daewave::ivp {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

TimeSteps steps_of(const LinearDae& problem, const LinearOptions& options) {
  return options.mesh ? TimeSteps(*options.mesh) : TimeSteps(problem.interval(), *options.steps);
}

class StepLocalRun {
 public:
  StepLocalRun(const LinearDae& problem, const LinearOptions& options, const ConstraintScan& scan,
               const VecX& x0, Chosen chosen, const LinearObserver& observer)
      : observer_(observer),
        chosen_(std::move(chosen)),
        nx_(problem.nx()),
        steps_(steps_of(problem, options)),
        condensed_(problem, chosen_.scheme, chosen_.regularization, scan.reference),
        layout_(condensed_.layout()),
        left_(layout_.node, chosen_.iterates),
        right_(layout_.node, chosen_.iterates),
        zeta_(layout_.multipliers),
        old_(layout_.multipliers),
        By_(nx_, chosen_.iterates),
        step_change_(chosen_.iterates),
        step_drift_(chosen_.iterates) {
    for (int s = 0; s < chosen_.iterates; ++s) left_.col(s).head(nx_) = x0;
    Report& report = result_.report;
    report.problem = problem.name();
    report.nx = nx_;
    report.ny = problem.ny();
    report.choices = chosen_.choices;
    report.warnings = chosen_.warnings;
    report.singular_points = scan.singular_points;
    for (SingularPoint& point : report.singular_points) point.passed_by = "no stage lies there";
    near_ = 1e-3 * problem.interval().length();
    for (int s = 1; s <= chosen_.iterates; ++s) {
      IterateReport iterate;
      iterate.iterate = s;
      report.history.push_back(iterate);
    }
    result_.t = result_.t_By = steps_.node(0);
    result_.x = left_.topRows(nx_);
    result_.By = MatX::Zero(nx_, chosen_.iterates);
    result_.bytes = condensed_.bytes() + 8.0 * static_cast<double>(4 * left_.size() + By_.size());
  }

  LinearResult run() {
    const Clock::time_point start = Clock::now();
    Report& report = result_.report;
    bool going = true;
    for (int first = 0; going && first < steps_.count(); first += CondensedSteps::most) {
      const Clock::time_point block = Clock::now();
      condensed_.load(steps_, first, std::min(CondensedSteps::most, steps_.count() - first));
      report.seconds.condense += seconds_since(block);
      note_singular_points();
      if (first == 0 && layout_.shared && condensed_.usable() > 0) start_iterates();
      for (int i = 0; going && i < condensed_.usable(); ++i) going = step(first, i);
      if (going && !condensed_.failure().empty()) {
        end(condensed_.termination(), condensed_.failure(), "");
        going = false;
      }
    }
    if (going) conclude();
    report.linear_solve.asked = report.linear_solve.used = "dense, step by step";
    report.linear_solve.factorizations = result_.steps;
    report.seconds.total = seconds_since(start);
    report.seconds.solve = report.seconds.total - report.seconds.condense;
    return std::move(result_);
  }

 private:
  /// zeta of every iterate at the begin, where the first stage is there.
  void start_iterates() {
    zeta_.setZero();
    if (!chosen_.By_0.is_zero()) condensed_.project(0, chosen_.By_0, zeta_.data());
    for (int s = 0; s < chosen_.iterates; ++s) {
      condensed_.start(zeta_.data(), left_.col(s).data());
      zeta_.head(layout_.ny) = left_.col(s).tail(layout_.ny);
    }
  }

  /// All iterates of one step; false to end the run.
  bool step(int first, int i) {
    const double t = steps_.node(first + i + 1);
    const double t_By = condensed_.stage_time(i, layout_.stages - 1);
    bool zero_old = chosen_.By_0.is_zero();
    if (zero_old) {
      zeta_.setZero();
    } else {
      condensed_.project(i, chosen_.By_0, zeta_.data());
    }
    for (int s = 0; s < chosen_.iterates; ++s) {
      old_ = zeta_;
      condensed_.advance(i, left_.col(s).data(), zero_old, zeta_.data(), right_.col(s).data());
      zero_old = false;
      if (!right_.col(s).allFinite() || !zeta_.allFinite()) {
        end(Termination::diverged,
            fmt::format("step {} (t = {:.10g}), iterate {}: x or B y is not finite", first + i, t,
                        s + 1),
            "use smaller steps, or another weight");
        return false;
      }
      step_change_[s] = change(i);
      step_drift_[s] = condensed_.drift(i, right_.col(s).data());
      By_.col(s).noalias() =
          condensed_.basis(i, layout_.stages - 1).lazyProduct(zeta_.tail(layout_.ny));
    }
    accept(first + i, t, t_By);
    if (!observer_) return true;
    x_seen_ = right_.col(chosen_.iterates - 1).head(nx_);
    By_seen_ = By_.col(chosen_.iterates - 1);
    if (observer_({first + i, t, x_seen_, t_By, By_seen_, step_drift_})) return true;
    if (result_.steps == steps_.count()) return true;
    end(Termination::stopped, fmt::format("stopped by the caller at t = {:.10g}", t), "");
    return false;
  }

  struct Change {
    double size = 0;
    double t = 0;
  };

  /// max |B y_s - B y_{s-1}| over the stages of step i, and where.
  Change change(int i) const {
    Change largest;
    for (int j = 0; j < layout_.stages; ++j) {
      const auto V = condensed_.basis(i, j);
      for (int r = 0; r < nx_; ++r) {
        double sum = 0;
        for (int c = 0; c < layout_.ny; ++c) {
          const int z = j * layout_.ny + c;
          sum += V(r, c) * (zeta_[z] - old_[z]);
        }
        if (std::abs(sum) <= largest.size || std::isnan(largest.size)) continue;
        largest = {std::abs(sum), condensed_.stage_time(i, j)};
      }
    }
    return largest;
  }

  void accept(int index, double t, double t_By) {
    for (int s = 0; s < chosen_.iterates; ++s) {
      IterateReport& iterate = result_.report.history[s];
      if (!(step_change_[s].size <= iterate.change || std::isnan(iterate.change))) {
        iterate.change = step_change_[s].size;
        iterate.change_at = step_change_[s].t;
      }
      iterate.drift = larger(iterate.drift, step_drift_[s]);
    }
    result_.steps = index + 1;
    result_.t = t;
    result_.t_By = t_By;
    result_.x = right_.topRows(nx_);
    result_.By = By_;
    left_ = right_;
  }

  /// Tells how the points of the scan were passed; a long run may meet more than can be listed.
  void note_singular_points() {
    constexpr std::size_t most_listed = 100;
    std::vector<SingularPoint>& listed = result_.report.singular_points;
    for (const SingularPoint& met : condensed_.singular_points()) {
      const auto known = std::find_if(listed.begin(), listed.end(), [&](const SingularPoint& p) {
        return std::abs(p.t - met.t) <= near_;
      });
      if (known != listed.end()) {
        known->t = met.t;
        known->passed_by = met.passed_by;
      } else if (listed.size() < most_listed) {
        listed.push_back(met);
      } else if (!list_is_full_) {
        list_is_full_ = true;
        result_.report.warnings.push_back(fmt::format(
            "more than {} singular points were met; those from t = {:.6g} are not listed",
            most_listed, met.t));
      }
    }
  }

  void conclude() {
    const IterateReport& last = result_.report.history.back();
    end(Termination::converged,
        fmt::format("{} iterate(s) on {} steps, drift {:.1e}; the error is not estimated",
                    last.iterate, result_.steps, last.drift),
        "");
  }

  void end(Termination termination, std::string message, std::string advice) {
    result_.report.termination = termination;
    result_.report.message = std::move(message);
    result_.report.advice = std::move(advice);
  }

  const LinearObserver& observer_;
  Chosen chosen_;
  int nx_;
  TimeSteps steps_;
  CondensedSteps condensed_;
  StageLayout layout_;
  MatX left_, right_;  // u of every iterate, by columns.
  VecX zeta_, old_;
  MatX By_;
  std::vector<Change> step_change_;
  VecX step_drift_, x_seen_, By_seen_;
  double near_ = 0;
  bool list_is_full_ = false;
  LinearResult result_;
};

}  // namespace

LinearResult solve(std::shared_ptr<const LinearDae> problem, const LinearOptions& options,
                   const LinearObserver& observer) {
  check(options);
  const VecX x0 = initial_state(*problem);
  const ConstraintScan scan = scan_constraint(*problem);
  Chosen chosen = choose(*problem, options, scan, x0);
  check_weight(*problem, chosen.regularization);
  return StepLocalRun(*problem, options, scan, x0, std::move(chosen), observer).run();
}

}  // namespace daewave::ivp
