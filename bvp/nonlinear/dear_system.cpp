#include "bvp/nonlinear/dear_system.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "bvp/nonlinear/forward_differences.hpp"

namespace daewave::bvp {
namespace {

class DearOrdinarySystem final : public IterateSystem {
 public:
  explicit DearOrdinarySystem(const DaeProblem& problem)
      : problem_(problem), evaluation_(problem.evaluation()), nx_(problem.sizes().nq) {}

  int nx() const override { return nx_; }
  int carried() const override { return 0; }
  bool calls_are_dear() const override { return true; }
  bool evaluate(const VecX& x, double t, const VecX&, VecX& slope, VecX&) override {
    slope.resize(nx_);
    return evaluate_batch(StageBatch{1, 1, &t, x.data(), nullptr}, slope.data(), nullptr, nullptr,
                          failure_);
  }
  bool jacobian(const VecX& x, double t, const VecX&, const VecX& slope, const VecX&,
                const VecX& weight, MatX& J) override {
    J.resize(nx_, nx_);
    return jacobian_batch(StageBatch{1, 1, &t, x.data(), nullptr}, slope.data(), nullptr, weight,
                          J.data(), failure_);
  }
  bool evaluate_batch(const StageBatch& at, double* slope, double*, double*,
                      std::string& failure) override {
    return take("x'", Ask::f, at, nx_, slope, failure);
  }
  bool jacobian_batch(const StageBatch& at, const double* slope, const double*, const VecX& weight,
                      double* J, std::string& failure) override {
    if (problem_.structure().has_f_jacobian) {
      return take("df/dx", Ask::f_q, at, nx_ * nx_, J, failure);
    }
    return differences(at, slope, weight, J, failure);
  }
  std::string failure() const override { return failure_; }
  std::unique_ptr<IterateSystem> clone() const override {
    return std::make_unique<DearOrdinarySystem>(problem_);
  }

 private:
  bool take(const char* equation, Ask what, const StageBatch& at, int rows, double* to,
            std::string& failure) {
    const Terms& terms =
        evaluation_->evaluate(what, Points{at.count, at.stride, at.t, at.x, nullptr, nullptr});
    const double* const from = what == Ask::f ? terms.f : terms.f_q;
    for (int i = 0; i < rows; ++i) {
      std::copy_n(from + static_cast<std::ptrdiff_t>(i) * terms.stride, at.count,
                  to + static_cast<std::ptrdiff_t>(i) * at.stride);
    }
    return all_finite_in(equation, to, rows, at, failure);
  }

  /// Of entry j moved by a part of `weight`, and of it moved by another one where the former may be
  /// lost in rounding: see forward_differences.hpp.
  struct Move {
    int entry = 0;
    double weight = 0;
    bool is_second = false;
  };

  bool differences(const StageBatch& at, const double* slope, const VecX& weight, double* J,
                   std::string& failure) {
    std::vector<Move> moves;
    const double otherwise = otherwise_moved(weight);
    for (int j = 0; j < nx_; ++j) {
      moves.push_back({j, weight[j], false});
      if (weight[j] < otherwise) moves.push_back({j, otherwise, true});
    }
    const int m = at.count, all = m * static_cast<int>(moves.size());
    t_.resize(static_cast<std::size_t>(all));
    x_.resize(static_cast<std::size_t>(all) * static_cast<std::size_t>(nx_));
    for (std::size_t k = 0; k < moves.size(); ++k) {
      const std::size_t first = k * static_cast<std::size_t>(m);
      std::copy_n(at.t, m, t_.data() + first);
      for (int i = 0; i < nx_; ++i) {
        const double* const from = at.x + static_cast<std::ptrdiff_t>(i) * at.stride;
        double* const to = x_.data() + static_cast<std::ptrdiff_t>(i) * all + first;
        std::copy_n(from, m, to);
        if (i != moves[k].entry) continue;
        for (int p = 0; p < m; ++p) to[p] += difference_step(from[p], moves[k].weight);
      }
    }
    const StageBatch moved{all, all, t_.data(), x_.data(), nullptr};
    F_.resize(x_.size());
    if (!take("x'", Ask::f, moved, nx_, F_.data(), failure)) return false;
    for (std::size_t k = 0; k < moves.size(); ++k) {
      const std::size_t first = k * static_cast<std::size_t>(m);
      const int j = moves[k].entry;
      const double* const from = at.x + static_cast<std::ptrdiff_t>(j) * at.stride;
      const double* const to = x_.data() + static_cast<std::ptrdiff_t>(j) * all + first;
      for (int i = 0; i < nx_; ++i) {
        const double* const base = slope + static_cast<std::ptrdiff_t>(i) * at.stride;
        const double* const F = F_.data() + static_cast<std::ptrdiff_t>(i) * all + first;
        double* const out = J + static_cast<std::ptrdiff_t>(i + j * nx_) * at.stride;
        for (int p = 0; p < m; ++p) {
          const double taken = to[p] - from[p];
          // What the smaller step has seen stays.
          if (moves[k].is_second) {
            const double small = difference_step(from[p], weight[j]);
            if (exceeds_rounding(out[p] * small, base[p])) continue;
          }
          out[p] = (F[p] - base[p]) / taken;
        }
      }
    }
    return true;
  }

  const DaeProblem& problem_;
  std::unique_ptr<Evaluation> evaluation_;
  int nx_;
  std::vector<double> t_, x_, F_;
  std::string failure_;
};

}  // namespace

std::unique_ptr<IterateSystem> dear_ordinary_system(const DaeProblem& problem) {
  return std::make_unique<DearOrdinarySystem>(problem);
}

}  // namespace daewave::bvp
