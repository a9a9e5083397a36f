#include "models/mechanism/assembly.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/start/problem_start.hpp"
#include "core/start/redundant_rows.hpp"

namespace daewave::models {
namespace {

/// More rows are not searched for those that depend on others: time grows like their square times
/// the coordinates.
constexpr int most_rows_searched = 1000;

/// The joint whose rows a state is farthest from, and how far; null where none is.
std::pair<const JointRows*, double> worst_joint(const std::vector<JointRows>& joints,
                                                const DaeProblem& problem, const VecX& state,
                                                double t) {
  const auto evaluation = problem.evaluation();
  const Points at{1, 1, &t, state.data(), state.data() + problem.sizes().nq, nullptr};
  const Terms& terms = evaluation->evaluate(Ask::g, at);
  std::pair<const JointRows*, double> worst{nullptr, 0};
  for (const JointRows& joint : joints) {
    for (int row = joint.first; row < joint.first + joint.count; ++row) {
      const double here = std::abs(terms.g[row]);
      if (here > worst.second) worst = {&joint, here};
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
    stated_ = built.stated;
    out_.problem = problem(std::move(built.equations));
    if (out_.problem->sizes().nl() == 0) return std::move(out_);
    StartRepair repair = repaired();
    const bool structured = out_.problem->structure().constraints != Structure::Constraints::dense;
    if (structured && !repair.ok && out_.problem->sizes().nl() <= most_rows_searched) {
      // What has a structure is solved by methods that take no dependent rows.
      Equations dense = equations_().equations;
      dense.seek_structure = false;
      out_.problem = problem(std::move(dense));
      repair = repaired();
    }
    if (!repair.ok) refuse(repair);
    if (repair.consistency.singular()) leave_out_redundant();
    keep_stated();
    // Of velocities that the file does not state any are as good.
    const int nq = out_.problem->sizes().nq;
    out_.start_moved =
        std::max((out_.start - guess).head(nq).lpNorm<Eigen::Infinity>(), out_.velocity_moved);
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
    const auto [joint, far] = worst_joint(out_.joints, *out_.problem, out_.start, t_);
    source_.fail(joint == nullptr ? Place{} : joint->place,
                 fmt::format("the bodies cannot be assembled from where they are stated: {}{}; "
                             "state place and orientation of each body nearer to it",
                             repair.failure,
                             joint == nullptr ? ""
                                              : fmt::format("; worst is joint {}, by {:.2g}",
                                                            joint->name, far)));
  }

  /// Where all velocities were moved to the nearest that the joints allow, those that are stated
  /// may not have been left as they are without need.
  void keep_stated() {
    if (!stated_) return;
    const StatedVelocities stated = stated_(out_.start);
    // Of velocities in any unit of time.
    const double rounding =
        1e-10 * out_.start.tail(out_.problem->sizes().nq).lpNorm<Eigen::Infinity>();
    const double moved = farthest(stated, out_.start);
    if (moved <= rounding) return;
    out_.velocity_moved = moved;
    if (out_.problem->sizes().nl() > most_rows_searched) return;
    Equations dense = equations_().equations;
    dense.seek_structure = false;
    const DaeProblemPtr of_all = problem(std::move(dense));
    if (kept_without_near_rows(*of_all, stated, rounding) ||
        kept_beside_dead_point(*of_all, stated)) {
      out_.velocity_moved = 0;
    }
  }

  /// A row that nearly depends on others counts as one that does: what is open moves little.
  bool kept_without_near_rows(const DaeProblem& of_all, const StatedVelocities& stated,
                              double rounding) {
    VecX kept = out_.start;
    if (!keep_velocities(of_all, kept, t_, stated, 1e-9)) return false;
    const StartRepair repair =
        repair_start(*out_.problem, kept, t_, assembly_tolerance(*out_.problem, kept));
    if (!repair.ok || farthest(stated, kept) > rounding) return false;
    out_.start = std::move(kept);
    return true;
  }

  /// Beside a dead point such a row says how the others move, in what rounding leaves of it. No
  /// repair behind it: that would move all of them by rounding over the distance to the dead point.
  bool kept_beside_dead_point(const DaeProblem& of_all, const StatedVelocities& stated) {
    // Of a row that depends on others sums of a few dozen products leave this.
    constexpr double left_by_rounding = 64 * std::numeric_limits<double>::epsilon();
    const double tolerance = assembly_tolerance(*out_.problem, out_.start);
    VecX kept = out_.start;
    if (!keep_velocities(of_all, kept, t_, stated, left_by_rounding) ||
        !check_start(*out_.problem, kept, t_, left_by_rounding, tolerance).ok(tolerance)) {
      return false;
    }
    out_.start = std::move(kept);
    return true;
  }

  /// Methods take regular constraints in whatever structure they are found to have.
  void leave_out_redundant() {
    if (out_.problem->sizes().nl() > most_rows_searched) return;
    const RedundantRows found = redundant_rows(*out_.problem, out_.start, t_);
    if (found.everywhere.empty()) return;
    MechanismEquations kept = without(found.everywhere);
    out_.joints = std::move(kept.joints);
    out_.problem = problem(std::move(kept.equations));
  }

  MechanismEquations without(const std::vector<int>& rows) const {
    MechanismEquations built = equations_();
    Equations& e = built.equations;
    const auto g_rows = static_cast<int>(e.g.size());
    for (std::size_t k = rows.size(); k-- > 0;) {
      const int row = rows[k];
      std::vector<Ref>& of = row < g_rows ? e.g : e.w;
      const auto at = of.begin() + (row < g_rows ? row : row - g_rows);
      e.implied.push_back(*at);
      of.erase(at);
      for (JointRows& joint : built.joints) {
        if (row < joint.first) {
          --joint.first;
        } else if (row < joint.first + joint.count) {
          --joint.count;
          ++joint.redundant;
        }
      }
    }
    for (const JointRows& joint : built.joints) {
      if (joint.redundant == 0) continue;
      e.implied_names += (e.implied_names.empty() ? "" : ", ") + joint.name;
    }
    return built;
  }

  const std::function<MechanismEquations()>& equations_;
  const TextSource& source_;
  std::function<StatedVelocities(const VecX&)> stated_;
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
