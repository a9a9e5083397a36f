#pragma once
// The one include of every test: Catch2 in version 2 or 3, with the names both of them share.

#if __has_include(<catch2/catch.hpp>)
#include <catch2/catch.hpp>
#else
#include <catch2/catch_all.hpp>
using Catch::Approx;
#endif

#include <string>

/// Matcher for CHECK_THROWS_WITH and CHECK_THAT: the text occurs in the message.
inline auto contains_text(const std::string& text) {
#if __has_include(<catch2/catch.hpp>)
  return Catch::Matchers::Contains(text);
#else
  return Catch::Matchers::ContainsSubstring(text);
#endif
}
