#include "spacedyn/control/plugin_controller.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include "control/thread_memory.hpp"
#include "forces/element_checks.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/plugin.h"
#include "spacedyn/state/robot_state.hpp"

namespace spacedyn {
namespace {

constexpr std::size_t kMessageSize = 256;
/// Objects that a thread keeps.
constexpr std::size_t kKeptObjects = 64;

using Message = std::array<char, kMessageSize>;

/// What a plug-in wrote, after a colon.
std::string text_of(Message& message) {
  message.back() = '\0';
  return message.front() == '\0' ? std::string() : ": " + std::string(message.data());
}

[[noreturn]] void fail(const std::string& owner, const std::string& what, double time) {
  throw NumericalError('\'' + owner + "': " + what + " at t = " + std::to_string(time) + " s", time,
                       0, owner);
}

}  // namespace

/// A shared object that is loaded, and its functions.
class PluginController::Library {
 public:
  Library(const std::string& owner, const std::string& file) {
    if (!std::filesystem::exists(file)) {
      throw IoError(owner + "there is no plug-in '" + file + '\'');
    }
    // a name without a slash would be looked for among the libraries of the system
    const std::string path = std::filesystem::absolute(file).string();
    handle_ = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle_ == nullptr) {
      const char* reason = ::dlerror();
      throw IoError(owner + "the plug-in cannot be loaded: " +
                    (reason == nullptr ? path : std::string(reason)));
    }
    try {
      version = find<int (*)()>(owner, "spacedyn_plugin_version");
      create = find<decltype(&spacedyn_plugin_create)>(owner, "spacedyn_plugin_create");
      command = find<decltype(&spacedyn_plugin_command)>(owner, "spacedyn_plugin_command");
      destroy = find<decltype(&spacedyn_plugin_destroy)>(owner, "spacedyn_plugin_destroy");
      memory = reinterpret_cast<decltype(&spacedyn_plugin_memory)>(
          ::dlsym(handle_, "spacedyn_plugin_memory"));
      if (const int found = version(); found != SPACEDYN_PLUGIN_VERSION) {
        throw DomainError(owner + "the plug-in is of version " + std::to_string(found) +
                          " of the interface, not " + std::to_string(SPACEDYN_PLUGIN_VERSION));
      }
    } catch (...) {
      ::dlclose(handle_);
      throw;
    }
  }
  ~Library() { ::dlclose(handle_); }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  int (*version)() = nullptr;
  decltype(&spacedyn_plugin_create) create = nullptr;
  decltype(&spacedyn_plugin_command) command = nullptr;
  decltype(&spacedyn_plugin_destroy) destroy = nullptr;
  decltype(&spacedyn_plugin_memory) memory = nullptr;  // null: not exported

 private:
  template <typename Function>
  Function find(const std::string& owner, const char* name) {
    void* symbol = ::dlsym(handle_, name);
    if (symbol == nullptr) throw DomainError(owner + "the plug-in has no function '" + name + '\'');
    return reinterpret_cast<Function>(symbol);
  }

  void* handle_ = nullptr;
};

/// One object of a plug-in, with the memory of its calls.
class PluginController::Object {
 public:
  Object(const PluginController& owner, bool in_samples)
      : id(owner.id_), is_sampled(in_samples), library_(owner.library_), name_(owner.name()) {
    std::vector<const char*> names;
    std::vector<double> values;
    for (const auto& [parameter, value] : owner.settings_.parameters) {
      names.push_back(parameter.c_str());
      values.push_back(value);
    }
    const auto joints = static_cast<int>(owner.settings_.joints.size());
    Message message{};
    self_ = library_->create(static_cast<int>(names.size()), names.data(), values.data(), joints,
                             message.data(), static_cast<int>(message.size()));
    if (self_ == nullptr) {
      throw DomainError(owner_prefix(owner) + "the plug-in creates nothing" + text_of(message));
    }
    q_.resize(joints);
    qd_.resize(joints);
    readings_ = VectorX::Zero(owner.settings_.reading_count);
  }
  ~Object() { library_->destroy(self_); }
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;

  /// All that it remembers; none without the function.
  Eigen::Map<VectorX> memory() {
    double* numbers = nullptr;
    const int count = library_->memory == nullptr ? 0 : library_->memory(self_, &numbers);
    return {numbers, std::max(count, 0)};
  }

  void command(const EvaluationContext& context, const Settings& settings, VectorRef torques) {
    const State& state = context.state;
    for (Eigen::Index i = 0; i < q_.size(); ++i) {
      const int joint = settings.joints[static_cast<std::size_t>(i)] - 1;
      q_(i) = state.q(joint);
      qd_(i) = state.qd(joint);
    }
    if (context.readings != nullptr) readings_ = *context.readings;
    BaseMotion base{state.r_0, state.A_0, state.v_0, state.omega_0};
    for (const Robot& robot : context.model.robots()) {
      const bool is_its =
          settings.joints.front() >= robot.first && settings.joints.front() < robot.end;
      if (is_its) base = base_motion(context.model, robot, state);
    }
    const Quaternion turn = quaternion_from_matrix(base.A_0);
    const std::array<double, 4> wxyz = {turn.w(), turn.x(), turn.y(), turn.z()};
    const spacedyn_plugin_input input{context.time,
                                      static_cast<int>(q_.size()),
                                      q_.data(),
                                      qd_.data(),
                                      base.r_0.data(),
                                      wxyz.data(),
                                      base.v_0.data(),
                                      base.omega_0.data(),
                                      static_cast<int>(readings_.size()),
                                      readings_.data()};
    Message message{};
    const int failed = library_->command(self_, &input, torques.data(), message.data(),
                                         static_cast<int>(message.size()));
    if (failed != 0) {
      fail(name_, "the plug-in failed with " + std::to_string(failed) + text_of(message),
           context.time);
    }
    if (torques.allFinite()) return;
    fail(name_, "a torque of the plug-in is not finite" + text_of(message), context.time);
  }

  const long id;
  const bool is_sampled;  // else for what is asked for between samples
  double samples = 0.0;   // taken
  double number = 0.0;    // of an object that a run goes on with; 0 until its first sample is over
  bool is_latest = false;

 private:
  std::shared_ptr<const Library> library_;
  std::string name_;
  void* self_ = nullptr;
  VectorX q_, qd_, readings_;
};

PluginController::PluginController(std::string name, Settings settings)
    : JointController(std::move(name)), settings_(std::move(settings)) {
  id_ = next_controller_id();
  const std::string owner = owner_prefix(*this);
  if (settings_.joints.empty()) throw DomainError(owner + "it drives no joint");
  check_drives();
  for (const auto& [parameter, value] : settings_.parameters) {
    if (std::isfinite(value)) continue;
    throw DomainError(owner + "parameter '" + parameter + "' is not finite");
  }
  library_ = std::make_shared<const Library>(owner, settings_.file);
  remembered_ = static_cast<int>(Object(*this, true).memory().size());
}

PluginController::~PluginController() = default;

int PluginController::memory_size() const {
  if (sample_period() == 0.0) return 0;
  return library_->memory == nullptr ? 2 : 1 + remembered_;
}

std::vector<std::unique_ptr<PluginController::Object>>& PluginController::kept_objects() {
  thread_local std::vector<std::unique_ptr<Object>> kept;
  return kept;
}

PluginController::Object& PluginController::object(double time, ConstVectorRef memory) const {
  auto& kept = kept_objects();
  const bool in_samples = memory.size() > 0;
  const bool is_stored = library_->memory != nullptr;
  const double samples = in_samples ? memory(0) : 0.0;
  const auto place = std::find_if(kept.begin(), kept.end(), [&](const auto& each) {
    if (each->id != id_ || each->is_sampled != in_samples) return false;
    const bool is_its = is_stored || (each->samples == samples && each->number == memory(1));
    return !in_samples || is_its;
  });
  if (place != kept.end() && (samples > 0.0 || !in_samples)) return **place;
  if (samples > 0.0 && !is_stored) {
    fail(name(), "the plug-in cannot go on, for it does not export spacedyn_plugin_memory", time);
  }
  // a run that begins has a new object, and not one that was made in vain
  if (place != kept.end()) kept.erase(place);
  if (kept.size() >= kKeptObjects) kept.erase(kept.begin());
  return *kept.emplace_back(std::make_unique<Object>(*this, in_samples));
}

void PluginController::command(const EvaluationContext& context, VectorRef command) const {
  const int size = memory_size();
  const bool in_samples = size > 0 && context.auxiliary.size() == size;
  const ConstVectorRef memory = context.auxiliary.head(in_samples ? size : 0);
  Object& own = object(context.time, memory);
  if (in_samples && remembered_ > 0) own.memory() = memory.tail(remembered_);
  own.command(context, settings_, command);
  limit(context.model, command);
  for (const auto& each : kept_objects()) {
    if (each->id == id_) each->is_latest = each.get() == &own;
  }
}

void PluginController::advance(const EvaluationContext& context, VectorRef memory) const {
  auto& kept = kept_objects();
  // that of the command just before
  const auto own = std::find_if(kept.begin(), kept.end(), [&](const auto& each) {
    return each->id == id_ && each->is_latest;
  });
  if (own == kept.end()) fail(name(), "it has commanded nothing yet", context.time);
  memory(0) += 1.0;
  (*own)->samples = memory(0);
  if (library_->memory == nullptr) {
    if ((*own)->number == 0.0) (*own)->number = static_cast<double>(++numbers_);
    memory(1) = (*own)->number;
  } else if (remembered_ > 0) {
    memory.tail(remembered_) = (*own)->memory();
  }
}

}  // namespace spacedyn
