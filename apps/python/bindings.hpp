/// @file
/// The parts of the module, each in a source of its own, and what they have in common.
#pragma once

#include <memory>
#include <optional>

#include "arrays.hpp"
#include "spacedyn/dynamics/derivatives.hpp"
#include "spacedyn/dynamics/tree_motion.hpp"
#include "spacedyn/model/model.hpp"
#include "spacedyn/state/loads.hpp"
#include "spacedyn/state/state.hpp"

namespace spacedyn::python {

/// Makes the exceptions of the library those of the package.
void bind_errors(py::module_& m);
/// @name One for each source
/// @{
void bind_model(py::module_& m);
void bind_description(py::module_& m);
void bind_parts_of_descriptions(py::module_& m);
void bind_drive_trains(py::module_& m);
void bind_state(py::module_& m);
void bind_kinematics(py::module_& m);
void bind_jacobians(py::module_& m);
void bind_inertia(py::module_& m);
void bind_space_robot(py::module_& m);
void bind_impacts(py::module_& m);
void bind_reconfiguration(py::module_& m);
void bind_dynamics(py::module_& m);
void bind_derivatives(py::module_& m);
void bind_constraints(py::module_& m);
void bind_loop_assembly(py::module_& m);
void bind_rotations(py::module_& m);
void bind_attitudes(py::module_& m);
void bind_robots(py::module_& m);
void bind_foreign(py::module_& m);
void bind_references(py::module_& m);
void bind_elements(py::module_& m);
void bind_analysis(py::module_& m);
void bind_inverse_kinematics(py::module_& m);
void bind_trajectories(py::module_& m);
void bind_resolved_rates(py::module_& m);
void bind_batch(py::module_& m);
void bind_scenario(py::module_& m);
void bind_simulation(py::module_& m);
void bind_stored_results(py::module_& m);
void bind_sweeps(py::module_& m);
void bind_fits(py::module_& m);
void bind_terramechanics(py::module_& m);
/// @}

/// Memory of the O(n) dynamics of one model, sized once.
struct DynamicsMemory {
  explicit DynamicsMemory(const Model& model);
  TreeWorkspace workspace;
  Loads loads;  ///< where the caller gives none
  VectorX acceleration, forces;
};

/// A Model with memory for repeated evaluations, which is why a call allocates nothing but its
/// result. The lock of the interpreter guards it: whoever uses the memory must hold that.
class ModelHandle {
 public:
  explicit ModelHandle(std::shared_ptr<const Model> model) : model_(std::move(model)) {}
  explicit ModelHandle(Model model) : model_(std::make_shared<const Model>(std::move(model))) {}
  const Model& operator*() const { return *model_; }
  const Model* operator->() const { return model_.get(); }
  const std::shared_ptr<const Model>& pointer() const { return model_; }
  DynamicsMemory& dynamics();
  DerivativesWorkspace& derivatives();

 private:
  std::shared_ptr<const Model> model_;
  std::unique_ptr<DynamicsMemory> dynamics_;
  std::unique_ptr<DerivativesWorkspace> derivatives_;
};

/// A frame as an argument: a Frame, or the name of a frame, a link or `<link>.com`.
struct FrameArgument {
  py::object object;
  /// @throws DomainError naming the nearest known name
  Frame on(const Model& model) const;
};

/// A body or a joint as an argument: its index or its name.
struct IndexArgument {
  py::object object;
  int body_of(const Model& model) const;   ///< 0…n
  int joint_of(const Model& model) const;  ///< 1…n
};

/// Joints by name or number. @throws DomainError as joint_of()
std::vector<int> joints_of(const std::vector<IndexArgument>& joints, const Model& model);

/// A path as an argument: a text or anything that os.fspath() takes.
struct PathArgument {
  std::string text;
};

/// A Python object that C++ may release in any thread.
using SharedObject = std::shared_ptr<py::object>;
SharedObject keep(py::object object);

}  // namespace spacedyn::python

namespace pybind11::detail {

template <>
struct type_caster<spacedyn::python::FrameArgument> {
  PYBIND11_TYPE_CASTER(spacedyn::python::FrameArgument, const_name("Union[Frame, str]"));
  bool load(handle source, bool) {
    if (!PyUnicode_Check(source.ptr()) && !isinstance<spacedyn::Frame>(source)) return false;
    value.object = reinterpret_borrow<object>(source);
    return true;
  }
  static handle cast(const spacedyn::python::FrameArgument& value, return_value_policy, handle) {
    return handle(value.object).inc_ref();
  }
};

template <>
struct type_caster<spacedyn::python::IndexArgument> {
  PYBIND11_TYPE_CASTER(spacedyn::python::IndexArgument, const_name("Union[int, str]"));
  bool load(handle source, bool) {
    if (!PyUnicode_Check(source.ptr()) && !PyIndex_Check(source.ptr())) return false;
    value.object = reinterpret_borrow<object>(source);
    return true;
  }
  static handle cast(const spacedyn::python::IndexArgument& value, return_value_policy, handle) {
    return handle(value.object).inc_ref();
  }
};

template <>
struct type_caster<spacedyn::python::PathArgument> {
  PYBIND11_TYPE_CASTER(spacedyn::python::PathArgument, const_name("PathArgument"));
  bool load(handle source, bool) {
    const auto path = reinterpret_steal<object>(PyOS_FSPath(source.ptr()));
    if (!path) PyErr_Clear();
    if (!path || !PyUnicode_Check(path.ptr())) return false;
    value.text = path.cast<std::string>();
    return true;
  }
  static handle cast(const spacedyn::python::PathArgument& value, return_value_policy, handle) {
    return str(value.text).release();
  }
};

}  // namespace pybind11::detail
