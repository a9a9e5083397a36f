#pragma once
// Colours that people with any kind of colour vision tell apart, also in this order on paper.

#include <array>

namespace daewave::io {

/// Okabe and Ito's palette without its yellow, which is too pale on white; grey; and one for what
/// is no component: errors, iterates, steps.
inline constexpr std::array<const char*, 9> palette{"#0072b2", "#d55e00", "#009e73",
                                                    "#cc79a7", "#e69f00", "#56b4e9",
                                                    "#000000", "#8c8c8c", "#5b2d8c"};
inline constexpr int no_component = 8;

/// Of a component from 0 on, also beyond the palette: never that of what is no component, and from
/// one round to the next told apart by its dashes.
inline int component_color(int component) { return component + component / no_component; }

inline const char* palette_color(int index) {
  const int size = static_cast<int>(palette.size());
  return palette[(index % size + size) % size];
}

}  // namespace daewave::io
