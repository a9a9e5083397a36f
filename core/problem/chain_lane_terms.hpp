#pragma once
// Where the terms of an open chain at several points are written, of a struct that states
//
//   template <class T>
//   void chain_terms(const T* q, const T* v, const T& t, const ChainLaneTerms<T>& at) const;
//
// beside M and G of one point; a T holds one number for each point, and q and v have 3 of each
// body.

namespace daewave {

/// Null is what was not asked for.
template <class T>
struct ChainLaneTerms {
  T* f = nullptr;          ///< 3 of each body.
  T* M = nullptr;          ///< The diagonal, 3 of each body.
  T* G = nullptr;          ///< own_i and before_i, 4 of each body; before_0 is zero.
  T* g = nullptr;          ///< 2 of each body.
  T* g_t = nullptr;        ///< 2 of each body.
  T* curvature = nullptr;  ///< 2 of each body.
};

}  // namespace daewave
