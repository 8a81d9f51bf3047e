#include "bindings.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/kinematics/points.hpp"
#include "spacedyn/model/names.hpp"

namespace spacedyn::python {
namespace {

using Finder = std::optional<int> (Model::*)(std::string_view) const;

[[noreturn]] void throw_unknown(const std::string& kind, const std::string& name,
                                const std::vector<std::string>& known) {
  throw DomainError("there is no " + kind + " '" + name + "'" + did_you_mean(name, known));
}

std::vector<std::string> names_of_bodies(const Model& model) {
  std::vector<std::string> names;
  for (int i = 0; i < model.body_count(); ++i) names.push_back(model.body(i).name);
  return names;
}

std::vector<std::string> names_of_joints(const Model& model) {
  std::vector<std::string> names;
  for (int i = 1; i <= model.joint_count(); ++i) names.push_back(model.joint(i).name);
  return names;
}

/// An index of a sequence that runs from @p first to @p last.
int checked_index(py::handle object, const std::string& kind, int first, int last) {
  const auto index = py::cast<py::ssize_t>(py::int_(py::reinterpret_borrow<py::object>(object)));
  if (index < first || index > last) {
    throw DomainError("there is no " + kind + " " + std::to_string(index) + ", expected " +
                      std::to_string(first) + " to " + std::to_string(last));
  }
  return static_cast<int>(index);
}

}  // namespace

DynamicsMemory::DynamicsMemory(const Model& model)
    : workspace(model),
      loads(model),
      acceleration(VectorX::Zero(model.velocity_size())),
      forces(VectorX::Zero(model.velocity_size())) {}

DynamicsMemory& ModelHandle::dynamics() {
  if (!dynamics_) dynamics_ = std::make_unique<DynamicsMemory>(*model_);
  return *dynamics_;
}

DerivativesWorkspace& ModelHandle::derivatives() {
  if (!derivatives_) derivatives_ = std::make_unique<DerivativesWorkspace>(*model_);
  return *derivatives_;
}

Frame FrameArgument::on(const Model& model) const {
  if (PyUnicode_Check(object.ptr())) return model.frame(py::cast<std::string>(object));
  Frame frame = py::cast<Frame>(object);
  check_frame(model, frame);
  return frame;
}

int IndexArgument::body_of(const Model& model) const {
  if (!PyUnicode_Check(object.ptr())) return checked_index(object, "body", 0, model.joint_count());
  const auto name = py::cast<std::string>(object);
  if (const auto body = model.find_body(name)) return *body;
  throw_unknown("body", name, names_of_bodies(model));
}

int IndexArgument::joint_of(const Model& model) const {
  if (!PyUnicode_Check(object.ptr())) return checked_index(object, "joint", 1, model.joint_count());
  const auto name = py::cast<std::string>(object);
  if (const auto joint = model.find_joint(name)) return *joint;
  throw_unknown("joint", name, names_of_joints(model));
}

std::vector<int> joints_of(const std::vector<IndexArgument>& joints, const Model& model) {
  std::vector<int> numbers;
  for (const IndexArgument& joint : joints) numbers.push_back(joint.joint_of(model));
  return numbers;
}

SharedObject keep(py::object object) {
  return {new py::object(std::move(object)), [](py::object* kept) {
            // at the end of the process there may be no interpreter left to tell
            if (!Py_IsInitialized()) return;
            const py::gil_scoped_acquire lock;
            delete kept;
          }};
}

}  // namespace spacedyn::python
