#include "core/adapt/function_arrays.hpp"

namespace daewave {

std::vector<FunctionArray> arrays_of(const ProblemFunctions& of) {
  const Sizes& n = of.sizes;
  const bool diagonal = of.mass == Structure::Mass::diagonal;
  using F = ProblemFunctions;
  const FunctionArray f{Ask::f, "f", &F::f, &Terms::f, n.nq, 1};
  const FunctionArray M{Ask::M, "M", &F::M, &Terms::M, n.nq, diagonal ? 1 : n.nq};
  const FunctionArray B{Ask::B, "B", &F::B, &Terms::B, n.nq, n.ny};
  const FunctionArray g{Ask::g, "g", &F::g, &Terms::g, n.nl(), 1};
  const FunctionArray G{Ask::G, "G", &F::G, &Terms::G, n.nl(), n.nq};
  const FunctionArray g_t{Ask::g_t, "g_t", &F::g_t, &Terms::g_t, n.nl(), 1};
  const FunctionArray curvature{Ask::curvature,    "curvature", &F::curvature,
                                &Terms::curvature, n.nl(),      1};
  const FunctionArray f_q{Ask::f_q, "f_q", &F::f_q, &Terms::f_q, n.nq, n.nq};
  const FunctionArray f_v{Ask::f_v, "f_v", &F::f_v, &Terms::f_v, n.nq, n.nq};
  switch (of.kind) {
    case Kind::ordinary:
      return {f, f_q};
    case Kind::index_2:
      return {f, B, g, G, g_t, f_q};
    case Kind::second_order:
      return {f, B, g, G, g_t, curvature, f_q, f_v};
    case Kind::multibody:
      return {f, M, g, G, g_t, curvature, f_q, f_v};
    case Kind::invariants:
      return {f,
              f_q,
              {Ask::f_w, "f_w", &F::f_w, &Terms::f_w, n.nq, n.nw},
              {Ask::r_q, "r_q", &F::r_q, &Terms::r_q, n.nw, n.nq},
              {Ask::r, "r", &F::r, &Terms::r, n.nw, 1},
              {Ask::h, "h", &F::h, &Terms::h, n.nh, 1},
              {Ask::r_w, "r_w", &F::r_w, &Terms::r_w, n.nw, n.nw},
              {Ask::H, "H", &F::H, &Terms::H, n.nh, n.nq}};
  }
  return {};
}

bool is_of_f_jacobian(Ask what) { return asks(Ask::f_q | Ask::f_v | Ask::f_w | Ask::r_q, what); }

const FunctionArray* first_of_f_jacobian(const ProblemFunctions& of,
                                         const std::vector<FunctionArray>& arrays, bool given) {
  for (const FunctionArray& array : arrays) {
    if (!is_of_f_jacobian(array.what) || array.rows * array.columns == 0) continue;
    if (static_cast<bool>(of.*array.function) == given) return &array;
  }
  return nullptr;
}

}  // namespace daewave
