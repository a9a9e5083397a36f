#include "models/event/impact.hpp"

#include "core/eigen_memory.hpp"

#include <Eigen/Cholesky>
#include <memory>
#include <vector>

#include "core/error.hpp"
#include "core/start/problem_start.hpp"
#include "models/expression/derivative.hpp"
#include "models/problem/state_functions.hpp"

namespace daewave::models {
namespace {

class Impact {
 public:
  Impact(DaeProblemPtr problem, Graph& graph, Ref distance, const Variables& variables,
         double restitution)
      : problem_(std::move(problem)),
        gradient_(graph, rates_of(graph, distance, variables), variables),
        restitution_(restitution) {}

  VecX after(double t, const VecX& state) const {
    const VecX rates = gradient_(t, state);
    const int nq = problem_->sizes().nq;
    const VecX along = rates.head(nq), v = state.tail(nq);
    const double closing = along.dot(v) + rates[nq];
    // As fast as the motion, so that rounding of its velocity is that of what is added.
    VecX push = over_mass(along, t, state);
    const double size = push.lpNorm<Eigen::Infinity>();
    if (!(size > 0)) throw InvalidProblem("an impact where the distance has no gradient");
    push *= std::max(1e-3, v.lpNorm<Eigen::Infinity>()) / size;
    // The joints take their part of it, which is linear in the push.
    const VecX moved = consistent_velocity(t, state, v + push) - consistent_velocity(t, state, v);
    const double opening = along.dot(moved);
    if (!(opening > 1e-12 * along.cwiseAbs().dot(push.cwiseAbs()))) {
      throw InvalidProblem(
          "an impact that the joints do not yield to: nothing moves along the distance");
    }
    VecX out = state;
    out.tail(nq) -= (1 + restitution_) * closing / opening * moved;
    return out;
  }

 private:
  /// By each coordinate, and by t.
  static std::vector<Ref> rates_of(Graph& graph, Ref distance, const Variables& variables) {
    std::vector<Ref> rates;
    for (int i = 0; i < variables.nq; ++i) {
      rates.push_back(partial_derivative(graph, distance, variables.q(i)));
    }
    rates.push_back(partial_derivative(graph, distance, Variables::t));
    return rates;
  }

  VecX over_mass(const VecX& along, double t, const VecX& state) const {
    const int nq = problem_->sizes().nq;
    const auto evaluation = problem_->evaluation();
    const Points at{1, 1, &t, state.data(), state.data() + nq, nullptr};
    const double* const M = evaluation->evaluate(Ask::M, at).M;
    if (problem_->structure().mass == Structure::Mass::diagonal) {
      return along.cwiseQuotient(Eigen::Map<const VecX>(M, nq));
    }
    return Eigen::Map<const MatX>(M, nq, nq).llt().solve(along);
  }

  VecX consistent_velocity(double t, const VecX& state, const VecX& v) const {
    VecX z = state;
    z.tail(v.size()) = v;
    const double size = std::max(1.0, z.lpNorm<Eigen::Infinity>());
    if (problem_->sizes().nl() > 0) {
      const StartRepair repair = repair_start(*problem_, z, t, 1e-6 * size);
      if (!repair.ok) throw InvalidProblem("an impact: " + repair.failure);
    }
    return z.tail(v.size());
  }

  DaeProblemPtr problem_;
  StateFunctions gradient_;
  double restitution_;
};

}  // namespace

std::function<VecX(double, const VecX&)> impact_change(const DaeProblemPtr& problem, Graph& graph,
                                                       Ref distance, const Variables& variables,
                                                       double restitution) {
  const auto impact =
      std::make_shared<const Impact>(problem, graph, distance, variables, restitution);
  return [impact](double t, const VecX& state) { return impact->after(t, state); };
}

}  // namespace daewave::models
