#include "core/adapt/recorded.hpp"

#include <cmath>

namespace daewave {

using expression::Operation;
using expression::Ref;

namespace {

constexpr Ref longest = 400000;
thread_local Recorder* current = nullptr;

}  // namespace

/// Operations of the recorder of this thread.
struct Recording {
  static Recorded make(Operation operation, const Recorded& a, const Recorded& b = 0) {
    const double value = expression::value_of(operation, a.value(), b.value());
    if ((a.of() < 0 && b.of() < 0) || current == nullptr) return value;
    if (current->graph_.size() >= longest) {
      current->saw_all_ = false;
      return value;
    }
    const bool binary = expression::operands_of(operation) > 1;
    return {value, made(operation, current->of(a), binary ? current->of(b) : -1)};
  }

  /// Of a comparison.
  static bool decide(bool decision, const Recorded& a, const Recorded& b) {
    if (current != nullptr && (a.of() >= 0 || b.of() >= 0)) current->saw_all_ = false;
    return decision;
  }

 private:
  static Ref made(Operation operation, Ref a, Ref b) {
    if (operation == Operation::power) return current->graph_.power(a, b);
    return current->graph_.make(operation, a, b);
  }
};

Recorder::Recorder() : outer_(current) { current = this; }
Recorder::~Recorder() { current = outer_; }

Ref Recorder::of(const Recorded& number) {
  return number.of() >= 0 ? number.of() : graph_.number(number.value());
}

Recorded operator-(const Recorded& a) { return Recording::make(Operation::negate, a); }
Recorded operator+(const Recorded& a, const Recorded& b) {
  return Recording::make(Operation::add, a, b);
}
Recorded operator-(const Recorded& a, const Recorded& b) {
  return Recording::make(Operation::subtract, a, b);
}
Recorded operator*(const Recorded& a, const Recorded& b) {
  return Recording::make(Operation::multiply, a, b);
}
Recorded operator/(const Recorded& a, const Recorded& b) {
  return Recording::make(Operation::divide, a, b);
}

bool operator<(const Recorded& a, const Recorded& b) {
  return Recording::decide(a.value() < b.value(), a, b);
}
bool operator<=(const Recorded& a, const Recorded& b) {
  return Recording::decide(a.value() <= b.value(), a, b);
}
bool operator==(const Recorded& a, const Recorded& b) {
  return Recording::decide(a.value() == b.value(), a, b);
}
bool isfinite(const Recorded& a) { return Recording::decide(std::isfinite(a.value()), a, a); }

Recorded sin(const Recorded& a) { return Recording::make(Operation::sine, a); }
Recorded cos(const Recorded& a) { return Recording::make(Operation::cosine, a); }
Recorded tan(const Recorded& a) { return Recording::make(Operation::tangent, a); }
Recorded asin(const Recorded& a) { return Recording::make(Operation::arc_sine, a); }
Recorded acos(const Recorded& a) { return Recording::make(Operation::arc_cosine, a); }
Recorded atan(const Recorded& a) { return Recording::make(Operation::arc_tangent, a); }
Recorded sinh(const Recorded& a) { return Recording::make(Operation::hyperbolic_sine, a); }
Recorded cosh(const Recorded& a) { return Recording::make(Operation::hyperbolic_cosine, a); }
Recorded tanh(const Recorded& a) { return Recording::make(Operation::hyperbolic_tangent, a); }
Recorded exp(const Recorded& a) { return Recording::make(Operation::exponential, a); }
Recorded log(const Recorded& a) { return Recording::make(Operation::logarithm, a); }
Recorded sqrt(const Recorded& a) { return Recording::make(Operation::square_root, a); }
Recorded abs(const Recorded& a) { return Recording::make(Operation::absolute, a); }
Recorded pow(const Recorded& a, const Recorded& b) {
  return Recording::make(Operation::power, a, b);
}
Recorded min(const Recorded& a, const Recorded& b) {
  return Recording::make(Operation::minimum, a, b);
}
Recorded max(const Recorded& a, const Recorded& b) {
  return Recording::make(Operation::maximum, a, b);
}
Recorded atan2(const Recorded& a, const Recorded& b) {
  return Recording::make(Operation::arc_tangent_2, a, b);
}

}  // namespace daewave
