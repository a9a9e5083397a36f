#include "ivp/trains/train_terms.hpp"

#include <algorithm>

namespace daewave::ivp {
namespace {

/// Slopes are taken at that node.
constexpr int node_of_slopes = 3;

}  // namespace

TrainTerms::TrainTerms(const DaeProblem& problem)
    : problem_(problem),
      of_f_(problem.evaluation()),
      of_terms_(problem.evaluation()),
      of_residuals_(problem.evaluation()),
      nq_(problem.sizes().nq) {}

void TrainTerms::place(int p, double t, const double* q, const double* v, int step) {
  t_[p] = t;
  for (int i = 0; i < nq_; ++i) {
    q_[i * stride_ + p] = q[i * step];
    v_[i * stride_ + p] = v[i * step];
  }
}

Points TrainTerms::points(int count) const {
  return {count, stride_, t_.data(), q_.data(), v_.data(), nullptr};
}

// Points: nodes, ends, then slopes of each window. What slopes need of f alone lies behind, and
// those that all terms need first.

/// @param with_slopes  nodes, ends and points of slopes of all terms; all: those of f alone too.
void TrainTerms::evaluate(int nodes_and_ends, int first_end, int ends, int with_slopes, int all) {
  f_ = &of_f_->evaluate(Ask::f, points(all));
  const bool constant = problem_.structure().mass_constant;
  const Ask what = Ask::G | Ask::curvature;
  asked_ = constant && mass_.width > 0 ? what : what | Ask::M;
  terms_ = &of_terms_->evaluate(asked_, points(with_slopes));
  residuals_ = nullptr;
  if (ends > 0) {
    Points at = points(ends);
    at.t += first_end;
    at.q += first_end;
    at.v += first_end;
    residuals_ = &of_residuals_->evaluate(Ask::g | Ask::g_t, at);
  }
  evaluations_ += nodes_and_ends;
}

void TrainTerms::at(double t, const VecX& z, KnownTerms& here, TermSlopes& slopes) {
  const int of_terms = TermSlopes::points(nq_), of_f = TermSlopes::points_of_f(nq_);
  stride_ = 1 + of_f;
  t_.resize(static_cast<std::size_t>(stride_));
  q_.resize(static_cast<std::size_t>(stride_ * nq_));
  v_.resize(q_.size());
  place(0, t, z.data(), z.data() + nq_, 1);
  TermSlopes::place(z.data(), z.data() + nq_, t, nq_, stride_, t_.data() + 1, q_.data() + 1,
                    v_.data() + 1);
  evaluate(1, 0, 1, 1 + of_terms, 1 + of_f);
  here = KnownTerms(problem_.sizes(), problem_.structure().mass, 1);
  here.take(asked_, *terms_, points(1), 0);
  here.take(Ask::f, *f_, points(1), 0);
  here.take(Ask::g | Ask::g_t, *residuals_, points(1), 0);
  if (problem_.structure().mass_constant && mass_.width == 0) mass_ = here;
  if (problem_.structure().mass_constant) here.M = mass_.M;
  Terms sloped = *terms_;
  if (problem_.structure().mass_constant) sloped.M = nullptr;
  slopes = TermSlopes(here, *f_, 1, sloped, 1, 1 + of_terms);
  evaluations_ += of_f;
}

void TrainTerms::of(const std::vector<Flight*>& windows, bool ends,
                    const std::vector<bool>& sloped) {
  const int count = static_cast<int>(windows.size());
  const int slopes = static_cast<int>(std::count(sloped.begin(), sloped.end(), true));
  const int of_terms = TermSlopes::points(nq_), of_f = TermSlopes::points_of_f(nq_);
  const int first_end = count * nodes, known = first_end + (ends ? count : 0);
  const int with_slopes = known + slopes * of_terms, all = with_slopes + slopes * (of_f - of_terms);
  stride_ = all;
  t_.resize(static_cast<std::size_t>(all));
  q_.resize(static_cast<std::size_t>(all * nq_));
  v_.resize(q_.size());
  const WindowFormula& formula = window_formula();
  for (int w = 0; w < count; ++w) {
    const Flight& one = *windows[w];
    const double* const z = one.motion.begin.data();
    for (int p = 0; p < nodes; ++p) {
      const int at = w * nodes + p;
      t_[at] = one.t + formula.c[p] * one.h;
      for (int i = 0; i < nq_; ++i) {
        const double* const a = one.a.data() + i * nodes;
        double once = 0, twice = 0;
        for (int j = 0; j < nodes; ++j) {
          once += formula.once[j][p] * a[j];
          twice += formula.twice[j][p] * a[j];
        }
        q_[i * stride_ + at] = z[i] + formula.c[p] * (one.h * z[nq_ + i]) + one.h * one.h * twice;
        v_[i * stride_ + at] = z[nq_ + i] + one.h * once;
      }
    }
    if (ends) place(first_end + w, one.t + one.h, one.end.data(), one.end.data() + nq_, 1);
  }
  // Points of slopes are made side by side, and then split into those of all terms and those of f.
  std::vector<double> t(static_cast<std::size_t>(of_f));
  std::vector<double> q(static_cast<std::size_t>(of_f * nq_)), v = q, q0(nq_), v0(nq_);
  for (int w = 0, s = 0; w < count; ++w) {
    if (!sloped[w]) continue;
    const int at = w * nodes + node_of_slopes;
    for (int i = 0; i < nq_; ++i) {
      q0[i] = q_[i * stride_ + at];
      v0[i] = v_[i * stride_ + at];
    }
    TermSlopes::place(q0.data(), v0.data(), t_[at], nq_, of_f, t.data(), q.data(), v.data());
    for (int p = 0; p < of_f; ++p) {
      const int to = p < of_terms ? known + s * of_terms + p
                                  : with_slopes + s * (of_f - of_terms) + p - of_terms;
      place(to, t[p], q.data() + p, v.data() + p, of_f);
    }
    ++s;
  }
  evaluate(known, first_end, ends ? count : 0, with_slopes, all);
  evaluations_ += slopes * of_f;

  const bool constant = problem_.structure().mass_constant;
  Terms sloped_terms = *terms_;
  if (constant) sloped_terms.M = nullptr;
  for (int w = 0, s = 0; w < count; ++w) {
    Flight& one = *windows[w];
    if (one.nodes.width == 0) {
      one.nodes = KnownTerms(problem_.sizes(), problem_.structure().mass, nodes);
      one.at_end = KnownTerms(problem_.sizes(), problem_.structure().mass, 1);
      if (constant) {
        one.nodes.M = mass_.spread(0, nodes).M;
        one.at_end.M = mass_.M;
      }
    }
    const Points here = points(all);
    one.nodes.take(asked_, *terms_, here, w * nodes);
    one.nodes.take(Ask::f, *f_, here, w * nodes);
    if (ends) {
      one.at_end.take(asked_, *terms_, here, first_end + w);
      one.at_end.take(Ask::f, *f_, here, first_end + w);
      Points at_ends = here;
      at_ends.t += first_end;
      at_ends.q += first_end;
      at_ends.v += first_end;
      one.at_end.take(Ask::g | Ask::g_t, *residuals_, at_ends, w);
    }
    one.known = true;
    if (!sloped[w]) continue;
    KnownTerms center(problem_.sizes(), problem_.structure().mass, 1);
    center.copy_point(0, one.nodes, node_of_slopes);
    // Of f the points lie in two places.
    TermSlopes found(center, *f_, known + s * of_terms, sloped_terms, known + s * of_terms,
                     with_slopes + s * (of_f - of_terms));
    if (found.finite()) one.slopes = std::make_shared<const TermSlopes>(std::move(found));
    ++one.slopes_taken;
    ++s;
  }
}

}  // namespace daewave::ivp
