#include "ivp/trains/known_terms.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace daewave::ivp {
namespace {

using ArrayOfTerms = AlignedVector KnownTerms::*;
constexpr std::array<ArrayOfTerms, 9> arrays_of_terms{
    &KnownTerms::t, &KnownTerms::q,         &KnownTerms::v, &KnownTerms::f,  &KnownTerms::M,
    &KnownTerms::G, &KnownTerms::curvature, &KnownTerms::g, &KnownTerms::g_t};

}  // namespace

KnownTerms::KnownTerms(const Sizes& sizes, Structure::Mass mass, int points)
    : width(points), nq(sizes.nq), nl(sizes.nl()) {
  const auto room = [points](AlignedVector& of, int entries) {
    of.assign(static_cast<std::size_t>(entries * points), 0.0);
  };
  room(t, 1);
  room(q, nq);
  room(v, nq);
  room(f, nq);
  room(M, mass == Structure::Mass::diagonal ? nq : nq * nq);
  room(G, nl * nq);
  for (AlignedVector* one : {&curvature, &g, &g_t}) room(*one, nl);
}

void KnownTerms::take(Ask what, const Terms& from, const Points& at, int first) {
  const auto copy = [this, first](const double* source, int stride, AlignedVector& to) {
    const int entries = static_cast<int>(to.size()) / width;
    for (int i = 0; i < entries; ++i) {
      std::copy_n(source + static_cast<long>(i) * stride + first, width, to.data() + i * width);
    }
  };
  copy(at.t, at.stride, t);
  copy(at.q, at.stride, q);
  copy(at.v, at.stride, v);
  // More may have been evaluated, and what was not asked for may be of another time.
  if (asks(what, Ask::f)) copy(from.f, from.stride, f);
  if (asks(what, Ask::M)) copy(from.M, from.stride, M);
  if (asks(what, Ask::G)) copy(from.G, from.stride, G);
  if (asks(what, Ask::curvature)) copy(from.curvature, from.stride, curvature);
  if (asks(what, Ask::g)) copy(from.g, from.stride, g);
  if (asks(what, Ask::g_t)) copy(from.g_t, from.stride, g_t);
}

KnownTerms KnownTerms::spread(int p, int points) const {
  KnownTerms all;
  all.width = points;
  all.nq = nq;
  all.nl = nl;
  for (const ArrayOfTerms member : arrays_of_terms) {
    const AlignedVector& from = this->*member;
    AlignedVector& to = all.*member;
    to.resize(from.size() / static_cast<std::size_t>(width) * static_cast<std::size_t>(points));
    for (std::size_t i = 0; i < to.size() / static_cast<std::size_t>(points); ++i) {
      std::fill_n(to.data() + i * static_cast<std::size_t>(points), points,
                  from[i * static_cast<std::size_t>(width) + static_cast<std::size_t>(p)]);
    }
  }
  return all;
}

void KnownTerms::copy_point(int p, const KnownTerms& other, int from) {
  for (const ArrayOfTerms member : arrays_of_terms) {
    const AlignedVector& source = other.*member;
    AlignedVector& to = this->*member;
    const int entries = static_cast<int>(to.size()) / width;
    for (int i = 0; i < entries; ++i) to[i * width + p] = source[i * other.width + from];
  }
}

bool KnownTerms::finite() const {
  for (const ArrayOfTerms member : arrays_of_terms) {
    for (const double one : this->*member) {
      if (!std::isfinite(one)) return false;
    }
  }
  return true;
}

}  // namespace daewave::ivp
