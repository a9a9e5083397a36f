#pragma once
// Rows of which a plot needs no others.

#include <cstddef>
#include <vector>

namespace daewave::page {

/// Numbers of the rows that keep, of each column in each of `bins` equal parts of t, the first,
/// the last, the least and the largest: a plot that is `bins` pixels wide is the same as of all
/// rows. In order. All of them where these are not fewer.
/// @param t  monotonic. @param columns  as long as t each.
std::vector<std::size_t> rows_seen(const std::vector<double>& t,
                                   const std::vector<const std::vector<double>*>& columns,
                                   int bins);

}  // namespace daewave::page
