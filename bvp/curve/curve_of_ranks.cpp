#include "bvp/curve/curve_of_ranks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/blocks/partitions.hpp"
#include "core/error.hpp"

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

/// The curve on a mesh, each range of its intervals by itself: what is evaluated together has no
/// bits of others.
CollocationValues on_partitions(const CollocationCurve& curve, const Mesh& mesh,
                                const Collocation& scheme,
                                const std::vector<IntervalRange>& ranges) {
  CollocationValues all;
  const int k = scheme.stages;
  for (const IntervalRange& range : ranges) {
    const int begin = range.begin, end = range.end;
    const auto first = mesh.nodes().begin() + begin, last = mesh.nodes().begin() + end;
    const CollocationValues part = curve.on(Mesh(std::vector<double>(first, last + 1)), scheme);
    const auto put = [&](const MatX& of_part, MatX& to, Eigen::Index columns, Eigen::Index at) {
      if (to.cols() == 0) to.resize(of_part.rows(), columns);
      to.middleCols(at, of_part.cols()) = of_part;
    };
    const Eigen::Index stages = static_cast<Eigen::Index>(k) * mesh.intervals();
    put(part.x, all.x, mesh.intervals() + 1, begin);
    // A node that ranks have both is found as the end of the range before it.
    all.x.col(begin) = curve.x(mesh.node(begin));
    put(part.slopes, all.slopes, stages, static_cast<Eigen::Index>(k) * begin);
    put(part.carried, all.carried, stages, static_cast<Eigen::Index>(k) * begin);
  }
  return all;
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

MeshShare share_evenly(const Communicator* ranks, Mesh& mesh) {
  MeshShare share;
  if (ranks == nullptr) return share;
  share.ranks = ranks;
  share.all = mesh.intervals();
  share.begin = mesh.begin();
  share.end = mesh.end();
  const int pieces = partitions_for_ranks(share.all);
  for (int p = 0; p <= pieces; ++p) {
    share.borders.push_back(static_cast<int>(static_cast<long>(share.all) * p / pieces));
  }
  share.is_alike = ranks->size() > pieces;
  if (share.is_alike) return share;
  share.shares = share_borders(share.borders, ranks->size());
  const int me = ranks->rank();
  share.first = share.shares[me];
  share.mesh = std::make_shared<const Mesh>(std::move(mesh));
  const auto begin = share.mesh->nodes().begin();
  mesh = Mesh(std::vector<double>(begin + share.first, begin + share.shares[me + 1] + 1));
  return share;
}

CollocationValues on_mesh(const CollocationCurve& curve, const MeshShare& share_of_curve,
                          const Mesh& mesh, const MeshShare& share, const Collocation& scheme) {
  if (share.ranks == nullptr) return curve.on(mesh, scheme);
  const CollocationCurve there = intervals_of(
      curve, share_of_curve,
      intervals_between(mesh_of_all(share_of_curve, curve.mesh()), mesh.begin(), mesh.end()));
  return on_partitions(there, mesh, scheme, share.ranges(mesh.intervals()));
}

CurveAround::CurveAround(std::shared_ptr<const CollocationCurve> curve, MeshShare share)
    : curve_(std::move(curve)), share_(std::move(share)) {
  if (!share_.is_shared()) return;
  const Eigen::Index nx = curve_->values().x.rows(), ny = curve_->values().carried.rows();
  const auto at_end = [&](double t) {
    const VecX x = curve_->x(t);
    std::vector<double> all(x.begin(), x.end());
    if (ny == 0) return all;
    const VecX carried = curve_->carried(t);
    all.insert(all.end(), carried.begin(), carried.end());
    return all;
  };
  const auto [first, last] =
      share_.ends(at_end(curve_->mesh().begin()), at_end(curve_->mesh().end()));
  first_ = Eigen::Map<const VecX>(first.data(), nx);
  last_ = Eigen::Map<const VecX>(last.data(), nx);
  first_carried_ = Eigen::Map<const VecX>(first.data() + nx, ny);
  last_carried_ = Eigen::Map<const VecX>(last.data() + nx, ny);
}

void CurveAround::attend(double begin, double end) {
  if (!share_.is_shared()) return;
  here_ = intervals_of(*curve_, share_, intervals_between(*share_.mesh, begin, end));
}

/// Null at an end of the whole curve that is not here.
const CollocationCurve* CurveAround::around(double t) const {
  if (!share_.is_shared()) return curve_.get();
  if (here_ && t >= here_->mesh().begin() && t <= here_->mesh().end()) return &*here_;
  if (t == share_.mesh->begin() || t == share_.mesh->end()) return nullptr;
  throw Error(fmt::format("t = {:.17g}: is not of the part of the curve that is here", t));
}

VecX CurveAround::x(double t) const {
  const CollocationCurve* const here = around(t);
  return here != nullptr ? here->x(t) : t == share_.mesh->begin() ? first_ : last_;
}

VecX CurveAround::carried(double t) const {
  const CollocationCurve* const here = around(t);
  return here != nullptr             ? here->carried(t)
         : t == share_.mesh->begin() ? first_carried_
                                     : last_carried_;
}

}  // namespace daewave::bvp
