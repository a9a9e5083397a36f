#pragma once
// A problem of thousands of unknowns at each time, of index 2, its matrices by their entries:
//
//   M x' = f(x, t) + e(x, t) - B y,        0 = g(x, t),       G = dg/dx               [AL2] (2.1)
//
// f is what steps take implicitly (viscosity, conductance, whatever is stiff), e what they take
// explicitly (convection). y needs no condition, no equation of its own, and G no full rank: where
// rows of G depend on each other, as those of a flow between walls do, B y is still unique.

#include <optional>
#include <string>
#include <vector>

#include "core/types.hpp"
#include "sparse/matrix.hpp"

namespace daewave::sparse {

/// Immutable; may be used from several threads at once.
class SparseDae {
 public:
  virtual ~SparseDae() = default;

  virtual int nx() const = 0;
  virtual int ny() const = 0;
  /// Constant, nx by nx, nonsingular.
  virtual const SparseMatrix& M() const = 0;

  virtual void f(const VecX& x, double t, VecX& out) const = 0;
  /// df/dx, nx by nx. Its pattern must not depend on x and t: entries that happen to be zero stay.
  virtual void f_jacobian(const VecX& x, double t, SparseMatrix& out) const = 0;
  /// False: there is no e.
  virtual bool has_explicit() const { return false; }
  virtual void e(const VecX& x, double t, VecX& out) const;

  virtual void g(const VecX& x, double t, VecX& out) const = 0;
  /// ny by nx, of one pattern.
  virtual void G(const VecX& x, double t, SparseMatrix& out) const = 0;
  /// nx by ny; empty: G^T.
  virtual std::optional<SparseMatrix> B() const { return {}; }

  /// df/dx and G are constant: a matrix is factorized once for all steps of one length.
  virtual bool linear() const = 0;
  /// M and -df/dx symmetric and not negative, B = G^T: matrices are factorized by Cholesky's
  /// method.
  virtual bool symmetric() const = 0;

  virtual std::string name() const { return {}; }
  /// What to try where a run of that step length went wrong, in words; may be empty.
  virtual std::string advice(double h) const;
};

}  // namespace daewave::sparse
