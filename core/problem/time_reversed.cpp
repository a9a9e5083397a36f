#include "core/problem/time_reversed.hpp"

#include <array>
#include <utility>
#include <vector>

namespace daewave {
namespace {

/// Terms whose sign changes, and how many entries they have at a point.
struct Turned {
  Ask what;
  const double* Terms::*member;
  int size;
};

class ReversedEvaluation final : public Evaluation {
 public:
  ReversedEvaluation(const DaeProblem& problem, double end)
      : inner_(problem.evaluation()), nq_(problem.sizes().nq), end_(end) {
    const Sizes& n = problem.sizes();
    const bool first_order = !problem.has_velocity();
    // f of second order does not: v and the time both change theirs.
    turned_ = {Turned{Ask::f, &Terms::f, first_order ? n.nq : 0},
               Turned{Ask::B, &Terms::B, first_order ? n.nq * n.ny : 0},
               Turned{Ask::g_t, &Terms::g_t, n.nl()},
               Turned{Ask::f_q, &Terms::f_q, first_order ? n.nq * n.nq : 0},
               Turned{Ask::f_w, &Terms::f_w, first_order ? n.nq * n.nw : 0},
               Turned{Ask::f_v, &Terms::f_v, first_order ? 0 : n.nq * n.nq}};
  }

  const Terms& evaluate(Ask what, const Points& at) override {
    Points there = at;
    const auto count = static_cast<std::size_t>(at.count);
    const auto stride = static_cast<std::size_t>(at.stride);
    if (t_.size() < count) t_.resize(count);
    for (std::size_t p = 0; p < count; ++p) t_[p] = end_ - at.t[p];
    there.t = t_.data();
    if (at.v != nullptr) {
      const std::size_t size = static_cast<std::size_t>(nq_ - 1) * stride + count;
      if (v_.size() < size) v_.resize(size);
      for (std::size_t i = 0; i < size; ++i) v_[i] = -at.v[i];
      there.v = v_.data();
    }
    terms_ = inner_->evaluate(what, there);
    for (std::size_t a = 0; a < turned_.size(); ++a) turn(what, turned_[a], at.count, negative_[a]);
    return terms_;
  }

 private:
  void turn(Ask what, const Turned& array, int count, std::vector<double>& to) {
    const double*& from = terms_.*array.member;
    if (!asks(what, array.what) || from == nullptr || array.size == 0) return;
    const std::size_t size =
        static_cast<std::size_t>(array.size - 1) * static_cast<std::size_t>(terms_.stride) +
        static_cast<std::size_t>(count);
    if (to.size() < size) to.resize(size);
    for (std::size_t i = 0; i < size; ++i) to[i] = -from[i];
    from = to.data();
  }

  std::unique_ptr<Evaluation> inner_;
  int nq_;
  double end_;
  std::array<Turned, 6> turned_;
  std::array<std::vector<double>, 6> negative_;
  std::vector<double> t_, v_;
  Terms terms_;
};

class ReversedProblem final : public DaeProblem {
 public:
  ReversedProblem(DaeProblemPtr problem, double end)
      : DaeProblem(problem->kind(), problem->sizes(), problem->structure()),
        problem_(std::move(problem)),
        end_(end) {}

  std::unique_ptr<Evaluation> evaluation() const override {
    return std::make_unique<ReversedEvaluation>(*problem_, end_);
  }
  std::string name() const override { return problem_->name(); }
  double energy(const double* q, const double* v) const override {
    const VecX turned = -Eigen::Map<const VecX>(v, sizes().nq);
    return problem_->energy(q, turned.data());
  }
  double implied(const double* q, const double* v, double t) const override {
    const VecX turned = -Eigen::Map<const VecX>(v, sizes().nq);
    return problem_->implied(q, turned.data(), end_ - t);
  }
  std::string implied_names() const override { return problem_->implied_names(); }
  std::optional<Interval> interval() const override {
    const std::optional<Interval> there = problem_->interval();
    if (!there) return {};
    return Interval{end_ - there->end, end_ - there->begin};
  }
  std::string failure(const VecX& z, const VecX& w, double t) const override {
    return problem_->failure(z, w, end_ - t);
  }

 private:
  DaeProblemPtr problem_;
  double end_;
};

}  // namespace

DaeProblemPtr time_reversed(DaeProblemPtr problem, double end) {
  return std::make_shared<ReversedProblem>(std::move(problem), end);
}

VecX reversed_state(const DaeProblem& problem, VecX state) {
  if (problem.has_velocity()) state.tail(problem.sizes().nq) *= -1;
  return state;
}

double reversed_sign_of_By(Kind kind) { return kind == Kind::index_2 ? -1 : 1; }

}  // namespace daewave
