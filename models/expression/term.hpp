#pragma once
// An expression that is written like a number, so that one template serves both:
//
//   T square_of(T x) { return x * x; }

#include "models/expression/graph.hpp"

namespace daewave::models {

/// An expression of a graph, or a number that is in none yet.
class Term {
 public:
  Term(double value = 0) : value_(value) {}  // NOLINT: numbers are terms.
  Term(Graph& graph, Ref ref) : graph_(&graph), ref_(ref) {}

  /// In a graph, where a number may have to be put first.
  Ref in(Graph& graph) const { return graph_ == nullptr ? graph.number(value_) : ref_; }

  Term& operator+=(const Term& other) { return *this = *this + other; }
  friend Term operator+(const Term& a, const Term& b) { return made(Operation::add, a, b); }
  friend Term operator-(const Term& a, const Term& b) { return made(Operation::subtract, a, b); }
  friend Term operator*(const Term& a, const Term& b) { return made(Operation::multiply, a, b); }
  friend Term operator/(const Term& a, const Term& b) { return made(Operation::divide, a, b); }
  friend Term operator-(const Term& a) { return made(Operation::negate, a); }
  friend Term sqrt(const Term& a) { return made(Operation::square_root, a); }
  friend Term sin(const Term& a) { return made(Operation::sine, a); }
  friend Term cos(const Term& a) { return made(Operation::cosine, a); }
  friend Term atan2(const Term& a, const Term& b) { return made(Operation::arc_tangent_2, a, b); }

 private:
  static Term made(Operation operation, const Term& a) {
    if (a.graph_ == nullptr) return value_of(operation, a.value_);
    return {*a.graph_, a.graph_->make(operation, a.ref_)};
  }
  static Term made(Operation operation, const Term& a, const Term& b) {
    if (a.graph_ == nullptr && b.graph_ == nullptr) {
      return value_of(operation, a.value_, b.value_);
    }
    Graph& graph = a.graph_ == nullptr ? *b.graph_ : *a.graph_;
    return {graph, graph.make(operation, a.in(graph), b.in(graph))};
  }

  Graph* graph_ = nullptr;
  Ref ref_ = -1;
  double value_ = 0;
};

}  // namespace daewave::models
