#pragma once
// A flow on a staggered grid as a large sparse problem: x the velocities inside, y the pressure,
//
//   x' = nu L z - C(z) - grad y,    0 = -div z,    z = (x, what is given on the boundary at t).
//
// The pressure has no condition on the boundary, and no equation: it is the multiplier of div z =
// 0, and one constant of it is open (rows of G add up to zero).              [AL2] Example 2.1

#include "large/flow/flow_case.hpp"
#include "large/flow/operators.hpp"
#include "sparse/sparse_dae.hpp"

namespace daewave::flow {

/// Where C(z) is: extrapolated, so that one matrix serves all steps and their length is bounded by
/// the time that the flow needs through a cell; or implicit, a factorization for each step, of any
/// length.
enum class Convection { extrapolated, implicit };

class FlowProblem final : public sparse::SparseDae {
 public:
  /// @throws InvalidOption for too few cells.
  FlowProblem(FlowCase of, int columns, int rows, Convection convection);

  const FlowCase& flow() const { return case_; }
  const StaggeredGrid& grid() const { return grid_; }
  const Operators& operators() const { return operators_; }

  /// Unknown and given velocities at t, from the unknown ones.
  void complete(const VecX& x, double t, VecX& z) const;
  /// The exact velocities at t = 0 where they are known, rest otherwise.
  VecX start() const;
  /// Unknown velocities, and pressures with mean zero, of the exact flow.
  VecX exact_x(double t) const;
  VecX exact_y(double t) const;
  /// A step that extrapolated convection is stable with, and as accurate as the grid.
  double default_h() const;

  int nx() const override { return grid_.unknowns(); }
  int ny() const override { return grid_.cells(); }
  const sparse::SparseMatrix& M() const override { return M_; }
  void f(const VecX& x, double t, VecX& out) const override;
  void f_jacobian(const VecX& x, double t, sparse::SparseMatrix& out) const override;
  bool has_explicit() const override { return convection_ == Convection::extrapolated; }
  void e(const VecX& x, double t, VecX& out) const override;
  void g(const VecX& x, double t, VecX& out) const override;
  void G(const VecX& x, double t, sparse::SparseMatrix& out) const override;
  bool linear() const override { return has_explicit(); }
  bool symmetric() const override { return has_explicit(); }
  std::string name() const override { return case_.name; }
  std::string advice(double h) const override;

 private:
  void find_slots();

  FlowCase case_;
  StaggeredGrid grid_;
  Convection convection_;
  Operators operators_;
  sparse::SparseMatrix M_, G_;
  sparse::SparseMatrix viscous_;           ///< nu L of unknowns, with the places of the convection.
  std::vector<std::array<int, 4>> slots_;  ///< Of each flux: where its derivatives are, or -1.
};

}  // namespace daewave::flow
