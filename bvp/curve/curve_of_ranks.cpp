#include "bvp/curve/curve_of_ranks.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace daewave::bvp {
namespace {

IntervalRange shared_by(const IntervalRange& a, const IntervalRange& b) {
  return {std::max(a.begin, b.begin), std::min(a.end, b.end)};
}
bool is_empty(const IntervalRange& range) { return range.end <= range.begin; }

/// Calls use(matrix, first column of the intervals, columns of them) for all that a curve is made
/// of. @param at  the first of these intervals, as they are counted in `values`.
template <class Values, class Use>
void over_columns(Values& values, int stages, int at, int intervals, const Use& use) {
  use(values.x, at, intervals + 1);
  for (auto* of_stages : {&values.slopes, &values.carried}) {
    if (of_stages->cols() > 0) use(*of_stages, at * stages, intervals * stages);
  }
  for (auto* of_ends : {&values.end_slopes, &values.end_carried}) {
    if (of_ends->cols() > 0) use(*of_ends, 2 * at, 2 * intervals);
  }
}

/// @param at  as above. @return all entries, one after the other.
std::string packed(const CollocationValues& values, int stages, int at, int intervals) {
  std::vector<double> numbers;
  over_columns(values, stages, at, intervals,
               [&](const MatX& from, Eigen::Index first, Eigen::Index columns) {
                 const double* const begin = from.data() + first * from.rows();
                 numbers.insert(numbers.end(), begin, begin + columns * from.rows());
               });
  return as_text(numbers);
}

void unpack(const std::string& text, int stages, int at, int intervals, CollocationValues& values) {
  const std::vector<double> numbers = as_numbers(text);
  auto from = numbers.begin();
  over_columns(values, stages, at, intervals,
               [&](MatX& to, Eigen::Index first, Eigen::Index columns) {
                 const auto count = static_cast<std::ptrdiff_t>(columns * to.rows());
                 std::copy_n(from, count, to.data() + first * to.rows());
                 from += count;
               });
}

/// Memory for some intervals of a curve.
CollocationValues memory_like(const CollocationValues& of, int stages, Eigen::Index intervals) {
  CollocationValues values;
  values.x.resize(of.x.rows(), intervals + 1);
  const auto resize = [&](const MatX& from, MatX& to, Eigen::Index each) {
    to.resize(from.rows(), from.cols() > 0 ? each * intervals : 0);
  };
  resize(of.slopes, values.slopes, stages);
  resize(of.carried, values.carried, stages);
  resize(of.end_slopes, values.end_slopes, 2);
  resize(of.end_carried, values.end_carried, 2);
  return values;
}

}  // namespace

CollocationCurve intervals_of(const CollocationCurve& mine, const MeshShare& share,
                              const IntervalRange& range) {
  const int k = mine.scheme().stages;
  const std::vector<double>& nodes = share.is_shared() ? share.mesh->nodes() : mine.mesh().nodes();
  Mesh mesh(std::vector<double>(nodes.begin() + range.begin, nodes.begin() + range.end + 1));
  CollocationValues values = memory_like(mine.values(), k, mesh.intervals());
  if (!share.is_shared()) {
    unpack(packed(mine.values(), k, range.begin, mesh.intervals()), k, 0, mesh.intervals(), values);
    return {std::move(mesh), mine.scheme(), std::move(values)};
  }
  const Communicator& ranks = *share.ranks;
  const double asked[] = {static_cast<double>(range.begin), static_cast<double>(range.end)};
  const std::vector<double> asked_by = gather(ranks, asked);
  const auto size = static_cast<std::size_t>(ranks.size());
  const auto held_by = [&](std::size_t rank) {
    return IntervalRange{share.shares[rank], share.shares[rank + 1]};
  };
  const IntervalRange here = held_by(static_cast<std::size_t>(ranks.rank()));
  std::vector<std::string> to(size);
  std::vector<bool> sends(size), from(size);
  for (std::size_t rank = 0; rank < size; ++rank) {
    const IntervalRange wanted{static_cast<int>(asked_by[2 * rank]),
                               static_cast<int>(asked_by[2 * rank + 1])};
    const IntervalRange for_it = shared_by(here, wanted);
    sends[rank] = !is_empty(for_it);
    if (sends[rank]) {
      to[rank] = packed(mine.values(), k, for_it.begin - here.begin, for_it.end - for_it.begin);
    }
    from[rank] = !is_empty(shared_by(held_by(rank), range));
  }
  const std::vector<std::string> received = exchange(ranks, std::move(to), sends, from);
  for (std::size_t rank = 0; rank < size; ++rank) {
    if (!from[rank]) continue;
    const IntervalRange of_it = shared_by(held_by(rank), range);
    unpack(received[rank], k, of_it.begin - range.begin, of_it.end - of_it.begin, values);
  }
  return {std::move(mesh), mine.scheme(), std::move(values)};
}

IntervalRange intervals_between(const Mesh& whole, double begin, double end) {
  return {std::max(whole.locate(begin) - 1, 0), std::min(whole.locate(end) + 2, whole.intervals())};
}

}  // namespace daewave::bvp
