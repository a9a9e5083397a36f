#pragma once
// Every nonlinear problem with sizes known at run time: what is checked of them all is compiled
// once.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/types.hpp"

namespace daewave::problems {

/// A point of a problem: (x, v, t); v is empty for index 2.
struct Point {
  VecX x, v;
  double t = 0;
};

/// Of a multibody system at a point.
struct Values {
  MatX M, G;
  VecX f, g, g_t, curvature;
};

/// What a problem does not have is empty.
class AnyProblem {
 public:
  virtual ~AnyProblem() = default;
  virtual std::string name() const = 0;
  virtual Interval interval() const = 0;
  virtual VecX start() const = 0;
  virtual bool multibody() const = 0;
  virtual VecX g(const VecX& x, double t) const = 0;
  virtual VecX g_t(const VecX& x, double t) const = 0;
  /// Column by column, by apply().
  virtual MatX G(const VecX& x, double t) const = 0;
  /// Row by row, by apply_transposed().
  virtual MatX G_by_rows(const VecX& x, double t) const = 0;
  virtual VecX f(const Point& at) const = 0;
  /// Each by the function of its name, and all at once. Of multibody systems.
  virtual Values one_by_one(const Point&) const { return {}; }
  virtual Values together(const Point&) const { return {}; }
  virtual std::optional<Values> of_constraints(const Point&) const { return {}; }
  virtual std::optional<double> energy(const VecX&, const VecX&) const { return {}; }
  /// Of index 2.
  virtual MatX B(const VecX&, double) const { return {}; }
  virtual VecX By_exact(double) const { return {}; }
  virtual std::optional<VecX> z_exact(double) const { return {}; }
  virtual std::optional<VecX> y_exact(double) const { return {}; }

  /// A state as a point.
  Point point(const VecX& z, double t) const {
    const auto nx = multibody() ? z.size() / 2 : z.size();
    return {z.head(nx), z.tail(z.size() - nx), t};
  }
};

using Problems = std::vector<std::unique_ptr<const AnyProblem>>;

const Problems& multibody_problems();
const Problems& index_2_problems();

}  // namespace daewave::problems
