/// @file
/// Controllers in shared objects, by the C interface of spacedyn/plugin.h.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "spacedyn/control/joint_controller.hpp"
#include "spacedyn/export.hpp"

namespace spacedyn {

/// The torques of some joints from a plug-in, limited to their drives.
///
/// A continuous one must not remember. What a sampled one remembers is saved with the state if it
/// exports `spacedyn_plugin_memory`; if it does not, a run begins with a new object, and one that
/// goes on from the middle is refused. Each thread that calls it has objects of its own.
class SPACEDYN_EXPORT PluginController final : public JointController {
 public:
  /// Stiffness, damping and reference are not used.
  struct Settings : JointTracking {
    std::string file;                                        ///< path of the shared object
    std::vector<std::pair<std::string, double>> parameters;  ///< names and values
    int reading_count = 0;                                   ///< numbers of all its sensors
  };

  /// Loads the shared object and creates a first object.
  /// @throws IoError if there is no such file or it cannot be loaded; DomainError if it lacks a
  /// function, is of another version, fails to create an object, or as ExternalController
  PluginController(std::string name, Settings settings);
  ~PluginController() override;

  const Settings& settings() const { return settings_; }
  const JointTracking& tracking() const override { return settings_; }
  DrivenJoints driven_joints() const override { return {settings_.joints, true}; }
  JointMotion joint_motion() const override { return {}; }
  bool uses_links() const override { return false; }
  /// The number of samples taken, then what the plug-in remembers, else the number of its object;
  /// none if it is continuous.
  int memory_size() const override;
  void advance(const EvaluationContext& context, VectorRef memory) const override;
  /// @throws NumericalError if the plug-in fails, a torque is not finite, or it cannot go on
  void command(const EvaluationContext& context, VectorRef command) const override;
  bool looks_at_readings() const override { return true; }

 private:
  class Library;
  class Object;
  static std::vector<std::unique_ptr<Object>>& kept_objects();
  Object& object(double time, ConstVectorRef memory) const;

  Settings settings_;
  std::shared_ptr<const Library> library_;
  int remembered_ = 0;                    // numbers
  long id_;                               // of this controller, never used again
  mutable std::atomic<long> numbers_{0};  // of objects
};

}  // namespace spacedyn
