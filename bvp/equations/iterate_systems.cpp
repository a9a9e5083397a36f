#include "bvp/equations/iterate_systems.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "bvp/equations/batch_differences.hpp"
#include "bvp/equations/columns_in_one_call.hpp"
#include "bvp/statement/forward_differences.hpp"
#include "core/not_finite.hpp"
#include "core/problem/dear_calls.hpp"
#include "core/problem/foreseen_terms.hpp"
#include "core/regularize/regularize_problem.hpp"
#include "core/regularize/regularized_batch.hpp"

namespace daewave::bvp {
namespace {

/// What a regularization needs.
Ask asked_for(const DaeProblem& problem) {
  const Ask all =
      Ask::f | Ask::G | Ask::g | Ask::g_t | (problem.kind() == Kind::multibody ? Ask::M : Ask::B);
  return problem.structure().has_curvature ? all | Ask::curvature : all;
}

class RegularizedSystem final : public IterateSystem {
 public:
  RegularizedSystem(std::unique_ptr<RegularizedOde> ode, const DaeProblem& problem)
      : problem_(problem),
        ode_(std::move(ode)),
        batch_(regularized_batch(problem, *ode_)),
        dear_(daewave::calls_are_dear(problem)),
        ahead_(dear_ && !batch_ ? problem.evaluation() : nullptr) {}

  int nx() const override { return ode_->size(); }
  int carried() const override { return ode_->carried(); }
  bool calls_are_dear() const override { return dear_; }
  bool evaluate(const VecX& x, double t, const VecX& before, VecX& slope, VecX& carried) override {
    return ode_->evaluate(x, t, before, slope, carried);
  }
  bool jacobian(const VecX& x, double t, const VecX& before, const VecX& slope, const VecX& carried,
                const VecX& weight, MatX& J) override {
    return forward_differences(
        [&](const VecX& moved, VecX& F) {
          carried_ = carried;
          return evaluate(moved, t, before, F, carried_);
        },
        x, slope, weight, J);
  }
  std::string failure() const override { return ode_->failure(); }
  double drift() override {
    double position = 0, velocity = 0;
    ode_->residuals(position, velocity);
    return larger(position, velocity);
  }
  bool evaluate_batch(const IteratePoints& at, double* slope, double* carried, double* drift,
                      std::string& failure) override {
    const RegularizedPoints points{at.count, at.stride, at.t, at.x, at.before};
    if (batch_) return batch_->evaluate(points, slope, carried, drift, failure);
    std::optional<ForeseenTerms> foreseen;
    if (ahead_ && at.count > 1) {
      const Ask what = asked_for(problem_);
      const Points of_problem = points_of(problem_, points);
      foreseen.emplace(problem_, what, of_problem, ahead_->evaluate(what, of_problem));
    }
    return IterateSystem::evaluate_batch(at, slope, carried, drift, failure);
  }
  bool jacobian_batch(const IteratePoints& at, const double* slope, const double* carried,
                      const VecX& weight, double* J, std::string& failure) override {
    if (!batch_ && !dear_) {
      return IterateSystem::jacobian_batch(at, slope, carried, weight, J, failure);
    }
    const auto rows = static_cast<std::size_t>(this->carried());
    if (dear_) {
      return in_one_call_.columns(
          at, nx(), slope, weight,
          [&](const IteratePoints& moved, double* F) {
            left_.assign(rows * static_cast<std::size_t>(moved.stride), 0.0);
            return evaluate_batch(moved, F, left_.data(), nullptr, failure);
          },
          J, this->carried());
    }
    left_.resize(rows * static_cast<std::size_t>(at.stride));
    return differences_.columns(
        at, nx(), slope, weight,
        [&](const IteratePoints& moved, double* F) {
          const bool known = evaluate_batch(moved, F, left_.data(), nullptr, failure);
          return known ? RowsOfValues{F, moved.stride} : RowsOfValues{};
        },
        J, failure);
  }
  std::unique_ptr<IterateSystem> clone() const override {
    return std::make_unique<RegularizedSystem>(ode_->clone(), problem_);
  }

 private:
  const DaeProblem& problem_;
  std::unique_ptr<RegularizedOde> ode_;
  std::unique_ptr<RegularizedBatch> batch_;
  bool dear_;
  std::unique_ptr<Evaluation> ahead_;  ///< Of points that are then asked for one by one, or null.
  BatchDifferences differences_;
  ColumnsInOneCall in_one_call_;
  VecX carried_;
  std::vector<double> left_;
};

class OrdinarySystem final : public IterateSystem {
  auto f_into(std::string& failure) {
    return [this, &failure](const IteratePoints& at, double* F) {
      return take("x'", Ask::f, at, nx_, F, failure);
    };
  }

 public:
  explicit OrdinarySystem(const DaeProblem& problem)
      : problem_(problem),
        evaluation_(problem.evaluation()),
        nx_(problem.sizes().nq),
        dear_(daewave::calls_are_dear(problem)) {}

  int nx() const override { return nx_; }
  int carried() const override { return 0; }
  bool calls_are_dear() const override { return dear_; }
  bool linearizes_in_one_call() const override { return dear_; }
  bool leaves_slopes_alone() const override { return true; }
  bool evaluate(const VecX& x, double t, const VecX&, VecX& slope, VecX&) override {
    slope.resize(nx_);
    return evaluate_batch(IteratePoints{1, 1, &t, x.data(), nullptr}, slope.data(), nullptr,
                          nullptr, failure_);
  }
  bool jacobian(const VecX& x, double t, const VecX&, const VecX& slope, const VecX&,
                const VecX& weight, MatX& J) override {
    J.resize(nx_, nx_);
    return jacobian_batch(IteratePoints{1, 1, &t, x.data(), nullptr}, slope.data(), nullptr, weight,
                          J.data(), failure_);
  }
  bool evaluate_batch(const IteratePoints& at, double* slope, double*, double*,
                      std::string& failure) override {
    return take("x'", Ask::f, at, nx_, slope, failure);
  }
  bool jacobian_batch(const IteratePoints& at, const double* slope, const double*,
                      const VecX& weight, double* J, std::string& failure) override {
    if (problem_.structure().has_f_jacobian) {
      return take("df/dx", Ask::f_q, at, nx_ * nx_, J, failure);
    }
    if (dear_) return in_one_call_.columns(at, nx_, slope, weight, f_into(failure), J);
    return differences_.columns(
        at, nx_, slope, weight,
        [&](const IteratePoints& moved, double*) {
          const Terms& terms = evaluated(Ask::f, moved);
          return RowsOfValues{terms.f, terms.stride};
        },
        J, failure);
  }
  bool linearize_batch(const Batch& of, const VecX& weight, double* J, const Batch& further,
                       std::string& failure) override {
    if (!dear_ || problem_.structure().has_f_jacobian) {
      return IterateSystem::linearize_batch(of, weight, J, further, failure);
    }
    return in_one_call_.values_and_columns(of.at, nx_, weight, f_into(failure), of.slope, J,
                                           further.at, further.slope);
  }
  std::string failure() const override { return failure_; }
  std::unique_ptr<IterateSystem> clone() const override {
    return std::make_unique<OrdinarySystem>(problem_);
  }

 private:
  const Terms& evaluated(Ask what, const IteratePoints& at) {
    return evaluation_->evaluate(what, Points{at.count, at.stride, at.t, at.x, nullptr, nullptr});
  }
  bool take(const char* equation, Ask what, const IteratePoints& at, int rows, double* to,
            std::string& failure) {
    const Terms& terms = evaluated(what, at);
    const RowsOfValues from{what == Ask::f ? terms.f : terms.f_q, terms.stride};
    if (copy_values(from, rows, at.count, at.stride, to)) return true;
    return all_finite_in(equation, to, rows, at, failure);
  }

  const DaeProblem& problem_;
  std::unique_ptr<Evaluation> evaluation_;
  int nx_;
  bool dear_;
  BatchDifferences differences_;
  ColumnsInOneCall in_one_call_;
  std::string failure_;
};

}  // namespace

std::unique_ptr<IterateSystem> iterate_system(const DaeProblem& problem,
                                              const Regularization& form) {
  return std::make_unique<RegularizedSystem>(regularize(problem, form), problem);
}

std::unique_ptr<IterateSystem> ordinary_system(const DaeProblem& problem) {
  return std::make_unique<OrdinarySystem>(problem);
}

}  // namespace daewave::bvp
