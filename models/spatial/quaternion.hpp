#pragma once
// Vectors and quaternions, of numbers and of expressions. Of a unit quaternion e that turns
// vectors s of a body's frame into those of the ground:
//
//   (0, R s) = e (0, s) e*,   e' = (0, omega) e / 2 = e (0, omega_body) / 2.

#include <array>

namespace daewave::models {

template <class T>
struct Vector {
  T x{}, y{}, z{};
};

/// w + x i + y j + z k: the Euler parameters e0, e1, e2, e3.
template <class T>
struct Quaternion {
  T w{}, x{}, y{}, z{};
};

template <class T>
Vector<T> operator+(const Vector<T>& a, const Vector<T>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T>
Vector<T> operator-(const Vector<T>& a, const Vector<T>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
Vector<T> operator-(const Vector<T>& a) {
  return {-a.x, -a.y, -a.z};
}
template <class T>
Vector<T> operator*(const T& factor, const Vector<T>& a) {
  return {factor * a.x, factor * a.y, factor * a.z};
}
template <class T>
T dot(const Vector<T>& a, const Vector<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
Vector<T> cross(const Vector<T>& a, const Vector<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

template <class T>
Quaternion<T> conjugate(const Quaternion<T>& a) {
  return {a.w, -a.x, -a.y, -a.z};
}
template <class T>
Quaternion<T> operator*(const Quaternion<T>& a, const Quaternion<T>& b) {
  return {
      a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
template <class T>
Vector<T> vector_part(const Quaternion<T>& a) {
  return {a.x, a.y, a.z};
}
template <class T>
T squared_norm(const Quaternion<T>& a) {
  return a.w * a.w + a.x * a.x + a.y * a.y + a.z * a.z;
}

/// R s, quadratic in e.
template <class T>
Vector<T> turned(const Quaternion<T>& e, const Vector<T>& s) {
  const T ww = e.w * e.w, xx = e.x * e.x, yy = e.y * e.y, zz = e.z * e.z;
  const T wx = e.w * e.x, wy = e.w * e.y, wz = e.w * e.z;
  const T xy = e.x * e.y, xz = e.x * e.z, yz = e.y * e.z, two = 2;
  return {(ww + xx - yy - zz) * s.x + two * (xy - wz) * s.y + two * (xz + wy) * s.z,
          two * (xy + wz) * s.x + (ww - xx + yy - zz) * s.y + two * (yz - wx) * s.z,
          two * (xz - wy) * s.x + two * (yz + wx) * s.y + (ww - xx - yy + zz) * s.z};
}

/// The same of numbers, for numbers or expressions.
template <class T>
Vector<T> vector_of(const std::array<double, 3>& of) {
  return {T(of[0]), T(of[1]), T(of[2])};
}
template <class T>
Quaternion<T> quaternion_of(const Quaternion<double>& of) {
  return {T(of.w), T(of.x), T(of.y), T(of.z)};
}

}  // namespace daewave::models
