#include "integration/equations/run_memory.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "integration/equations/archive.hpp"
#include "spacedyn/integration/one_step_method.hpp"

namespace spacedyn {
namespace {

/// Of the order in which things are written; changes with every change of it.
constexpr int kLayout = 14;

}  // namespace

std::string seal(const std::string& contents) {
  int layout = kLayout;
  std::uint64_t sum = checksum(contents);
  Archive head;
  head(layout, sum);
  return head.bytes() + contents;
}

std::string_view unseal(std::string_view memory) {
  Archive head(memory);
  int layout = 0;
  std::uint64_t sum = 0;
  head(layout);
  if (layout != kLayout) {
    throw IoError("the checkpoint is of another version of spacedyn, or it is damaged");
  }
  head(sum);
  const std::string_view contents = memory.substr(memory.size() - head.remaining());
  if (sum != checksum(contents)) {
    throw IoError("the checkpoint is damaged: its check sum is not that of its contents");
  }
  return contents;
}

void transfer_momentum(Archive& archive, Momentum& momentum) {
  archive(momentum.linear, momentum.angular_base, momentum.angular_origin,
          momentum.angular_centroid);
}

std::string bytes_of(const IntegratorOptions& options) {
  IntegratorOptions copy = options;
  AbsoluteTolerance& absolute = copy.absolute_tolerance;
  Archive archive;
  archive(copy.method, copy.step, copy.relative_tolerance, absolute.position, absolute.attitude,
          absolute.joint, absolute.linear_velocity, absolute.angular_velocity,
          absolute.joint_velocity, absolute.auxiliary, copy.max_step, copy.project_momentum,
          copy.newmark_beta, copy.newmark_gamma, copy.contact_tolerance, copy.contact_iterations,
          copy.constraints);
  std::string own(options.stepper ? options.stepper->traits().name : std::string_view());
  archive(own);
  return archive.bytes();
}

std::vector<std::string> describe_setup(const SimulationSetup& setup,
                                        const std::vector<std::string>& auxiliary_names) {
  static constexpr const char* kModes[] = {"floating", "fixed", "prescribed"};
  std::vector<std::string> parts;
  parts.push_back(fmt::format("a {} base", kModes[static_cast<int>(setup.base_mode)]));
  for (int joint = 1; joint <= setup.model->joint_count(); ++joint) {
    parts.push_back(fmt::format("joint '{}'", setup.model->joint(joint).name));
  }
  for (const PrescribedJoint& prescribed : setup.prescribed_joints) {
    parts.push_back(
        fmt::format("the prescribed joint '{}'", setup.model->joint(prescribed.joint).name));
  }
  for (const int joint : setup.locked_joints) {
    parts.push_back(fmt::format("the locked joint '{}'", setup.model->joint(joint).name));
  }
  for (const Loop& loop : setup.model->loops()) {
    parts.push_back(fmt::format("the {} '{}'", loop_traits(loop.type).name, loop.name));
  }
  for (const Connection& connection : setup.connections) {
    const char* type =
        connection.is_rigid() ? loop_traits(connection.loop.type).name.data() : "bushing";
    parts.push_back(fmt::format("the {} connection '{}'", type, connection.name()));
  }
  for (const auto& force : setup.forces) parts.push_back(fmt::format("force '{}'", force->name()));
  for (const auto& controller : setup.controllers) {
    parts.push_back(fmt::format("controller '{}' of {} commands each {:.17g} s", controller->name(),
                                controller->command_size(), controller->sample_period()));
  }
  for (const Sensor& sensor : setup.sensors) {
    parts.push_back(fmt::format("{} '{}' of each {:.17g} s, seed {}", to_string(sensor.type),
                                sensor.name, sensor.sample_period, setup.seed));
  }
  for (const Tank& tank : setup.model->tanks()) {
    parts.push_back(fmt::format("tank '{}' of {:.17g} kg", tank.name, tank.propellant));
  }
  for (const Event& event : setup.events) parts.push_back(fmt::format("event '{}'", event.name));
  parts.insert(parts.end(), auxiliary_names.begin(), auxiliary_names.end());
  return parts;
}

void check_same_setup(const std::vector<std::string>& then, const std::vector<std::string>& now) {
  if (then == now) return;
  const auto part = [](const std::vector<std::string>& parts, std::size_t i) {
    return i < parts.size() ? parts[i] : std::string("nothing more");
  };
  std::size_t i = 0;
  while (part(then, i) == part(now, i)) ++i;
  throw DomainError(
      fmt::format("the checkpoint is of another system: it has {} where this one has {}",
                  part(then, i), part(now, i)));
}

}  // namespace spacedyn
