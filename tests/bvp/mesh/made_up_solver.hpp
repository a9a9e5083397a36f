#pragma once
// A solver of meshes that interpolates a known function and can be told to misbehave.

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "bvp/mesh/refinement.hpp"
#include "tests/bvp/made_up_solution.hpp"

namespace daewave::bvp {

/// x' = f(t) on [0, 1], x and -f carried: solved exactly but for the polynomials between stages.
class MadeUpSolver final : public MeshSolver {
 public:
  std::function<double(double)> f = [](double t) { return std::cos(5 * t); };
  std::function<double(double)> x = [](double t) { return std::sin(5 * t) / 5; };
  double amplification = 0;   ///< Added to x at nodes: this many times the largest residual.
  double noise = 0;           ///< Added to x at nodes, in turns.
  int fails_from = 1 << 30;   ///< Intervals with which there is no solution,
  int nan_from = 1 << 30;     ///< and one that is not a number.
  int converges_from = 0;     ///< Intervals with which Newton's method converges.
  double of_more_stages = 0;  ///< Errors that more stages tell, times the square of steps;
  bool stiff = false;         ///< where they are asked.
  int times_of_more_stages = 0;
  std::function<double(int)> influence;  ///< Of conditions, by intervals; none: it is not known.
  double iterates = 0;                   ///< What they may still change.
  double rounding = 0;                   ///< Of what is carried, in units of its size.
  std::string failure;                   ///< Of a look at everything.
  bool misses = false, dangerous = false;
  bool unsettled = false;  ///< Iterates are used up, whatever the mesh.
  /// On meshes of fewer intervals iterates have not settled, and x is off by 1 / 100.
  int unsettled_below = 0;
  int samples = 200;
  std::vector<int> meshes;  ///< Intervals of all that were solved.
  std::vector<Mesh> seen;   ///< The same.

  Solution solve(const Mesh& mesh, const std::vector<double>&, const Solution*, MeshRole) override {
    meshes.push_back(mesh.intervals());
    seen.push_back(mesh);
    Report report;
    report.intervals = mesh.intervals();
    if (influence) {
      report.conditioning.available = true;
      report.conditioning.boundary = influence(mesh.intervals());
    }
    if (mesh.intervals() >= fails_from) {
      report.termination = Termination::singular_matrix;
      report.message = "no solution";
      return Solution(nullptr, report);
    }
    if (mesh.intervals() < converges_from) {
      report.termination = Termination::not_converged;
      report.message = "no convergence";
      return Solution(nullptr, report);
    }
    report.termination = Termination::converged;
    if (unsettled) {
      report.termination = Termination::iterates_exhausted;
      report.advice = "more iterates";
    }
    report.error.iterates = iterates;
    CollocationCurve curve = curve_on(mesh, 0);
    double off = amplification == 0 ? 0 : amplification * largest_residual(curve);
    if (mesh.intervals() >= nan_from) off = NAN;
    if (mesh.intervals() < unsettled_below) {
      report.termination = Termination::iterates_exhausted;
      off += meshes.size() % 2 == 0 ? 1e-2 : -1e-2;
    }
    curve = curve_on(mesh, off + (meshes.size() % 2 == 0 ? noise : -noise));
    return testing::made_up(std::move(curve), report);
  }

  Look look_at(const Solution& solution, LookFor wanted, int most) override {
    const CollocationCurve& curve = solution.values().curve();
    Look look;
    look.tolerance = tolerance;
    const Residual residual = [&](int i, const Places& at, ResidualValues& found) {
      found.values = curve.slopes_of(i) * at.values().transpose();
      found.sizes = found.values.cwiseAbs();
      for (Eigen::Index p = 0; p < found.values.cols(); ++p) {
        found.values(0, p) -= f(at.t[static_cast<std::size_t>(p)]);
      }
      // What is carried is off by as much.
      found.values = found.values.replicate(2, 1).eval();
      found.sizes = found.sizes.replicate(2, 1).eval();
    };
    ResidualLimits limits;
    limits.smooth = 2;
    limits.integral = VecX{{limit_of_integral * tolerance, INFINITY}};
    limits.value = VecX{{INFINITY, limit_of_value * tolerance}};
    look.seen = unresolved(curve.mesh(), curve.scheme(), curve.polynomials(), residual, limits,
                           wanted == LookFor::jumps ? 1 : samples, most, wanted);
    look.is_stiff = stiff;
    if (wanted == LookFor::everything) look.failure = failure;
    return look;
  }

  ByMoreStages by_more_stages(const Solution& solution) override {
    const double step = solution.mesh().largest_step();
    ++times_of_more_stages;
    return {.error = of_more_stages * step * step};
  }

  double rounding_of_carried(const Solution&, double&) const override { return rounding; }

  bool misses_constraint(Solution& solution, double) override {
    if (misses) solution.report.termination = Termination::iterates_exhausted;
    return misses;
  }
  std::string danger(const Mesh&) const override { return dangerous ? "danger" : ""; }
  std::string spent(const Solution&) const override { return "little"; }

  double tolerance = 1e-8;

 private:
  CollocationCurve curve_on(const Mesh& mesh, double off) const {
    const Collocation scheme = collocation(Scheme::gauss, 4);
    CollocationValues values;
    values.x.resize(1, mesh.intervals() + 1);
    values.slopes.resize(1, 4 * mesh.intervals());
    for (int i = 0; i <= mesh.intervals(); ++i) values.x(0, i) = x(mesh.node(i)) + off;
    for (int i = 0; i < mesh.intervals(); ++i) {
      for (int j = 0; j < 4; ++j) {
        values.slopes(0, 4 * i + j) = f(mesh.node(i) + scheme.c[j] * mesh.step(i));
      }
    }
    values.carried = -values.slopes;
    return {mesh, scheme, values};
  }
  double largest_residual(const CollocationCurve& curve) const {
    double most = 0;
    for (int i = 0; i < curve.mesh().intervals(); ++i) {
      const double t = curve.mesh().node(i);
      most = std::max(most, std::abs(curve.slope_in(i, 0)[0] - f(t)) * curve.mesh().step(i));
    }
    return most;
  }
};

}  // namespace daewave::bvp
