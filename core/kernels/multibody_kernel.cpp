#include "core/kernels/multibody_kernel.hpp"

#include <utility>

namespace daewave {

namespace detail {

void take_mass(const Terms& from, const DaeProblem&, BodyMass<3>& to) { to = *from.bodies; }

void take_mass(const Terms& from, const DaeProblem& of, AnyMass& to) {
  using Constraints = Structure::Constraints;
  const Structure& structure = of.structure();
  if (structure.constraints != Constraints::dense && structure.mass == Structure::Mass::bodies) {
    take_mass(from, of, to.become<BodyMass<3>>());
  } else if (structure.constraints != Constraints::dense ||
             structure.mass == Structure::Mass::diagonal) {
    take_mass(from, of, to.become<DiagonalMass>());
  } else {
    take_mass(from, of, to.become<MatX>());
  }
}

void take_jacobian(const Terms& from, const DaeProblem&, ChainJacobian& to) {
  if (to.bodies() == from.chain->bodies()) {
    std::swap(to, *from.chain);
  } else {
    to = *from.chain;
  }
}

void take_jacobian(const Terms& from, const DaeProblem&, JointJacobian<3, 2>& to) {
  to.take(*from.joints);
}

void take_jacobian(const Terms& from, const DaeProblem&, SparseJacobian& to) {
  to.take(*from.sparse);
}

void take_jacobian(const Terms& from, const DaeProblem& of, AnyJacobian& to) {
  switch (of.structure().constraints) {
    case Structure::Constraints::dense:
      return take_jacobian(from, of, to.become<MatX>());
    case Structure::Constraints::chain:
      return take_jacobian(from, of, to.become<ChainJacobian>());
    case Structure::Constraints::joints:
      return take_jacobian(from, of, to.become<JointJacobian<3, 2>>());
    case Structure::Constraints::sparse:
      return take_jacobian(from, of, to.become<SparseJacobian>());
  }
}

}  // namespace detail

void VelocityKernel::curvature(const VecX& q, const VecX& v, double t,
                               MultibodyTerms<VelocityKernel>& at) const {
  AnyMultibody::curvature(q, v, t, at);
}

void VelocityKernel::terms(const VecX& q, const VecX& v, double t,
                           MultibodyTerms<VelocityKernel>& at) const {
  AnyMultibody::terms(q, v, t, at);
}

}  // namespace daewave
