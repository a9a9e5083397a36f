#include "problems/truck.hpp"

#include "catalogue/makers.hpp"
#include "core/error.hpp"
#include "ivp/reduced/reduce.hpp"
#include "ivp/reduced/underlying_solution.hpp"

namespace daewave::catalogue {
namespace {

/// The motion close to rounding, at times asked for in any order; going back starts again.
class TruckReference {
 public:
  explicit TruckReference(const problems::Truck& truck)
      : truck_(problem_of(truck)),
        start_(truck.start()),
        system_(ivp::reduce(*truck_, {.kind = ivp::ReductionKind::underlying})),
        solution_(*system_, static_cast<int>(start_.size())) {
    restart();
  }

  VecX state(double t) {
    if (t < solution_.t()) restart();
    if (!solution_.go_to(t, 0.1)) throw Error("truck: " + solution_.failure());
    return solution_.x();
  }

 private:
  void restart() {
    if (!solution_.start(0, start_)) throw Error("truck: " + solution_.failure());
  }

  DaeProblemPtr truck_;
  VecX start_;
  std::unique_ptr<ivp::ReducedOde> system_;
  ivp::UnderlyingSolution solution_;
};

}  // namespace

InitialValueProblemPtr make_truck(const Parameters& parameters) {
  problems::Truck truck;
  truck.pace = positive(parameters, "pace");
  const double published = value_of(parameters, "published-moment");
  if (published != 0 && published != 1) {
    throw InvalidOption("published-moment = " + std::to_string(published) + ": must be 0 or 1");
  }
  if (published == 1) truck.moment = problems::ChassisMoment::as_published;
  const auto reference = std::make_shared<TruckReference>(truck);
  return initial_value_problem(truck, positive(parameters, "t-end"),
                               [reference](double t) { return reference->state(t); });
}

}  // namespace daewave::catalogue
