#pragma once
// Sequential regularization of x' = f(x, t) - B(x, t) y, 0 = g(x, t) in lanes: the forms of
// core/regularize/regularize_index2.hpp.                                              [AL2]
// sections 2, 3

#include "core/lanes/lane_elimination.hpp"
#include "core/regularize/lanes_of_problem.hpp"
#include "core/regularize/regularization.hpp"

namespace daewave {

namespace detail {

/// What the two have in common. A copy has the problem and the form of the original, and a memory
/// of its own. Lanes in which a matrix is singular are named by lost(), and are
/// somebody else's.
/// @tparam P  LaneIndexTwo.
template <class P>
class LaneFirstOrderForm {
 public:
  using State = typename P::State;
  using Multiplier = typename P::Multiplier;
  using Time = typename P::Time;
  using Mask = typename Time::Mask;

  const LaneFirstOrderForm& point() const { return *this; }
  const Mask& lost() const { return lost_; }
  /// Largest |g| at the states last evaluated; an index 2 constraint has no velocity.
  void largest_residuals(Time& position, Time& velocity) const {
    position = abs(at_.position[0]);
    for (int i = 1; i < ny(); ++i) position = larger(position, abs(at_.position[i]));
    velocity = Time(0);
  }

 protected:
  LaneFirstOrderForm(const P& problem, const Regularization& form)
      : problem_(&problem), form_(form), rate_(1 / form.epsilon) {
    check_index_2(form);
  }

  void begin(const State& x, const Time& t) {
    problem_->terms(x, t, at_);
    lost_ = Time(0) < Time(0);
  }

  [[gnu::always_inline]] int nx() const { return problem_->nx(); }
  [[gnu::always_inline]] int ny() const { return problem_->ny(); }

  const P* problem_;
  Regularization form_;
  double rate_;  ///< 1 / epsilon.
  SemiExplicitTerms<P> at_;
  Mask lost_;
};

}  // namespace detail

/// Carries y, [AL2] (2.4)-(2.5) and (2.12), as RegularizedIndex2.
template <class P>
class LaneIndex2 : public detail::LaneFirstOrderForm<P> {
  using Base = detail::LaneFirstOrderForm<P>;
  using Base::form_, Base::rate_, Base::at_, Base::lost_;

 public:
  using typename Base::Multiplier, typename Base::State, typename Base::Time;
  using Carried = Multiplier;

  LaneIndex2(const P& problem, const Regularization& form)
      : Base(problem, form), elimination_(problem.ny(), problem.ny()) {
    GB_.resize(problem.ny(), problem.ny());
  }
  LaneIndex2(const LaneIndex2& other) : LaneIndex2(*other.problem_, other.form_) {}

  bool evaluate(const State& x, const Time& t, const Carried& before, State& slope, Carried& y) {
    const int nx = this->nx(), ny = this->ny();
    this->begin(x, t);
    y.resize(ny);
    slope.resize(nx);
    if (form_.weight != Weight::identity || form_.alpha1 != 0) form_GB();
    Multiplier residual;
    residual.resize(ny);
    for (int i = 0; i < ny; ++i) residual[i] = form_.alpha2 * at_.position[i];
    if (form_.alpha1 != 0) {
      for (int i = 0; i < ny; ++i) {
        Time rate = at_.g_t[i];
        for (int j = 0; j < nx; ++j) rate += at_.G(i, j) * at_.f[j];
        residual[i] += form_.alpha1 * rate;
      }
    }
    weigh(residual);
    if (form_.alpha1 == 0) {
      for (int i = 0; i < ny; ++i) y[i] = before[i] + rate_ * residual[i];
    } else {
      for (int i = 0; i < ny; ++i) residual[i] += form_.epsilon * before[i];
      solve_differentiated(residual, y);
    }
    for (int j = 0; j < nx; ++j) {
      slope[j] = at_.f[j];
      for (int i = 0; i < ny; ++i) slope[j] -= at_.B(j, i) * y[i];
    }
    return true;
  }

 private:
  static constexpr int most_ny_ = LaneSize<P::fixed_ny>::most;
  using Square = Eigen::Matrix<Time, P::fixed_ny, P::fixed_ny, Eigen::ColMajor, most_ny_, most_ny_>;

  void form_GB() {
    const int nx = this->nx(), ny = this->ny();
    for (int i = 0; i < ny; ++i) {
      for (int k = 0; k < ny; ++k) {
        GB_(i, k) = at_.G(i, 0) * at_.B(0, k);
        for (int j = 1; j < nx; ++j) GB_(i, k) += at_.G(i, j) * at_.B(j, k);
      }
    }
  }

  void solve(const Square& A, const Multiplier& b, Multiplier& y) {
    lost_ = lost_ | elimination_.eliminate(A, 0);
    elimination_.particular(b, y);
  }

  void weigh(Multiplier& residual) {
    if (form_.weight == Weight::identity) return;
    const int ny = this->ny();
    const Multiplier given = residual;
    if (form_.weight == Weight::inverse) return solve(GB_, given, residual);
    for (int i = 0; i < ny; ++i) {
      residual[i] = GB_(0, i) * given[0];
      for (int k = 1; k < ny; ++k) residual[i] += GB_(k, i) * given[k];
    }
  }

  void solve_differentiated(const Multiplier& residual, Multiplier& y) {
    const int ny = this->ny();
    if (form_.weight == Weight::inverse) {
      for (int i = 0; i < ny; ++i) y[i] = residual[i] / (form_.epsilon + form_.alpha1);
      return;
    }
    Square system = GB_;
    if (form_.weight == Weight::transpose) {
      for (int i = 0; i < ny; ++i) {
        for (int j = 0; j < ny; ++j) {
          system(i, j) = GB_(0, i) * GB_(0, j);
          for (int k = 1; k < ny; ++k) system(i, j) += GB_(k, i) * GB_(k, j);
        }
      }
    }
    for (int i = 0; i < ny; ++i) {
      for (int j = 0; j < ny; ++j) system(i, j) *= Time(form_.alpha1);
      system(i, i) += Time(form_.epsilon);
    }
    solve(system, residual, y);
  }

  Square GB_;
  LaneElimination<Time, P::fixed_ny, P::fixed_ny> elimination_;
};

/// Carries B y for constraints that become singular, [AL2] (3.2) and [AL1] (3.16), as
/// RegularizedSingular2. With Z and N that span the null spaces of G and B^T,
///
///   B (GB)^-1 G u = u - Z w,   N^T Z w = N^T u,
///
/// in which no smallness of G or B is squared.
template <class P>
class LaneSingular2 : public detail::LaneFirstOrderForm<P> {
  using Base = detail::LaneFirstOrderForm<P>;
  using Base::form_, Base::rate_, Base::at_, Base::lost_;

 public:
  using typename Base::State, typename Base::Time;
  using Carried = State;

  LaneSingular2(const P& problem, const Regularization& form)
      : Base(problem, form),
        of_G_(problem.ny(), problem.nx()),
        of_B_(problem.ny(), problem.nx()),
        angle_(problem.nx() - problem.ny(), problem.nx() - problem.ny()) {
    for (int i = 0; i < most_free_; ++i) {
      Z_[i].resize(problem.nx());
      N_[i].resize(problem.nx());
    }
  }
  LaneSingular2(const LaneSingular2& other) : LaneSingular2(*other.problem_, other.form_) {}

  bool evaluate(const State& x, const Time& t, const Carried& before, State& slope, Carried& By) {
    const int nx = this->nx();
    this->begin(x, t);
    split();
    slope.resize(nx);
    State step;
    step.resize(nx);
    of_G_.particular(at_.position, step);
    remove_free_part(step);
    By = before;
    if (form_.variant == Variant::singular) remove_free_part(By);
    for (int j = 0; j < nx; ++j) {
      By[j] += form_.alpha2 * rate_ * step[j];
      slope[j] = at_.f[j] - By[j];
    }
    return true;
  }

 private:
  static constexpr int free_ = lane_difference(P::fixed_nx, P::fixed_ny);
  static constexpr int most_free_ = LaneSize<free_>::most > 0 ? LaneSize<free_>::most : 1;

  void split() {
    lost_ = of_G_.eliminate(at_.G, form_.rank_tolerance) |
            of_B_.eliminate(at_.B.transpose(), form_.rank_tolerance);
    const int free = this->nx() - this->ny();
    if (free == 0) return;
    Eigen::Matrix<Time, free_, free_, Eigen::ColMajor, most_free_, most_free_> angle;
    angle.resize(free, free);
    for (int j = 0; j < free; ++j) {
      of_G_.null_space(j, Z_[j]);
      of_B_.null_space(j, N_[j]);
    }
    for (int i = 0; i < free; ++i) {
      for (int j = 0; j < free; ++j) angle(i, j) = product(N_[i], Z_[j]);
    }
    lost_ = lost_ | angle_.eliminate(angle, 0);
  }

  Time product(const State& a, const State& b) const {
    Time sum = a[0] * b[0];
    for (int i = 1; i < this->nx(); ++i) sum += a[i] * b[i];
    return sum;
  }

  /// u -= Z (N^T Z)^-1 N^T u.
  void remove_free_part(State& u) const {
    const int nx = this->nx(), free = nx - this->ny();
    if (free == 0) return;
    Time b[most_free_], w[most_free_];
    for (int j = 0; j < free; ++j) b[j] = product(N_[j], u);
    angle_.particular(b, w);
    for (int j = 0; j < free; ++j) {
      for (int i = 0; i < nx; ++i) u[i] -= w[j] * Z_[j][i];
    }
  }

  LaneElimination<Time, P::fixed_ny, P::fixed_nx> of_G_, of_B_;
  LaneElimination<Time, free_ == 0 ? 1 : free_, free_ == 0 ? 1 : free_> angle_;
  State Z_[most_free_], N_[most_free_];
};

}  // namespace daewave
