#pragma once
// The Jacobian of bodies in absolute coordinates that joints connect: each joint has one block for
// each of its two bodies, and nothing else is stored. With the bodies a, b of joint j
//
//   (G v)_j = J_j,first v_a + J_j,second v_b.

#include <utility>
#include <vector>

#include "core/kkt/joint_pattern.hpp"
#include "core/types.hpp"

namespace daewave {

/// Memory and products are linear in joints.
///
/// @tparam B  coordinates of a body: 3 in the plane.
/// @tparam R  most rows of a joint, 1 to B. Blocks take the memory and the time of R rows.
template <int B = 3, int R = B>
class JointJacobian {
  static_assert(1 <= R && R <= B, "a joint leaves its bodies a freedom, or none");

 public:
  /// R x B; rows that the joint does not have are zero.
  using Block = Mat<R, B>;

  /// Without joints.
  JointJacobian() = default;
  /// All blocks zero. @throws InvalidProblem  a joint has more rows than R.
  explicit JointJacobian(JointPatternPtr pattern) { reset(std::move(pattern)); }

  /// The same, later; keeps its blocks where the pattern is the one at hand.
  void reset(JointPatternPtr pattern) {
    if (pattern == pattern_) return;
    if (pattern) pattern->check_most_rows(R);
    blocks_.assign(pattern ? 2 * pattern->joints().size() : 0, Block::Zero());
    pattern_ = std::move(pattern);
  }

  const JointPatternPtr& pattern() const { return pattern_; }
  int joints() const { return static_cast<int>(blocks_.size() / 2); }
  int bodies() const { return pattern_ ? pattern_->bodies() : 0; }
  int rows() const { return pattern_ ? pattern_->rows() : 0; }
  int cols() const { return B * bodies(); }

  /// Of end 2 j, the first body of joint j, or 2 j + 1, its second; that of the ground stays zero.
  Block& end(int e) { return blocks_[static_cast<std::size_t>(e)]; }
  const Block& end(int e) const { return blocks_[static_cast<std::size_t>(e)]; }
  /// Body of an end, or Joint::ground.
  int body(int e) const {
    const Joint& joint = pattern_->joints()[static_cast<std::size_t>(e / 2)];
    return e % 2 == 0 ? joint.first : joint.second;
  }

  /// Copies the values. Without memory where `other` has the pattern at hand.
  void take(const JointJacobian& other) {
    reset(other.pattern_);
    blocks_ = other.blocks_;
  }

  /// One for all: finite where all entries are (or where they add up to more than a double holds).
  double sum() const {
    double sum = 0;
    for (const Block& block : blocks_) sum += block.sum();
    return sum;
  }

  MatX dense() const {
    MatX all = MatX::Zero(rows(), cols());
    for (int e = 0; e < 2 * joints(); ++e) {
      if (body(e) == Joint::ground) continue;
      const int count = pattern_->joints()[static_cast<std::size_t>(e / 2)].rows;
      all.block(pattern_->first_row(e / 2), B * body(e), count, B) = end(e).topRows(count);
    }
    return all;
  }

 private:
  JointPatternPtr pattern_;
  std::vector<Block> blocks_;
};

/// out = G v.
template <int B, int R, class V, class Out>
void apply(const JointJacobian<B, R>& G, const V& v, Out& out) {
  out.resize(G.rows());
  int row = 0;
  for (int j = 0; j < G.joints(); ++j) {
    const Joint& joint = G.pattern()->joints()[static_cast<std::size_t>(j)];
    Vec<R> of_joint = G.end(2 * j) * v.template segment<B>(B * joint.first);
    if (joint.second != Joint::ground) {
      of_joint += G.end(2 * j + 1) * v.template segment<B>(B * joint.second);
    }
    for (int i = 0; i < joint.rows; ++i) out[row++] = of_joint[i];
  }
}

/// out = G^T lambda.
template <int B, int R, class L, class Out>
void apply_transposed(const JointJacobian<B, R>& G, const L& lambda, Out& out) {
  out.setZero(G.cols());
  int row = 0;
  for (int j = 0; j < G.joints(); ++j) {
    const Joint& joint = G.pattern()->joints()[static_cast<std::size_t>(j)];
    Vec<R> force = Vec<R>::Zero();
    for (int i = 0; i < joint.rows; ++i) force[i] = lambda[row++];
    out.template segment<B>(B * joint.first) += G.end(2 * j).transpose() * force;
    if (joint.second != Joint::ground) {
      out.template segment<B>(B * joint.second) += G.end(2 * j + 1).transpose() * force;
    }
  }
}

}  // namespace daewave
