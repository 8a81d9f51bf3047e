#include <variant>

#include <pybind11/stl.h>

#include "instants.hpp"
#include "spacedyn/control/function_controller.hpp"
#include "spacedyn/control/joint_pd.hpp"
#include "spacedyn/forces/function_force.hpp"

namespace spacedyn::python {
namespace {

/// A torque law in Python; an exception in it ends the run and comes out of it.
FunctionController::Law torque_law(const std::string& name, const py::object& function) {
  const SharedObject law = keep(function);
  const std::string what = "what the law of controller '" + name + "' returned";
  return [law, what](const EvaluationContext& context, VectorRef tau) {
    const py::gil_scoped_acquire lock;
    // the run says when and where a number is not finite, or tries a shorter step
    tau = read_vector({call_with(*law, context)}, tau.size(), what.c_str(), Numbers::any);
  };
}

/// What a law in Python remembers; without an update nothing.
FunctionController::Memory law_memory(const std::string& name, const py::object& function,
                                      int size) {
  if (function.is_none()) return {size, {}};
  const SharedObject update = keep(function);
  const std::string what = "what the update of controller '" + name + "' returned";
  return {size, [update, what](const EvaluationContext& context, VectorRef memory) {
            const py::gil_scoped_acquire lock;
            memory = read_vector({call_with(*update, context)}, memory.size(), what.c_str());
          }};
}

/// A force law in Python: adds to Loads of its own, which are added to the others.
FunctionForce::Law force_law(const py::object& function) {
  const SharedObject law = keep(function);
  return [law](const EvaluationContext& context, Loads& loads) {
    const py::gil_scoped_acquire lock;
    const py::object own = py::cast(Loads(context.model));
    auto& added = own.cast<Loads&>();
    added.gravity = loads.gravity;
    call_with(*law, context, own);
    loads.F_b += added.F_b;
    loads.tau += added.tau;
    loads.force += added.force;
    loads.moment += added.moment;
  };
}

void check_callable(const py::object& function) {
  if (PyCallable_Check(function.ptr()) == 0) {
    throw py::type_error("law: expected a function, got " +
                         py::cast<std::string>(py::repr(function)));
  }
}

std::shared_ptr<ExternalController> external_controller(
    const std::string& name, const ModelHandle& model, const std::vector<IndexArgument>& joints,
    double sample_period, const ArrayLike& effort_limit, double delay) {
  ExternalController::Settings settings;
  for (const IndexArgument& joint : joints) settings.joints.push_back(joint.joint_of(*model));
  if (!effort_limit.is_none()) {
    settings.effort_limit = read_vector(effort_limit, static_cast<py::ssize_t>(joints.size()),
                                        "effort_limit", Numbers::any);
  }
  settings.sample_period = sample_period;
  settings.digitization.delay = delay;
  return std::make_shared<ExternalController>(name, settings);
}

std::shared_ptr<JointPd> joint_pd(const std::string& name, const ModelHandle& model,
                                  const std::vector<IndexArgument>& joints,
                                  const ArrayLike& stiffness, const ArrayLike& damping,
                                  std::shared_ptr<Reference> reference,
                                  const ArrayLike& effort_limit, double sample_period) {
  JointPd::Settings settings;
  for (const IndexArgument& joint : joints) settings.joints.push_back(joint.joint_of(*model));
  const auto size = static_cast<py::ssize_t>(joints.size());
  settings.stiffness = read_vector(stiffness, size, "stiffness");
  settings.damping = read_vector(damping, size, "damping");
  if (!effort_limit.is_none()) {
    settings.effort_limit = read_vector(effort_limit, size, "effort_limit", Numbers::any);
  }
  settings.sample_period = sample_period;
  settings.reference = std::move(reference);
  return std::make_shared<JointPd>(name, settings);
}

void bind_controllers(py::module_& m) {
  py::class_<Controller, std::shared_ptr<Controller>>(m, "Controller", "Commands joint torques.")
      .def_property_readonly("name", &Controller::name, "name");
  py::class_<FunctionController, Controller, std::shared_ptr<FunctionController>>(
      m, "FunctionController",
      "τ = law(context), a Python function that returns (n,) torques, N m or N.\n\n"
      "joint_count is n of the model, or a list of joints, 1…n: the law returns one torque for "
      "each\n"
      "of them, and no other controller may drive one.\n\n"
      "Called at each evaluation, or every sample_period s and held in between; it must depend on\n"
      "the EvaluationContext only. An exception in it ends the run and is raised by simulate().\n\n"
      "A sampled law may remember `memory` numbers from one sample to the next, zero at first:\n"
      "both functions read them as context.auxiliary, update(context) returns those for the next\n"
      "sample. They are part of the state, saved in checkpoints and equal in equal runs.")
      .def(
          py::init([](const std::string& name,
                      const std::variant<int, std::vector<int>>& joint_count, const py::object& law,
                      double sample_period, int memory, const py::object& update) {
            check_callable(law);
            if (!update.is_none()) check_callable(update);
            return std::visit(
                [&](const auto& joints) {
                  return std::make_shared<FunctionController>(name, joints, torque_law(name, law),
                                                              sample_period,
                                                              law_memory(name, update, memory));
                },
                joint_count);
          }),
          py::arg("name"), py::arg("joint_count"), py::arg("law"), py::arg("sample_period") = 0.0,
          py::kw_only(), py::arg("memory") = 0, py::arg("update") = py::none());
  py::class_<ExternalController, Controller, std::shared_ptr<ExternalController>>(
      m, "ExternalController",
      "Joint torques that Simulation.command() gives, taken at samples and held in between.")
      .def(py::init(&external_controller), py::arg("name"), py::arg("model"), py::arg("joints"),
           py::arg("sample_period"), py::kw_only(), py::arg("effort_limit") = py::none(),
           py::arg("delay") = 0.0);
  py::class_<JointPd, Controller, std::shared_ptr<JointPd>>(
      m, "JointPd", "τ = K (q_ref − q) + D (q̇_ref − q̇) of some joints, limited to their drives.")
      .def(py::init(&joint_pd), py::arg("name"), py::arg("model"), py::arg("joints"),
           py::arg("stiffness"), py::arg("damping"), py::arg("reference"), py::kw_only(),
           py::arg("effort_limit") = py::none(), py::arg("sample_period") = 0.0);
}

void bind_forces(py::module_& m) {
  py::class_<ForceElement, std::shared_ptr<ForceElement>>(m, "ForceElement",
                                                          "Turns a state into loads.")
      .def_property_readonly("name", &ForceElement::name, "name");
  py::class_<FunctionForce, ForceElement, std::shared_ptr<FunctionForce>>(
      m, "FunctionForce",
      "law(context, loads), a Python function that adds to the Loads it is given, which are zero.\n"
      "Its power counts as work. An exception in it ends the run and is raised by simulate().")
      .def(py::init([](const std::string& name, const py::object& law) {
             check_callable(law);
             return std::make_shared<FunctionForce>(name, force_law(law));
           }),
           py::arg("name"), py::arg("law"));
}

}  // namespace

void bind_elements(py::module_& m) {
  bind_instants(m);
  bind_controllers(m);
  bind_forces(m);
  bind_springs(m);
  bind_motions(m);
}

}  // namespace spacedyn::python
