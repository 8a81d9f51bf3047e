#include "spacedyn/recording/channels.hpp"

namespace spacedyn {

RowSink::~RowSink() = default;

Recorder::Recorder(RowLayout& layout, RowSink& sink)
    : layout_(layout), sink_(sink), row_(static_cast<Eigen::Index>(layout.columns().size())) {}

void Recorder::on_output(const SimulationPoint& point) {
  layout_.fill(point, row_);
  sink_.write(row_);
}

bool Recorder::on_step(double /*time*/, const IntegratorStatistics& /*statistics*/) {
  sink_.poll();
  return true;
}

}  // namespace spacedyn
