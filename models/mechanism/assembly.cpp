#include "models/mechanism/assembly.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/start/problem_start.hpp"
#include "core/start/redundant_rows.hpp"

namespace daewave::models {
namespace {

/// More rows are not searched for those that depend on others: time grows like their square times
/// the coordinates.
constexpr int most_rows_searched = 2000;

/// |g|, |G v + g_t| and |w| of each row.
VecX residuals(const DaeProblem& problem, const VecX& state, double t) {
  const Sizes& n = problem.sizes();
  const auto evaluation = problem.evaluation();
  const Points at{1, 1, &t, state.data(), state.data() + n.nq, nullptr};
  const Terms& terms = evaluation->evaluate(Ask::g | Ask::G | Ask::g_t, at);
  const Eigen::Map<const VecX> g(terms.g, n.nl()), g_t(terms.g_t, n.nl());
  const Eigen::Map<const MatX> G(terms.G, n.nl(), n.nq);
  return g.cwiseAbs().cwiseMax((G * state.tail(n.nq) + g_t).cwiseAbs());
}

/// The rows of constraints that a state is farthest from, by the joint.
std::string worst_joint(const std::vector<JointRows>& joints, const DaeProblem& problem,
                        const VecX& state, double t) {
  const auto evaluation = problem.evaluation();
  const Points at{1, 1, &t, state.data(), state.data() + problem.sizes().nq, nullptr};
  const Terms& terms = evaluation->evaluate(Ask::g, at);
  std::string worst;
  double largest = 0;
  for (const JointRows& joint : joints) {
    for (int row = joint.first; row < joint.first + joint.count; ++row) {
      if (!(std::abs(terms.g[row]) > largest)) continue;
      largest = std::abs(terms.g[row]);
      worst = fmt::format("{}, by {:.2g}", joint.name, largest);
    }
  }
  return worst;
}

class Assembling {
 public:
  Assembling(const std::function<MechanismEquations()>& equations, const TextSource& source)
      : equations_(equations), source_(source) {}

  Assembly all() {
    MechanismEquations built = equations_();
    t_ = built.equations.interval ? built.equations.interval->begin : 0;
    const VecX guess = built.guess;
    out_.joints = built.joints;
    out_.start = guess;
    out_.problem = problem(std::move(built.equations));
    if (out_.problem->sizes().nl() == 0) return std::move(out_);
    const StartRepair repair = repaired();
    if (repair.consistency.singular()) {
      leave_out_redundant(repair);
    } else if (!repair.ok) {
      refuse(repair);
    }
    out_.start_moved = (out_.start - guess).lpNorm<Eigen::Infinity>();
    return std::move(out_);
  }

 private:
  DaeProblemPtr problem(Equations equations) const {
    try {
      return problem_of(std::move(equations));
    } catch (const ModelError&) {
      throw;
    } catch (const InvalidProblem& error) {
      source_.fail({}, error.what());
    }
  }

  StartRepair repaired() {
    return repair_start(*out_.problem, out_.start, t_,
                        assembly_tolerance(*out_.problem, out_.start));
  }

  [[noreturn]] void refuse(const StartRepair& repair) const {
    const std::string joint = worst_joint(out_.joints, *out_.problem, out_.start, t_);
    source_.fail({}, fmt::format("the bodies cannot be assembled from where they are stated: {}{}; "
                                 "state position and angle of each body nearer to it",
                                 repair.failure, joint.empty() ? "" : "; worst is joint " + joint));
  }

  /// Methods take regular constraints, in whatever structure they are found to have.
  void leave_out_redundant(const StartRepair& repair) {
    StartRepair dense_repair = repair;
    if (out_.problem->structure().constraints != Structure::Constraints::dense) {
      if (out_.problem->sizes().nl() > most_rows_searched) return finish(repair);
      // What has a structure is solved by methods that take no dependent rows.
      Equations dense = equations_().equations;
      dense.seek_structure = false;
      out_.problem = problem(std::move(dense));
      dense_repair = repaired();
    }
    if (!dense_repair.ok) return finish(dense_repair);
    if (out_.problem->sizes().nl() > most_rows_searched) return;
    const RedundantRows found = redundant_rows(*out_.problem, out_.start, t_);
    if (found.everywhere.empty()) return;
    MechanismEquations kept = without(found.everywhere);
    const std::vector<JointRows> joints = std::move(kept.joints);
    const DaeProblemPtr regular = problem(std::move(kept.equations));
    if (!holds(*regular, found.everywhere)) return;
    out_.problem = regular;
    out_.joints = joints;
  }

  void finish(const StartRepair& repair) const {
    if (!repair.ok) refuse(repair);
  }

  MechanismEquations without(const std::vector<int>& rows) const {
    MechanismEquations built = equations_();
    Equations& e = built.equations;
    const auto g_rows = static_cast<int>(e.g.size());
    for (std::size_t k = rows.size(); k-- > 0;) {
      const int row = rows[k];
      std::vector<Ref>& of = row < g_rows ? e.g : e.w;
      of.erase(of.begin() + (row < g_rows ? row : row - g_rows));
      for (JointRows& joint : built.joints) {
        if (row < joint.first) {
          --joint.first;
        } else if (row < joint.first + joint.count) {
          --joint.count;
          ++joint.redundant;
        }
      }
    }
    return built;
  }

  /// Rows left out are satisfied where the others are: at the start, and at what moves from it.
  bool holds(const DaeProblem& regular, const std::vector<int>& rows) const {
    const int n = regular.sizes().nq;
    const double span = regular.interval() ? regular.interval()->length() : 1;
    const double size = std::max(1.0, out_.start.head(n).lpNorm<Eigen::Infinity>());
    for (int k = 0; k < 4; ++k) {
      VecX state = out_.start;
      for (int i = 0; i < 2 * n && k > 0; ++i) state[i] += 1e-3 * size * std::sin(1.0 + k * i);
      const double t = t_ + 1e-3 * span * k;
      if (!repair_start(regular, state, t, 1e-12 * size).ok) continue;
      const VecX left = residuals(*out_.problem, state, t);
      const double speed = std::max(size, state.tail(n).lpNorm<Eigen::Infinity>());
      for (const int row : rows) {
        if (!(left[row] < 1e-9 * speed)) return false;
      }
    }
    return true;
  }

  const std::function<MechanismEquations()>& equations_;
  const TextSource& source_;
  double t_ = 0;
  Assembly out_;
};

}  // namespace

Assembly assemble(const std::function<MechanismEquations()>& equations, const TextSource& source) {
  return Assembling(equations, source).all();
}

double assembly_tolerance(const DaeProblem& problem, const VecX& state) {
  return 1e-13 * std::max(1.0, state.head(problem.sizes().nq).lpNorm<Eigen::Infinity>());
}

}  // namespace daewave::models
