// Slopes of many intervals eliminated side by side: what a dense solve of each gives, whichever
// entries of the Jacobian vanish.

#include <Eigen/LU>
#include <cmath>
#include <random>

#include "bvp/slopes/slope_elimination.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

class Eliminated {
 public:
  /// @param density  the part of the entries of J that do not vanish.
  Eliminated(int n, int stages, int intervals, double size, double density = 1)
      : n_(n),
        scheme_(collocation(Scheme::gauss, stages)),
        chunks_(stages, intervals),
        slopes_(n, scheme_, chunks_),
        J_(chunks_.stage_memory(n * n)),
        right_(chunks_.stage_memory(n)),
        y_(chunks_.stage_memory(n)) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (int i = 0; i < intervals; ++i) h_.push_back(0.1 + 0.01 * i);
    std::vector<bool> is_there;
    for (int e = 0; e < n * n; ++e) is_there.push_back(uniform(random) < 2 * density - 1);
    for (int c = 0; c < chunks_.count(); ++c) {
      double* J = chunks_.of(J_, n * n, c);
      for (const bool there : is_there) {
        for (int p = 0; p < stages * chunks_.width(c); ++p) {
          const double entry = size * uniform(random);
          *J++ = there ? entry : 0;
        }
      }
    }
    for (double& r : right_) r = uniform(random);
  }

  double* J(int interval, int stage, int i, int j) {
    const int c = interval / chunks_.size();
    return chunks_.of(J_, n_ * n_, c) +
           ((i + j * n_) * chunks_.stages() + stage) * chunks_.width(c) + interval -
           chunks_.begin(c);
  }

  /// All chunks against a dense solve of each interval.
  void check() {
    const int k = chunks_.stages(), size = n_ * k;
    AlignedVector memory(slopes_.memory());
    for (int c = 0; c < chunks_.count(); ++c) {
      const int m = chunks_.width(c), first = chunks_.begin(c);
      std::vector<double> blocks(n_ * n_ * m), end(n_ * m), end_only(n_ * m), dx(n_ * m, 1.0);
      double* const y = chunks_.of(y_, n_, c);
      const double* const r = chunks_.of(right_, n_, c);
      slopes_.take(c, chunks_.of(J_, n_ * n_, c));
      CHECK(slopes_.eliminate(c, &h_[first], r, memory.data(), {blocks.data(), y, end.data()}) ==
            -1);
      AlignedVector only = chunks_.stage_memory(n_);
      CHECK(slopes_.eliminate(c, &h_[first], r, memory.data(),
                              {nullptr, only.data(), end_only.data()}) == -1);
      for (int e = 0; e < size * m; ++e) CHECK(only[e] == Approx(y[e]).epsilon(1e-9));
      const std::vector<double> before(y, y + size * m);
      slopes_.add_of_node(c, dx.data(), y);
      for (int i = 0; i < m; ++i) {
        MatX matrix = MatX::Identity(size, size), given(size, n_);
        VecX right(size), found(size), moved(size);
        for (int j = 0; j < k; ++j) {
          for (int row = 0; row < n_; ++row) {
            const int e = (row * k + j) * m + i;
            right[j * n_ + row] = r[e];
            found[j * n_ + row] = before[e];
            moved[j * n_ + row] = y[e] - before[e];
            for (int column = 0; column < n_; ++column) {
              const double entry = *J(first + i, j, row, column);
              given(j * n_ + row, column) = entry;
              for (int l = 0; l < k; ++l) {
                matrix(j * n_ + row, l * n_ + column) -= h_[first + i] * scheme_.a(j, l) * entry;
              }
            }
          }
        }
        const Eigen::PartialPivLU<MatX> lu(matrix);
        const VecX expected = lu.solve(right);
        const MatX nodes = lu.solve(given);
        const double scale = 1e-10 * (1 + expected.norm());
        CHECK((found - expected).norm() < scale);
        CHECK((moved - nodes.rowwise().sum()).norm() < 1e-10 * (1 + nodes.norm()));
        VecX sum = VecX::Zero(n_);
        MatX block = MatX::Zero(n_, n_);
        for (int l = 0; l < k; ++l) {
          sum += h_[first + i] * scheme_.b[l] * expected.segment(l * n_, n_);
          block += h_[first + i] * scheme_.b[l] * nodes.middleRows(l * n_, n_);
        }
        for (int row = 0; row < n_; ++row) {
          CHECK(end[row * m + i] == Approx(sum[row]).margin(scale));
          for (int column = 0; column < n_; ++column) {
            CHECK(blocks[(i * n_ + row) * n_ + column] ==
                  Approx(block(row, column)).epsilon(1e-9).margin(1e-9));
          }
        }
      }
    }
  }

  int first_lost() {
    AlignedVector memory(slopes_.memory());
    std::vector<double> blocks(n_ * n_ * chunks_.width(0)), end(n_ * chunks_.width(0));
    slopes_.take(0, chunks_.of(J_, n_ * n_, 0));
    return slopes_.eliminate(0, h_.data(), chunks_.of(right_, n_, 0), memory.data(),
                             {blocks.data(), chunks_.of(y_, n_, 0), end.data()});
  }
  double step(int interval) const { return h_[interval]; }

 private:
  int n_;
  Collocation scheme_;
  StageChunks chunks_;
  SlopeElimination slopes_;
  AlignedVector J_, right_, y_;
  std::vector<double> h_;
};

}  // namespace

TEST_CASE("slopes are eliminated as by a dense solve of each interval", "[nonlinear]") {
  for (const int n : {1, 2, 5, 7}) {
    for (const int stages : {1, 3, 4, 8}) {
      // Fewer than a register holds; some that do not fill the last; several chunks.
      for (const int intervals : {1, 3, 4, 6, 131}) {
        CAPTURE(n, stages, intervals);
        Eliminated(n, stages, intervals, 1).check();
      }
    }
  }
}

TEST_CASE("slopes are eliminated as by a dense solve where entries of the Jacobian vanish",
          "[nonlinear]") {
  for (const int n : {1, 2, 5, 9}) {
    for (const int stages : {1, 2, 3, 4, 5}) {
      for (const int intervals : {3, 70}) {
        for (const double density : {0.0, 0.1, 0.3, 0.6}) {
          // Where nothing is stiff, and where every row is exchanged in some lanes.
          for (const double size : {1.0, 30.0, 1e4}) {
            CAPTURE(n, stages, intervals, density, size);
            Eliminated(n, stages, intervals, size, density).check();
          }
        }
      }
    }
  }
}

TEST_CASE("a Jacobian that vanishes elsewhere than the last one is taken in its place",
          "[nonlinear]") {
  Eliminated one(4, 3, 20, 1, 0.2);
  one.check();
  for (int i = 0; i < 20; ++i) {
    for (int j = 0; j < 3; ++j) {
      for (int c = 0; c < 4; ++c) {
        *one.J(i, j, 1, c) = 0;
        *one.J(i, j, 2, c) = 0.3 * c - j;
      }
    }
  }
  one.check();
}

TEST_CASE("an entry of the Jacobian that is there at one stage alone is taken", "[nonlinear]") {
  constexpr int intervals = 25, stages = 3;
  for (const int interval : {0, 11, intervals - 1}) {
    for (int stage = 0; stage < stages; ++stage) {
      CAPTURE(interval, stage);
      Eliminated one(6, stages, intervals, 1, 0);
      *one.J(interval, stage, 4, 1) = 3;
      one.check();
    }
  }
}

TEST_CASE("rows are exchanged where diagonals are small, in each interval by itself",
          "[nonlinear]") {
  Eliminated(4, 3, 20, 1e3).check();
  // 1 - h a_11 J = 0 in one of them.
  Eliminated one(2, 2, 9, 1);
  *one.J(5, 0, 0, 0) = 4 / one.step(5);
  *one.J(5, 0, 1, 0) = 1e3;
  one.check();
}

TEST_CASE("rows are exchanged where a diagonal is small beside zeros of the Jacobian",
          "[nonlinear]") {
  // 1 - h a_11 J is next to nothing in one of them, 1 - h a_22 J is not.
  Eliminated one(6, 2, 70, 1, 0.3);
  *one.J(5, 0, 0, 0) = 4 / one.step(5) * (1 - 1e-10);
  *one.J(5, 1, 0, 0) = 1 / one.step(5);
  one.check();
}

TEST_CASE("the first interval whose slopes cannot be eliminated is told", "[nonlinear]") {
  // One component that depends on itself, beside others that are eliminated by blocks or by rows.
  for (const int others : {0, 5}) {
    CAPTURE(others);
    Eliminated alone(1 + others, 1, 130, 1, 0);
    for (const int i : {70, 40}) *alone.J(i, 0, 0, 0) = 2 / alone.step(i);
    CHECK(alone.first_lost() == 40);
  }
  // What is no number, in the row of a component that no other one depends on.
  Eliminated beside(6, 1, 130, 1, 0);
  *beside.J(50, 0, 0, 3) = std::nan("");
  CHECK(beside.first_lost() == 50);
  Eliminated one(1, 1, 9, 1);
  for (const int i : {7, 4}) *one.J(i, 0, 0, 0) = 2 / one.step(i);
  CHECK(one.first_lost() == 4);
  *one.J(2, 0, 0, 0) = std::nan("");
  CHECK(one.first_lost() == 2);
}

}  // namespace daewave::bvp
