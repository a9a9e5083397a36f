// A DAE of index 1 as collocation sees it: w is solved for at many points at once.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "bvp/equations/batch_differences.hpp"
#include "bvp/equations/damped_algebraic.hpp"
#include "bvp/equations/iterate_systems.hpp"
#include "core/blocks/small_lu.hpp"
#include "core/kernels/index_kernels.hpp"
#include "core/kkt/algebraic_elimination.hpp"
#include "core/not_finite.hpp"

namespace daewave::bvp {
namespace {

class ImplicitSystem final : public IterateSystem {
 public:
  explicit ImplicitSystem(const DaeProblem& problem)
      : problem_(problem),
        knows_jacobian_(problem.structure().has_f_jacobian),
        evaluation_(problem.evaluation()),
        sizes_(problem.sizes()),
        nx_(sizes_.nq),
        nw_(sizes_.nw),
        factor_(nw_),
        r_w_(nw_, nw_),
        step_(nw_),
        damped_(nw_),
        all_(nx_ + nw_, nx_ + nw_) {}

  int nx() const override { return nx_; }
  int carried() const override { return nw_; }
  bool evaluate(const VecX& x, double t, const VecX&, VecX& slope, VecX& w) override {
    slope.resize(nx_);
    return evaluate_batch({1, 1, &t, x.data(), nullptr}, slope.data(), w.data(), nullptr, failure_);
  }
  bool jacobian(const VecX& x, double t, const VecX&, const VecX& slope, const VecX& w,
                const VecX& weight, MatX& J) override {
    J.resize(nx_, nx_);
    return jacobian_batch({1, 1, &t, x.data(), nullptr}, slope.data(), w.data(), weight, J.data(),
                          failure_);
  }
  bool evaluate_batch(const IteratePoints& at, double* slope, double* w, double*,
                      std::string& failure) override {
    if (!solve(at, w, failure)) return false;
    const Terms& terms = evaluated(Ask::f, at, at.x, w);
    copy(terms.f, terms.stride, nx_, at, slope);
    return all_finite_in("f", slope, nx_, at, failure);
  }
  /// With w eliminated, where the derivatives of f and r are known.
  bool jacobian_batch(const IteratePoints& at, const double* slope, const double* w,
                      const VecX& weight, double* J, std::string& failure) override {
    if (knows_jacobian_)
      return eliminate(evaluated(index_one_jacobian, at, at.x, w), at, J, failure);
    return differences_.columns(
        at, nx_, slope, weight,
        [&](const IteratePoints& moved, double* F) {
          left_.assign(w, w + static_cast<std::ptrdiff_t>(nw_) * at.stride);
          const bool known = evaluate_batch(moved, F, left_.data(), nullptr, failure);
          return known ? RowsOfValues{F, moved.stride} : RowsOfValues{};
        },
        J, failure);
  }
  std::string failure() const override { return failure_; }
  std::unique_ptr<IterateSystem> clone() const override {
    return std::make_unique<ImplicitSystem>(problem_);
  }

 private:
  /// Matrices of all points: entry (i, j) at point p is at [(i + j rows) * stride + p].
  struct Matrices {
    const double* from;
    int stride, rows;
    double operator()(int i, int j, int p) const {
      return from[static_cast<std::ptrdiff_t>(i + j * rows) * stride + p];
    }
  };

  const Terms& evaluated(Ask what, const IteratePoints& at, const double* x, const double* w) {
    return evaluation_->evaluate(what, Points{at.count, at.stride, at.t, x, nullptr, w});
  }
  static void copy(const double* from, int stride, int rows, const IteratePoints& at, double* to) {
    for (int i = 0; i < rows; ++i) {
      std::copy_n(from + static_cast<std::ptrdiff_t>(i) * stride, at.count,
                  to + static_cast<std::ptrdiff_t>(i) * at.stride);
    }
  }

  bool solve(const IteratePoints& at, double* w, std::string& failure) {
    begin_.assign(w, w + static_cast<std::ptrdiff_t>(nw_) * at.stride);
    std::string why;
    if (solve_with_all_steps(at, w, why)) return true;
    // Far from roots few steps may be taken as they are.
    std::copy(begin_.begin(), begin_.end(), w);
    const auto terms_at = [&](const double* there) -> const Terms& {
      return evaluated(Ask::r | Ask::r_w, at, at.x, there);
    };
    if (damped_.find(at.count, at.stride, terms_at, w) < 0) return true;
    failure = std::move(why);
    return false;
  }

  /// Newton's method at all points, until none is left. Where no step was large, dr/dw is that of
  /// the step before.
  bool solve_with_all_steps(const IteratePoints& at, double* w, std::string& failure) {
    constexpr int most = 30;
    constexpr double small = 1e-4;
    const auto count = static_cast<std::size_t>(at.count);
    size_.assign(count, INFINITY);
    open_.assign(count, 1);
    inverses_.resize(count * static_cast<std::size_t>(nw_ * nw_));
    bool fresh = true;
    for (int i = 0; i < most; ++i) {
      const Terms& terms = evaluated(fresh ? Ask::r | Ask::r_w : Ask::r, at, at.x, w);
      for (int p = 0; p < at.count && fresh; ++p) {
        if (open_[static_cast<std::size_t>(p)] == 0) continue;
        if (!take_inverse({terms.r_w, terms.stride, nw_}, p)) {
          return refuse("dr/dw is singular", at.t[p], failure);
        }
      }
      const Stepped stepped = nw_ == 1 ? step_of_one(terms, at, w) : step_of_many(terms, at, w);
      if (stepped.lost >= 0) {
        return refuse("r is not finite, or dr/dw is singular", at.t[stepped.lost], failure);
      }
      if (stepped.done) return true;
      fresh = !(stepped.largest <= small);
    }
    const auto left = std::find(open_.begin(), open_.end(), 1) - open_.begin();
    return refuse("Newton's method finds no w with r(x, w, t) = 0", at.t[left], failure);
  }

  bool take_inverse(const Matrices& r_w, int p) {
    double* const inverse = inverses_.data() + static_cast<std::ptrdiff_t>(p) * nw_ * nw_;
    if (nw_ == 1) {
      inverse[0] = 1 / r_w(0, 0, p);
      return std::isfinite(r_w(0, 0, p)) && r_w(0, 0, p) != 0;
    }
    for (int j = 0; j < nw_; ++j) {
      for (int i = 0; i < nw_; ++i) r_w_(i, j) = r_w(i, j, p);
    }
    if (!factor_.factorize(r_w_)) return false;
    for (int j = 0; j < nw_; ++j) {
      step_.setZero();
      step_[j] = 1;
      factor_.solve(step_);
      std::copy_n(step_.data(), nw_, inverse + static_cast<std::ptrdiff_t>(j) * nw_);
    }
    return true;
  }

  struct Stepped {
    double largest = 0;  ///< In units of 1 + |w|.
    bool done = true;    ///< No point is open.
    int lost = -1;       ///< A point at which a step is not finite.
  };

  /// Whether a point stays open after a step as large as that.
  static bool stays_open(double size, double before) {
    return !(size <= 1e-14 || (size <= 1e-10 && size >= 0.5 * before));
  }

  /// w less (dr/dw)^-1 r at the points that are open, of one w.
  Stepped step_of_one(const Terms& terms, const IteratePoints& at, double* w) {
    double *const size = size_.data(), *const open = open_.data();
    double not_finite = 0, left = 0, largest = 0;
    for (int p = 0; p < at.count; ++p) {
      const double by = open[p] != 0 ? inverses_[static_cast<std::size_t>(p)] * terms.r[p] : 0;
      w[p] -= by;
      not_finite += by * 0;
      const double here = std::abs(by) / (1 + std::abs(w[p]));
      open[p] = stays_open(here, size[p]) ? open[p] : 0;
      left += open[p];
      largest = std::max(largest, here);
      size[p] = here;
    }
    Stepped stepped{largest, left == 0};
    for (int p = 0; p < at.count && not_finite != 0; ++p) {
      if (!std::isfinite(w[p]) && stepped.lost < 0) stepped.lost = p;
    }
    return stepped;
  }
  Stepped step_of_many(const Terms& terms, const IteratePoints& at, double* w) {
    Stepped stepped;
    for (int p = 0; p < at.count; ++p) {
      const auto which = static_cast<std::size_t>(p);
      if (open_[which] == 0) continue;
      const double* const inverse = inverses_.data() + static_cast<std::ptrdiff_t>(p) * nw_ * nw_;
      step_.setZero();
      for (int j = 0; j < nw_; ++j) {
        const double r = terms.r[static_cast<std::ptrdiff_t>(j) * terms.stride + p];
        for (int i = 0; i < nw_; ++i) step_[i] += inverse[j * nw_ + i] * r;
      }
      if (!step_.allFinite()) {
        stepped.lost = p;
        return stepped;
      }
      double largest = 0;
      for (int j = 0; j < nw_; ++j) {
        double& entry = w[static_cast<std::ptrdiff_t>(j) * at.stride + p];
        entry -= step_[j];
        largest = std::max(largest, std::abs(entry));
      }
      const double size = step_.cwiseAbs().maxCoeff() / (1 + largest);
      if (!stays_open(size, size_[which])) open_[which] = 0;
      size_[which] = size;
      stepped.done = stepped.done && open_[which] == 0;
      stepped.largest = std::max(stepped.largest, size);
    }
    return stepped;
  }

  /// f_x - f_w r_w^-1 r_x at all points.
  bool eliminate(const Terms& terms, const IteratePoints& at, double* J, std::string& failure) {
    const Matrices f_x{terms.f_q, terms.stride, nx_}, f_w{terms.f_w, terms.stride, nx_};
    const Matrices r_x{terms.r_q, terms.stride, nw_}, r_w{terms.r_w, terms.stride, nw_};
    const auto entry = [&](int i, int j, int p) -> double& {
      return J[static_cast<std::ptrdiff_t>(i + j * nx_) * at.stride + p];
    };
    for (int p = 0; p < at.count; ++p) {
      double sum = 0;
      if (nw_ == 1) {
        const double inverse = 1 / r_w(0, 0, p);
        for (int j = 0; j < nx_; ++j) {
          const double by_w = inverse * r_x(0, j, p);
          for (int i = 0; i < nx_; ++i) {
            entry(i, j, p) = f_x(i, j, p) - f_w(i, 0, p) * by_w;
            sum += entry(i, j, p);
          }
        }
      } else {
        for (int j = 0; j < nx_; ++j) {
          for (int i = 0; i < nx_; ++i) all_(i, j) = f_x(i, j, p);
          for (int i = 0; i < nw_; ++i) all_(nx_ + i, j) = r_x(i, j, p);
        }
        for (int j = 0; j < nw_; ++j) {
          for (int i = 0; i < nx_; ++i) all_(i, nx_ + j) = f_w(i, j, p);
          for (int i = 0; i < nw_; ++i) all_(nx_ + i, nx_ + j) = r_w(i, j, p);
        }
        if (!elimination_.eliminate(all_, nx_, J_)) sum = INFINITY;
        for (int j = 0; j < nx_; ++j) {
          for (int i = 0; i < nx_; ++i) entry(i, j, p) = J_(i, j);
        }
      }
      if (!std::isfinite(sum)) {
        return refuse("the derivatives of f and r are not finite, or dr/dw is singular", at.t[p],
                      failure);
      }
    }
    return true;
  }

  static bool refuse(const char* why, double t, std::string& failure) {
    failure = failed_at_text(why, t);
    return false;
  }

  const DaeProblem& problem_;
  bool knows_jacobian_;
  std::unique_ptr<Evaluation> evaluation_;
  Sizes sizes_;
  int nx_, nw_;
  SmallLu factor_;
  MatX r_w_;
  VecX step_;
  std::vector<double> size_;      ///< Of the last step, by point.
  std::vector<double> open_;      ///< 1 where w is not found yet, else 0.
  std::vector<double> inverses_;  ///< Of dr/dw, by point.
  std::vector<double> begin_;     ///< w from which Newton's method starts.
  DampedAlgebraic damped_;
  BatchDifferences differences_;
  std::vector<double> left_;
  MatX all_, J_;
  AlgebraicElimination elimination_;
  std::string failure_;
};

}  // namespace

std::unique_ptr<IterateSystem> implicit_system(const DaeProblem& problem) {
  return std::make_unique<ImplicitSystem>(problem);
}

}  // namespace daewave::bvp
