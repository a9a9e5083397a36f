#pragma once
// What collocation sees of a nonlinear boundary value problem, with its type forgotten.

#include <memory>
#include <string>

#include "core/types.hpp"

namespace daewave::bvp {

/// Stages of many intervals, in structure of arrays: entry i of x at point p is x[i * stride + p].
struct IteratePoints {
  int count = 0;
  int stride = 0;                  ///< >= count.
  const double* t = nullptr;       ///< One time for each point.
  const double* x = nullptr;       ///< nx.
  const double* before = nullptr;  ///< y of the iterate before; carried.
};

/// False where an entry of `rows` rows, laid out as x, is not finite; `failure` then tells the
/// first such point.
bool all_finite_in(const char* equation, const double* values, int rows, const IteratePoints& at,
                   std::string& failure);

/// One iterate of a sequential regularization, x' = F(x, t; y), which leaves Y(x, t; y); or an
/// ordinary differential equation, which carries nothing. Holds the memory of an evaluation: one
/// for each thread.
class IterateSystem {
 public:
  virtual ~IterateSystem() = default;

  virtual int nx() const = 0;
  /// Entries of what is carried from one iterate to the next, y or B y; or of the unknowns of index
  /// 1, which are solved for at each point; or none.
  virtual int carried() const = 0;

  /// F and Y at one point. @param before  y of the iterate before.
  /// @param carried  on entry what was last found near there, or zeros.
  /// @return false with failure() where it cannot be evaluated; entries that are not finite may be
  ///         left to the caller.
  virtual bool evaluate(const VecX& x, double t, const VecX& before, VecX& slope,
                        VecX& carried) = 0;
  /// J = dF/dx where evaluate() gave `slope` and `carried`; nx x nx.
  /// @param weight  the size of each entry of x, > 0: what is small is a small part of it.
  virtual bool jacobian(const VecX& x, double t, const VecX& before, const VecX& slope,
                        const VecX& carried, const VecX& weight, MatX& J) = 0;
  virtual std::string failure() const = 0;
  /// Whether a call costs far more than a point of it does: then batches are to be large.
  virtual bool calls_are_dear() const { return false; }
  /// Whether linearize_batch() is one call then.
  virtual bool linearizes_in_one_call() const { return false; }
  /// Whether an evaluation leaves nothing but slopes: nothing is carried, and no drift is known.
  virtual bool leaves_slopes_alone() const { return false; }
  /// How far the point evaluated last is off its constraints, position and velocity, in max norm.
  virtual double drift() { return 0; }

  /// The same at many points; one after the other, where a system has no better way.
  /// @param slope    nx. @param carried  as above; both laid out as x.
  /// @param drift    where it is not null, raised to the largest of the points.
  /// @param failure  why, where it returns false; all slopes are finite where it returns true.
  virtual bool evaluate_batch(const IteratePoints& at, double* slope, double* carried,
                              double* drift, std::string& failure);
  /// @param J  entry (i, j) at point p is at [(i + j nx) * stride + p].
  virtual bool jacobian_batch(const IteratePoints& at, const double* slope, const double* carried,
                              const VecX& weight, double* J, std::string& failure);
  /// Values at points.
  struct Batch {
    IteratePoints at;
    double* slope = nullptr;
    double* carried = nullptr;
  };
  /// Both, and evaluate_batch() at further points, which may be none: in one call where calls are
  /// dear and a system can do that.
  virtual bool linearize_batch(const Batch& of, const VecX& weight, double* J, const Batch& further,
                               std::string& failure);

  /// The same system with a memory of its own, for another thread; null where there is none.
  virtual std::unique_ptr<IterateSystem> clone() const { return nullptr; }
};

/// Conditions 0 = r(x(begin), x(end)), separated or coupled, nonlinear or not; as many as nx.
class TwoPointConditions {
 public:
  virtual ~TwoPointConditions() = default;
  virtual int count() const = 0;
  virtual void evaluate(const VecX& left, const VecX& right, VecX& r) = 0;
  /// dr/dx(begin) and dr/dx(end), count() x nx. @param weight  as above.
  virtual void jacobians(const VecX& left, const VecX& right, const VecX& weight, MatX& B0,
                         MatX& B1) = 0;
};

}  // namespace daewave::bvp
