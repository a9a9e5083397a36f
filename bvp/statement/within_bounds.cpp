// Problems whose terms are evaluated within bounds of the state.

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "bvp/statement/boundary_problem.hpp"
#include "bvp/statement/state_bounds.hpp"
#include "core/machine/aligned.hpp"

namespace daewave::bvp {
namespace {

class BoundedEvaluation final : public Evaluation {
 public:
  BoundedEvaluation(const DaeProblem& problem, const StateBounds& bounds)
      : inner_(problem.evaluation()),
        sizes_(problem.sizes()),
        states_(problem.has_velocity() ? 2 : 1),
        bounds_(bounds) {}

  const Terms& evaluate(Ask what, const Points& at) override {
    bounds_.count(at.count);
    const double* const given[] = {at.q, at.v};
    bool any = false;
    for (int state = 0; state < states_; ++state) {
      if (given[state] != nullptr) any = find_beyond(at, given[state], state) || any;
    }
    if (!any) return inner_->evaluate(what, at);
    Points there = at;
    if (at.q != nullptr) there.q = within_[0].data();
    if (states_ > 1 && at.v != nullptr) there.v = within_[1].data();
    terms_ = inner_->evaluate(what, there);
    const bool of_f = asks(what, Ask::f), of_r = asks(what, Ask::r) && sizes_.nw > 0;
    if (!of_f && !of_r) return terms_;
    // What is asked for besides must not be lost with the memory of another evaluation.
    const Ask rates = of_f && of_r ? Ask::f | Ask::r : of_f ? Ask::f : Ask::r;
    if (of_f) keep(at, terms_.f, sizes_.nq, f_, f_here_);
    if (of_r) keep(at, terms_.r, sizes_.nw, r_, r_here_);
    const int stride = terms_.stride;
    for (const Beyond& one : beyond_) add_tangents(at, there, one, rates, stride);
    // Terms of the last evaluation are those of the tangents.
    terms_ = what == rates ? terms_ : inner_->evaluate(what, there);
    if (of_f) terms_.f = f_.data();
    if (of_r) terms_.r = r_.data();
    return terms_;
  }

 private:
  /// An entry of x that is beyond a bound at some points.
  struct Beyond {
    int state, entry;
    bool lower;
  };

  /// Points within the bounds; and which entries had to be moved.
  bool find_beyond(const Points& at, const double* x, int state) {
    if (state == 0) beyond_.clear();
    std::vector<double>& to = within_[state];
    const int first = state * sizes_.nq;
    to.assign(x, x + (sizes_.nq - 1) * at.stride + at.count);
    to.resize(to.size() + vector_width);  // For who reads whole registers.
    bool any = false;
    for (int i = 0; i < sizes_.nq; ++i) {
      const double low = bounds_.low()[first + i], high = bounds_.high()[first + i];
      int below = 0, above = 0;
      for (int p = 0; p < at.count; ++p) {
        double& here = to[static_cast<std::size_t>(i * at.stride + p)];
        if (here < low) ++below;
        if (here > high) ++above;
        here = here < low ? low : here > high ? high : here;
      }
      if (below > 0) beyond_.push_back({state, i, true});
      if (above > 0) beyond_.push_back({state, i, false});
      if (below > 0) bounds_.count_beyond(first + i, true, below);
      if (above > 0) bounds_.count_beyond(first + i, false, above);
      any = any || below > 0 || above > 0;
    }
    return any;
  }

  void keep(const Points& at, const double* from, int rows, std::vector<double>& to,
            std::vector<double>& here) const {
    to.assign(from, from + (rows - 1) * terms_.stride + at.count);
    here = to;
  }

  /// (x - P x) times the slope at P x, at the points that are beyond.
  void add_tangents(const Points& at, const Points& there, const Beyond& one, Ask rates,
                    int stride) {
    const double* const x = one.state == 0 ? at.q : at.v;
    const int entry = one.state * sizes_.nq + one.entry;
    const double step = bounds_.step_inside(entry, one.lower);
    std::vector<double>& within = within_[one.state];
    double* const row = within.data() + static_cast<std::ptrdiff_t>(one.entry) * at.stride;
    const auto excess = [&](int p) {
      const double off = x[one.entry * at.stride + p] - row[p];
      return (one.lower ? off < 0 : off > 0) ? off : 0.0;
    };
    excess_.resize(static_cast<std::size_t>(at.count));
    for (int p = 0; p < at.count; ++p) excess_[static_cast<std::size_t>(p)] = excess(p);
    kept_.assign(row, row + at.count);
    for (int p = 0; p < at.count; ++p) {
      if (excess_[static_cast<std::size_t>(p)] != 0) row[p] += step;
    }
    const Terms& moved = inner_->evaluate(rates, there);
    const auto add = [&](const double* to_there, const std::vector<double>& here, int rows,
                         std::vector<double>& sum) {
      for (int i = 0; i < rows; ++i) {
        for (int p = 0; p < at.count; ++p) {
          const double off = excess_[static_cast<std::size_t>(p)];
          const auto e = static_cast<std::size_t>(i * stride + p);
          if (off != 0) sum[e] += off * (to_there[i * moved.stride + p] - here[e]) / step;
        }
      }
    };
    if (asks(rates, Ask::f)) add(moved.f, f_here_, sizes_.nq, f_);
    if (asks(rates, Ask::r)) add(moved.r, r_here_, sizes_.nw, r_);
    std::copy(kept_.begin(), kept_.end(), row);
  }

  std::unique_ptr<Evaluation> inner_;
  Sizes sizes_;
  int states_;  ///< q, or q and v.
  const StateBounds& bounds_;
  std::array<std::vector<double>, 2> within_;
  std::vector<Beyond> beyond_;
  std::vector<double> f_, r_, f_here_, r_here_, excess_, kept_;
  Terms terms_;
};

class BoundedProblem final : public DaeProblem {
 public:
  BoundedProblem(DaeProblemPtr problem, std::shared_ptr<const StateBounds> bounds)
      : DaeProblem(problem->kind(), problem->sizes(), problem->structure()),
        problem_(std::move(problem)),
        bounds_(std::move(bounds)) {}

  std::unique_ptr<Evaluation> evaluation() const override {
    return std::make_unique<BoundedEvaluation>(*problem_, *bounds_);
  }
  int lanes() const override { return problem_->lanes(); }
  std::string name() const override { return problem_->name(); }
  double energy(const double* q, const double* v) const override { return problem_->energy(q, v); }
  double implied(const double* q, const double* v, double t) const override {
    return problem_->implied(q, v, t);
  }
  std::string implied_names() const override { return problem_->implied_names(); }
  std::optional<Interval> interval() const override { return problem_->interval(); }
  std::string failure(const VecX& z, const VecX& w, double t) const override {
    return problem_->failure(bounds_->nearest(z), w, t);
  }

 private:
  DaeProblemPtr problem_;
  std::shared_ptr<const StateBounds> bounds_;
};

}  // namespace

DaeProblemPtr within_bounds(DaeProblemPtr problem, std::shared_ptr<const StateBounds> bounds) {
  return std::make_shared<BoundedProblem>(std::move(problem), std::move(bounds));
}

BoundaryProblem within_bounds(BoundaryProblem problem, std::shared_ptr<const StateBounds> bounds) {
  problem.equations = within_bounds(std::move(problem.equations), bounds);
  if (problem.integrand) {
    problem.integrand = [inner = std::move(problem.integrand), bounds](const VecX& x, double t) {
      return inner(bounds->nearest(x), t);
    };
  }
  return problem;
}

}  // namespace daewave::bvp
