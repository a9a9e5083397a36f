#pragma once
// Mathematics written down while it is done: a scalar that notes each operation on it as an
// expression (core/expression/graph.hpp), so that what a template is made of, and what its entries
// depend on, is known exactly and once, and not looked for at points.

#include <utility>
#include <vector>

#include "core/eigen_memory.hpp"
#include "core/expression/graph.hpp"

namespace daewave {

/// Scalar for mathematics written as a template; usable in Eigen's vectors. Its functions are found
/// by argument: write `using std::sin; sin(x)`. What it is compared with decides by its value at
/// the point of the recording: the recorder then knows that it has not seen all.
class Recorded {
 public:
  Recorded() = default;
  Recorded(double number) : value_(number) {}
  Recorded(double value, expression::Ref of) : value_(value), of_(of) {}

  double value() const { return value_; }
  /// -1: a number, the same everywhere.
  expression::Ref of() const { return of_; }
  bool is_zero() const { return of_ < 0 && value_ == 0; }

  Recorded& operator+=(const Recorded& b) { return *this = *this + b; }
  Recorded& operator-=(const Recorded& b) { return *this = *this - b; }
  Recorded& operator*=(const Recorded& b) { return *this = *this * b; }
  Recorded& operator/=(const Recorded& b) { return *this = *this / b; }

  friend Recorded operator+(const Recorded& a) { return a; }
  friend Recorded operator-(const Recorded& a);
  friend Recorded operator+(const Recorded& a, const Recorded& b);
  friend Recorded operator-(const Recorded& a, const Recorded& b);
  friend Recorded operator*(const Recorded& a, const Recorded& b);
  friend Recorded operator/(const Recorded& a, const Recorded& b);

  friend bool operator<(const Recorded& a, const Recorded& b);
  friend bool operator>(const Recorded& a, const Recorded& b) { return b < a; }
  friend bool operator<=(const Recorded& a, const Recorded& b);
  friend bool operator>=(const Recorded& a, const Recorded& b) { return b <= a; }
  friend bool operator==(const Recorded& a, const Recorded& b);
  friend bool operator!=(const Recorded& a, const Recorded& b) { return !(a == b); }
  friend bool isfinite(const Recorded& a);

  friend Recorded sin(const Recorded& a);
  friend Recorded cos(const Recorded& a);
  friend Recorded tan(const Recorded& a);
  friend Recorded asin(const Recorded& a);
  friend Recorded acos(const Recorded& a);
  friend Recorded atan(const Recorded& a);
  friend Recorded sinh(const Recorded& a);
  friend Recorded cosh(const Recorded& a);
  friend Recorded tanh(const Recorded& a);
  friend Recorded exp(const Recorded& a);
  friend Recorded log(const Recorded& a);
  friend Recorded sqrt(const Recorded& a);
  friend Recorded abs(const Recorded& a);
  friend Recorded fabs(const Recorded& a) { return abs(a); }
  friend Recorded abs2(const Recorded& a) { return a * a; }
  friend Recorded pow(const Recorded& a, const Recorded& b);
  friend Recorded pow(const Recorded& a, double b) { return pow(a, Recorded(b)); }
  friend Recorded pow(const Recorded& a, int b) { return pow(a, Recorded(b)); }
  friend Recorded min(const Recorded& a, const Recorded& b);
  friend Recorded max(const Recorded& a, const Recorded& b);
  friend Recorded hypot(const Recorded& a, const Recorded& b) { return sqrt(a * a + b * b); }
  friend Recorded atan2(const Recorded& a, const Recorded& b);
  friend Recorded select(bool decision, const Recorded& a, const Recorded& b) {
    return decision ? a : b;
  }

 private:
  double value_ = 0;
  expression::Ref of_ = -1;
};

/// What is done in this thread with recorded numbers, from the construction of this to its end, is
/// written into its graph. The longest recording is of some hundred thousand operations.
class Recorder {
 public:
  Recorder();
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  Recorded variable(int index, double value) { return {value, graph_.variable(index)}; }
  /// As an expression of the graph.
  expression::Ref of(const Recorded& number);
  const expression::Graph& graph() const { return graph_; }
  expression::Graph take_graph() { return std::move(graph_); }

  /// Since the last call: nothing was decided by a value, and nothing was too long.
  bool saw_all() { return std::exchange(saw_all_, true); }

 private:
  friend class Recorded;
  friend struct Recording;
  expression::Graph graph_;
  bool saw_all_ = true;
  Recorder* outer_;
};

}  // namespace daewave

template <>
struct Eigen::NumTraits<daewave::Recorded> : Eigen::GenericNumTraits<double> {
  using Real = daewave::Recorded;
  using NonInteger = daewave::Recorded;
  using Nested = daewave::Recorded;
  using Literal = double;
  enum { IsComplex = 0, IsInteger = 0, IsSigned = 1, RequireInitialization = 1 };
  enum { ReadCost = 2, AddCost = 50, MulCost = 50 };
};
template <class Operation>
struct Eigen::ScalarBinaryOpTraits<double, daewave::Recorded, Operation> {
  using ReturnType = daewave::Recorded;
};
template <class Operation>
struct Eigen::ScalarBinaryOpTraits<daewave::Recorded, double, Operation> {
  using ReturnType = daewave::Recorded;
};
