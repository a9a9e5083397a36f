#pragma once
// Forces on bodies in space, torques, and the potential of those that have one.

#include "models/mechanism/mechanism_equations.hpp"
#include "models/spatial/spatial_poses.hpp"

namespace daewave::models {

class SpatialForces {
 public:
  /// @param t_begin  where springs about an axis are looked at for where they begin.
  SpatialForces(MechanismEquations& out, const SpatialPoses& poses, double t_begin)
      : out_(out), poses_(poses), t_begin_(t_begin) {}

  /// M, what inertia does by itself, weight; kinetic and potential energy.
  void add_body(int body, const SpatialBody& of, const Vector<double>& gravity);
  /// @param values  what the expressions of the force mean.
  void add(const SpatialElement& force, const std::vector<Ref>& values);

  /// All forces have a potential.
  bool conservative() const { return conservative_; }
  Term energy() const { return energy_; }

 private:
  void add_mass(int body, const SpatialBody& of);
  void set_mass(int row, int column, const Term& value);
  void add_to(int row, const Term& force);
  void apply(int body, const Vector<Term>& force, const Vector<Term>& arm);
  void apply_torque(int body, const Vector<Term>& torque);
  void add_load(const SpatialElement& load, const std::vector<Ref>& values);
  void add_spring(const SpatialElement& spring);
  void add_torsion_spring(const SpatialElement& spring);
  void end_before_a_turn(const SpatialElement& spring, const Term& angle);

  MechanismEquations& out_;
  const SpatialPoses& poses_;
  double t_begin_;
  Term energy_ = 0;
  bool conservative_ = true;
};

}  // namespace daewave::models
