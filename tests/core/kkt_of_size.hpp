#pragma once
// Null spaces of all sizes behind one interface.

#include <memory>

#include "core/kkt/kkt.hpp"
#include "core/types.hpp"

namespace daewave::testing {

/// A NullSpaceKkt of any size, asked with vectors of run time: what is checked is compiled once.
class AnyKkt {
 public:
  virtual ~AnyKkt() = default;
  virtual void eliminate(const MatX& G, double rank_tolerance) = 0;
  virtual void eliminate(const MatX& G, const MatX& M, double rank_tolerance) = 0;
  virtual bool weigh(const MatX& M) = 0;
  virtual void solve(const MatX& M, const VecX& f, const VecX& c, VecX& a, VecX& lambda) = 0;
  virtual VecX correct(const MatX& M, const VecX& c) = 0;
  virtual VecX correct_orthogonal(const VecX& c) = 0;
  virtual VecX correct_orthogonal(const VecX& c, VecX& mu) = 0;
  virtual VecX forbidden(const VecX& v) = 0;
  virtual int rank() const = 0;
  virtual int free() const = 0;
  virtual double smallest_pivot() const = 0;
  virtual int dropped_row(int i) const = 0;
};

template <class Position, class Multiplier>
class KktOfSize : public AnyKkt {
 public:
  void eliminate(const MatX& G, double rank_tolerance) override {
    kkt_.eliminate(G, rank_tolerance);
  }
  void eliminate(const MatX& G, const MatX& M, double rank_tolerance) override {
    kkt_.eliminate(G, M, rank_tolerance);
  }
  bool weigh(const MatX& M) override { return kkt_.weigh(M); }
  void solve(const MatX& M, const VecX& f, const VecX& c, VecX& a, VecX& lambda) override {
    Multiplier of_size;
    kkt_.solve(M, f, c, moved_, of_size);
    a = moved_;
    lambda = of_size;
  }
  VecX correct(const MatX& M, const VecX& c) override {
    kkt_.correct(M, c, moved_);
    return moved_;
  }
  VecX correct_orthogonal(const VecX& c) override {
    kkt_.correct_orthogonal(c, moved_);
    return moved_;
  }
  VecX correct_orthogonal(const VecX& c, VecX& mu) override {
    Multiplier of_size;
    kkt_.correct_orthogonal(c, moved_, of_size);
    mu = of_size;
    return moved_;
  }
  VecX forbidden(const VecX& v) override {
    kkt_.forbidden(v, moved_);
    return moved_;
  }
  int rank() const override { return kkt_.rank(); }
  int free() const override { return kkt_.free(); }
  double smallest_pivot() const override { return kkt_.smallest_pivot(); }
  int dropped_row(int i) const override { return kkt_.dropped_row(i); }

 private:
  NullSpaceKkt<Position, Multiplier> kkt_;
  Position moved_;
};

struct Sizes {
  const char* name;
  int nq, nl;
  std::unique_ptr<AnyKkt> (*make)();
};

template <class Position, class Multiplier>
std::unique_ptr<AnyKkt> make_kkt() {
  return std::make_unique<KktOfSize<Position, Multiplier>>();
}

}  // namespace daewave::testing
