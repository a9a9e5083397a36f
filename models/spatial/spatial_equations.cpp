#include "models/spatial/spatial_equations.hpp"

#include "models/spatial/spatial_forces.hpp"
#include "models/spatial/spatial_guess.hpp"
#include "models/spatial/spatial_joints.hpp"
#include "models/spatial/spatial_names.hpp"

namespace daewave::models {
namespace {

class SpatialBuilding {
 public:
  SpatialBuilding(const SpatialMechanism& mechanism, const TextSource& source,
                  const Parameters& parameters, double t_begin)
      : of_(mechanism),
        source_(source),
        variables_{of_spatial_body * count(), of_spatial_body * count(), 0},
        poses_(graph(), variables_, count()),
        names_(spatial_names(graph(), parameters, mechanism, variables_, poses_)),
        written_(out_, source, variables_),
        joints_(out_, poses_, written_),
        forces_(out_, poses_, t_begin) {}

  MechanismEquations all() {
    out_.guess = spatial_guess(of_);
    out_.stated = [of = of_](const VecX& state) { return spatial_velocities(of, state); };
    Equations& e = out_.equations;
    e.kind = Kind::multibody;
    e.nq = of_spatial_body * count();
    const auto nq = static_cast<std::size_t>(e.nq);
    e.f.assign(nq, graph().number(0));
    e.M.assign(nq * nq, graph().number(0));
    for (int b = 0; b < count(); ++b) {
      const SpatialBody& body = of_.bodies[static_cast<std::size_t>(b)];
      forces_.add_body(b, body, of_.gravity);
      joints_.add_norm(b, body);
    }
    for (const SpatialElement& force : of_.forces) forces_.add(force, values(force));
    for (const SpatialElement& joint : of_.joints) {
      if (joint.type != "velocity") joints_.add(joint, values(joint));
    }
    for (const SpatialElement& joint : of_.joints) {
      if (joint.type == "rolling") joints_.add_rolling_velocities(joint);
      if (joint.type == "velocity") {
        written_.add_velocity_rows(joint.name, joint.place, joint.expressions, values(joint));
      }
    }
    if (forces_.conservative() && written_.do_no_work()) e.energy = forces_.energy().in(graph());
    return std::move(out_);
  }

 private:
  int count() const { return static_cast<int>(of_.bodies.size()); }
  Graph& graph() { return out_.equations.graph; }

  /// What its expressions mean.
  std::vector<Ref> values(const SpatialElement& of) {
    names_.set_index(of.index);
    std::vector<Ref> all;
    for (const Written& one : of.expressions) {
      all.push_back(meaning(source_, one, graph(), names_));
    }
    return all;
  }

  const SpatialMechanism& of_;
  const TextSource& source_;
  MechanismEquations out_;
  Variables variables_;
  SpatialPoses poses_;
  StateNames names_;
  WrittenRows written_;
  SpatialJoints joints_;
  SpatialForces forces_;
};

}  // namespace

MechanismEquations spatial_equations(const SpatialMechanism& mechanism, const TextSource& source,
                                     const Parameters& parameters, double t_begin) {
  return SpatialBuilding(mechanism, source, parameters, t_begin).all();
}

}  // namespace daewave::models
