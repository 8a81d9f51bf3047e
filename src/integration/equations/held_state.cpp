#include "integration/equations/held_state.hpp"

namespace spacedyn {
namespace {

/// Vectors on their way between sample instants.
void transfer_ring(Archive& archive, std::vector<VectorX>& ring, Eigen::Index size,
                   long next_sample, long next_delayed) {
  for (VectorX& values : ring) {
    archive(values);
    archive.require(values.size() == size);
  }
  const long waiting = next_sample - next_delayed;
  archive.require(ring.empty() || (next_delayed >= 0 && waiting >= 0 &&
                                   static_cast<std::size_t>(waiting) <= ring.size()));
}

void transfer(Archive& archive, ValveMemory& valves) {
  const Eigen::Index size = valves.size();
  for (VectorX* row :
       {&valves.shuts, &valves.next_opens, &valves.next_shuts, &valves.held, &valves.settles}) {
    archive(*row);
    archive.require(row->size() == size);
  }
}

void transfer(Archive& archive, DiscreteState::ControllerState& controller) {
  const Eigen::Index size = controller.command.size();
  archive(controller.next_sample, controller.command, controller.on, controller.next_delayed);
  archive.require(controller.command.size() == size && controller.next_sample >= 0);
  transfer_ring(archive, controller.delayed, size, controller.next_sample, controller.next_delayed);
  transfer(archive, controller.valves);
}

void transfer(Archive& archive, DiscreteState::SensorState& sensor) {
  const Eigen::Index size = sensor.reading.size(), walk = sensor.memory.walk.size();
  archive(sensor.next_sample, sensor.reading, sensor.next_delayed, sensor.memory.walk,
          sensor.memory.position, sensor.memory.has_position);
  archive.require(sensor.reading.size() == size && sensor.memory.walk.size() == walk &&
                  sensor.next_sample >= 0);
  transfer_ring(archive, sensor.delayed, size, sensor.next_sample, sensor.next_delayed);
}

}  // namespace

void transfer_held(Archive& archive, DiscreteState& discrete) {
  for (DiscreteState::ControllerState& controller : discrete.controllers) {
    transfer(archive, controller);
  }
  for (DiscreteState::ConnectionState& connection : discrete.connections) {
    archive(connection.active, connection.position, connection.rotation, connection.length,
            connection.offset);
  }
  for (DiscreteState::SensorState& sensor : discrete.sensors) transfer(archive, sensor);
  const std::size_t tanks = discrete.tank_is_empty.size();
  archive(discrete.tank_is_empty);
  archive.require(discrete.tank_is_empty.size() == tanks);
}

}  // namespace spacedyn
