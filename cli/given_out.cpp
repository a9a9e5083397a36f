#include "cli/given_out.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

#include "core/error.hpp"
#include "core/not_finite.hpp"
#include "ivp/run/state_names.hpp"

namespace daewave::cli {

GivenOut::GivenOut(const catalogue::InitialValueProblem& problem, std::string csv, bool compared)
    : problem_(problem),
      csv_(std::move(csv)),
      compared_(compared && problem.reference(problem.interval().begin).has_value()),
      second_order_(problem.second_order()),
      nz_(static_cast<int>(problem.start().size())) {}

bool GivenOut::take(const ivp::Output& output) {
  if (compared_) compare(output);
  if (csv_.empty()) return true;
  try {
    write(output);
  } catch (const FileError&) {
    refused_ = std::current_exception();
  }
  return refused_ == nullptr;
}

void GivenOut::compare(const ivp::Output& output) {
  const Eigen::Map<const VecX> z(output.state, nz_);
  last_ = largest_size(z - *problem_.reference(output.t));
  if (!known_ || last_ > most_ || std::isnan(last_)) {
    most_ = last_;
    most_at_ = output.t;
  }
  known_ = true;
}

void GivenOut::write(const ivp::Output& output) {
  if (!rows_) {
    rows_ = std::make_unique<io::CsvStream>(
        csv_, ivp::column_names(nz_, output.ny, second_order_, output.carries_By));
  }
  row_.assign(1, output.t);
  row_.insert(row_.end(), output.state, output.state + nz_);
  if (output.multiplier) {
    row_.insert(row_.end(), output.multiplier, output.multiplier + output.ny);
  } else {
    row_.resize(row_.size() + static_cast<std::size_t>(output.ny),
                std::numeric_limits<double>::quiet_NaN());
  }
  rows_->add(row_);
}

void GivenOut::commit() {
  if (refused_) std::rethrow_exception(refused_);
  if (rows_) rows_->commit();
}

std::string GivenOut::error_line() const {
  if (!known_) return {};
  return fmt::format("error against the reference: {:.2e} at the end, {:.2e} at most (t = {:.4g})",
                     last_, most_, most_at_);
}

}  // namespace daewave::cli
