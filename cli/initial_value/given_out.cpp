#include "cli/initial_value/given_out.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

#include "core/error.hpp"
#include "core/not_finite.hpp"
#include "ivp/run/state_names.hpp"

namespace daewave::cli {

GivenOut::GivenOut(const catalogue::InitialValueProblem& problem, std::string csv, bool compared,
                   KeptRows& kept, const Interval& span)
    : problem_(problem),
      compared_(compared && problem.reference(problem.interval().begin).has_value()),
      second_order_(problem.second_order()),
      kept_(kept),
      begin_(span.begin),
      end_(span.end),
      nz_(static_cast<int>(problem.start().size())),
      rows_(std::move(csv)) {}

bool GivenOut::take(const ivp::Output& output) {
  try {
    if (!began_) {
      began_ = true;
      give_out_rows_before(output);
      if (dropped_) return true;
    }
    row_.assign(1, output.t);
    row_.insert(row_.end(), output.state, output.state + nz_);
    if (output.multiplier) {
      row_.insert(row_.end(), output.multiplier, output.multiplier + output.ny);
    } else {
      row_.resize(row_.size() + static_cast<std::size_t>(output.ny),
                  std::numeric_limits<double>::quiet_NaN());
    }
    kept_.add(row_);
    if (compared_) compare(output.t, output.state);
    if (rows_.wanted()) write(output.ny, output.carries_By);
  } catch (const FileError&) {
    refused_ = std::current_exception();
  }
  return refused_ == nullptr;
}

/// The first output of a run that goes on is where it does: a row only where the run before, had it
/// not been stopped, would have one, and it has given that out; or where there is no way to go.
void GivenOut::give_out_rows_before(const ivp::Output& first) {
  bool any = false;
  const double sign = end_ < begin_ ? -1 : 1;
  while (kept_.next_before(row_)) {
    // Rows behind the checkpoint are those of the run that was stopped, which come again.
    if (!row_.empty() && sign * (row_[0] - first.t) > 0) continue;
    any = true;
    const auto width = 1 + static_cast<std::size_t>(nz_ + first.ny);
    if (row_.size() != width) {
      throw FileError(fmt::format(
          "the rows before the checkpoint have {} numbers, those of this run {}; start anew",
          row_.size(), width));
    }
    kept_.add(row_);
    if (compared_) compare(row_[0], &row_[1]);
    if (rows_.wanted()) write(first.ny, first.carries_By);
    before_.t.push_back(row_[0]);
    const auto states = row_.begin() + 1;
    before_.states.insert(before_.states.end(), states, states + nz_);
    before_.multipliers.insert(before_.multipliers.end(), states + nz_, row_.end());
  }
  dropped_ = any && (before_.t.back() == first.t || first.t != end_);
}

void GivenOut::complete(ivp::Solution& solution) const {
  if (before_.t.empty() || solution.t.empty()) return;
  const auto put = [&](const std::vector<double>& before, int width, std::vector<double>& after) {
    if (dropped_) after.erase(after.begin(), after.begin() + width);
    after.insert(after.begin(), before.begin(), before.end());
  };
  put(before_.t, 1, solution.t);
  put(before_.states, solution.nz, solution.states);
  put(before_.multipliers, solution.ny, solution.multipliers);
}

void GivenOut::compare(double t, const double* state) {
  const Eigen::Map<const VecX> z(state, nz_);
  last_ = largest_size(z - *problem_.reference(t));
  if (!known_ || last_ > most_ || std::isnan(last_)) {
    most_ = last_;
    most_at_ = t;
  }
  known_ = true;
}

void GivenOut::write(int ny, bool carries_By) {
  if (!rows_.is_open()) {
    rows_.open(
        ivp::column_names(problem_.problem().state_names(), nz_, ny, second_order_, carries_By));
  }
  rows_.add(row_);
}

void GivenOut::commit() {
  if (refused_) std::rethrow_exception(refused_);
  rows_.commit();
}

std::string GivenOut::error_line() const {
  if (!known_) return {};
  return fmt::format("error against the reference: {:.2e} at the end, {:.2e} at most (t = {:.4g})",
                     last_, most_, most_at_);
}

}  // namespace daewave::cli
