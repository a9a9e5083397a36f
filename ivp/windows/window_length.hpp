#pragma once
// How long the next window is: by the Legendre coefficients of the accelerations, whose decay tells
// the error at the end of order 16, and by the rate at which sweeps contract.

namespace daewave::ivp {

/// Sizes of coefficients k and k + 1, the largest of all entries, as velocities in units of the
/// tolerance.
struct Spectrum {
  double middle = 0;  ///< k = 2.
  double upper = 0;   ///< k = 4.
  double top = 0;     ///< k = 6.
};

/// Error at the end of a window, in units of the tolerance.
double end_error(const Spectrum& spectrum);
/// The same where the accelerations have a kink: it shows in how far their polynomial is from them
/// at the ends of the window, beside its last coefficient. 0 where they are smooth.
/// @param missed  that distance, as a velocity in units of the tolerance.
double kink_error(double missed, const Spectrum& spectrum);
/// And of the polynomial inside.
double inner_error(const Spectrum& spectrum);

/// Sweeps may stop where what is left to change is as small as that, in units of the tolerance.
inline constexpr double enough_swept = 0.118;
/// A window whose error is larger is tried again.
inline constexpr double most_error = 30;

/// The factor on the length after a window with that error, whose sweeps contracted by `rate`.
double next_factor(double error, double rate);
/// The rate to expect of sweeps of a window that is longer by that factor.
double expected_rate(double rate, double factor);

}  // namespace daewave::ivp
