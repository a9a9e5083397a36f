#include "core/start/check_f_jacobian.hpp"

#include <algorithm>

#include "core/derivatives/differences.hpp"

namespace daewave {
namespace {

/// f or r at (q, v, w).
class StateFunctions {
 public:
  StateFunctions(const DaeProblem& problem, const VecX& state, double t)
      : sizes(problem.sizes()), evaluation_(problem.evaluation()), t_(t) {
    q = state.head(sizes.nq);
    v = problem.has_velocity() ? VecX(state.tail(sizes.nq)) : VecX();
    w = problem.start_algebraic().value_or(VecX::Zero(sizes.nw));
  }

  VecX value(Ask what) {
    const Terms& terms = at(what);
    return what == Ask::f ? copy(terms.f, sizes.nq, 1) : copy(terms.r, sizes.nw, 1);
  }
  /// What the problem says of the derivative of `of` by one of q, v and w.
  MatX given(Ask what, const double* Terms::*member, int rows, int columns) {
    return copy(at(what).*member, rows, columns);
  }
  MatX expected(Ask of, VecX& by) {
    MatX J(value(of).size(), by.size());
    for (int j = 0; j < by.size(); ++j) {
      const double kept = by[j];
      J.col(j) = detail::difference_at_0(
          [&](double s) {
            by[j] = kept + s;
            return value(of);
          },
          1, detail::longest_line(1, by.lpNorm<Eigen::Infinity>(), 1));
      by[j] = kept;
    }
    return J;
  }

  const Sizes sizes;
  VecX q, v, w;

 private:
  const Terms& at(Ask what) {
    return evaluation_->evaluate(what, Points{1, 1, &t_, q.data(), v.data(), w.data()});
  }
  static MatX copy(const double* from, int rows, int columns) {
    return Eigen::Map<const MatX>(from, rows, columns);
  }

  std::unique_ptr<Evaluation> evaluation_;
  double t_;
};

}  // namespace

void check_f_jacobian(const DaeProblem& problem, const VecX& state, double t,
                      DerivativeReport& report) {
  if (!problem.structure().has_f_jacobian) return;
  StateFunctions of(problem, state, t);
  const Sizes& n = of.sizes;
  const auto compare = [&](const char* name, Ask what, const double* Terms::*member, Ask function,
                           VecX& by) {
    const MatX expected = of.expected(function, by);
    const double largest = expected.size() > 0 ? expected.cwiseAbs().maxCoeff() : 0.0;
    report.compare(name,
                   of.given(what, member, static_cast<int>(expected.rows()),
                            static_cast<int>(expected.cols())),
                   expected, std::max(1e-4, 1e-3 * largest));
  };
  compare("df/dq", Ask::f_q, &Terms::f_q, Ask::f, of.q);
  if (problem.has_velocity()) compare("df/dv", Ask::f_v, &Terms::f_v, Ask::f, of.v);
  if (n.nw == 0) return;
  compare("df/dw", Ask::f_w, &Terms::f_w, Ask::f, of.w);
  compare("dr/dq", Ask::r_q, &Terms::r_q, Ask::r, of.q);
}

}  // namespace daewave
