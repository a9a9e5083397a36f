#include "python/module/boundary_members.hpp"

#include <utility>

#include "core/error.hpp"

namespace daewave::python {

namespace {

/// Values of a curve that has no problem.
class CurveAlone final : public bvp::SolutionValues {
 public:
  CurveAlone(bvp::CollocationCurve curve, const Regularization& form, int iterates, bool carries_By)
      : curve_(std::move(curve)), form_(form), iterates_(iterates), carries_By_(carries_By) {}

  const bvp::CollocationCurve& curve() const override { return curve_; }
  const MeshShare& share() const override { return share_; }
  bool carries_By() const override { return carries_By_; }
  Regularization regularization() const override { return form_; }
  int iterates() const override { return iterates_; }
  VecX x(int i, double t) const override { return curve_.x_in(i, place(i, t)); }
  VecX slope(int, double t) const override { return curve_.slope(t); }
  VecX carried(int i, double t) const override { return curve_.carried_in(i, place(i, t)); }
  MatX x_at(const VecX& times) const override { return curve_.x(times); }
  MatX slope_at(const VecX& times) const override { return curve_.slope(times); }

  VecX By(int i, double t) const override {
    return carries_By_ ? carried(i, t) : without_problem<VecX>();
  }
  std::optional<VecX> y(int i, double t) const override {
    return carries_By_ ? without_problem<VecX>() : carried(i, t);
  }
  VecX constraint_residual(int, double) const override { return without_problem<VecX>(); }
  Table table(const std::vector<double>&) const override { return without_problem<Table>(); }

 private:
  double place(int i, double t) const {
    return (t - curve_.mesh().node(i)) / curve_.mesh().step(i);
  }
  template <class Value>
  static Value without_problem() {
    throw InvalidOption("a solution that was pickled has no problem to evaluate this with");
  }

  MeshShare share_{};  ///< With nobody.
  bvp::CollocationCurve curve_;
  Regularization form_;
  int iterates_;
  bool carries_By_;
};

}  // namespace

BoundaryParts parts_of(const bvp::Solution& solution) {
  BoundaryParts parts{solution.report, solution.parameters, solution.fixed_nodes, {}, {}};
  if (solution.truncation) parts.truncation.push_back(*solution.truncation);
  if (!solution.has_values()) return parts;
  const bvp::CollocationCurve& curve = solution.values().curve();
  parts.curve.push_back({curve.mesh().nodes(), curve.scheme(), curve.values(),
                         solution.regularization(), solution.iterates(), solution.carries_By()});
  return parts;
}

bvp::Solution solution_of(BoundaryParts parts) {
  std::shared_ptr<const bvp::SolutionValues> values;
  if (!parts.curve.empty()) {
    CurveParts& of = parts.curve.front();
    values = std::make_shared<CurveAlone>(
        bvp::CollocationCurve(Mesh(std::move(of.nodes)), std::move(of.scheme),
                              std::move(of.values)),
        of.form, of.iterates, of.carries_By);
  }
  bvp::Solution solution(std::move(values), std::move(parts.report));
  solution.parameters = std::move(parts.parameters);
  solution.fixed_nodes = std::move(parts.fixed_nodes);
  if (!parts.truncation.empty()) solution.truncation = std::move(parts.truncation.front());
  return solution;
}

}  // namespace daewave::python
