#include "bvp/continuation/predicted.hpp"

#include <memory>
#include <utility>

#include "bvp/curve/stretched.hpp"
#include "bvp/result/with_curve.hpp"

namespace daewave::bvp {

SolutionAround::SolutionAround(Solution solution) : solution_(std::move(solution)) {
  if (!solution_.share().is_shared()) return;
  const auto kept = std::make_shared<const Solution>(solution_);
  around_.emplace(std::shared_ptr<const CollocationCurve>(kept, &kept->values().curve()),
                  solution_.share());
}

void SolutionAround::attend(double begin, double end) {
  if (around_) around_->attend(begin, end);
}

VecX SolutionAround::x(double t) const { return around_ ? around_->x(t) : solution_.x(t); }

Solution predicted(const Solution& before, const Solution& last, double factor) {
  const CollocationCurve& of_last = last.values().curve();
  const Mesh &mesh = of_last.mesh(), &whole = last.mesh_of_all();
  const SharedCurve first = stretched(shared_curve(before), {whole.begin(), whole.end()});
  const CollocationValues old =
      on_mesh(first.curve, first.share, mesh, last.share(), of_last.scheme());
  CollocationValues values = of_last.values();
  values.x += factor * (values.x - old.x);
  values.slopes += factor * (values.slopes - old.slopes);
  if (values.carried.rows() == old.carried.rows() && values.carried.rows() > 0) {
    values.carried += factor * (values.carried - old.carried);
  }
  Solution next = with_curve(last, CollocationCurve(mesh, of_last.scheme(), std::move(values)));
  next.parameters = last.parameters + factor * (last.parameters - before.parameters);
  return next;
}

double product(const Solution& a, const Solution& b, const Solution& c, const Solution& d,
               const VecX& sizes) {
  const Mesh &mesh = a.mesh(), &whole = a.mesh_of_all();
  const double n = static_cast<double>(sizes.size());
  SolutionAround others[] = {SolutionAround(b), SolutionAround(c), SolutionAround(d)};
  for (SolutionAround& other : others) other.attend(mesh.begin(), mesh.end());
  // Simpson's rule; what is measured are lengths of steps.
  const auto at = [&](double t) {
    const VecX first = (a.x(t) - others[0].x(t)).cwiseQuotient(sizes);
    return first.dot((others[1].x(t) - others[2].x(t)).cwiseQuotient(sizes)) / n;
  };
  VecX of_intervals(mesh.intervals());
  double left = at(mesh.begin());
  for (int i = 0; i < mesh.intervals(); ++i) {
    const double right = at(mesh.node(i + 1));
    of_intervals[i] = mesh.step(i) / 6 * (left + 4 * at(mesh.node(i) + mesh.step(i) / 2) + right);
    left = right;
  }
  double sum = 0;
  for (const double one : a.share().joined(of_intervals)) sum += one;
  return sum / (whole.end() - whole.begin());
}

}  // namespace daewave::bvp
