#include <cmath>

#include <fmt/format.h>

#include "spacedyn/error.hpp"
#include "spacedyn/recording/channels.hpp"

namespace spacedyn {
namespace {

/// A state may be finite where what follows from it is not, for instance its energy.
[[noreturn]] void refuse_row(const std::vector<Column>& columns, const VectorX& row, double time) {
  std::size_t i = 0;
  while (std::isfinite(row(static_cast<Eigen::Index>(i)))) ++i;
  throw NumericalError(fmt::format("integration stopped at t = {:.9g} s: '{}' is not finite, its "
                                   "row is not written",
                                   time, columns[i].name),
                       time, 0, columns[i].name);
}

}  // namespace

RowSink::~RowSink() = default;

Recorder::Recorder(RowLayout& layout, RowSink& sink)
    : layout_(layout), sink_(sink), row_(static_cast<Eigen::Index>(layout.columns().size())) {}

void Recorder::on_output(const SimulationPoint& point) {
  layout_.fill(point, row_);
  if (!row_.allFinite()) refuse_row(layout_.columns(), row_, point.time);
  sink_.write(row_);
}

bool Recorder::on_step(double /*time*/, const IntegratorStatistics& /*statistics*/) {
  sink_.poll();
  return true;
}

}  // namespace spacedyn
