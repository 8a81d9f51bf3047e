#include "instants.hpp"
#include "spacedyn/control/rheonomic_distance.hpp"
#include "spacedyn/forces/spring_damper.hpp"

namespace spacedyn::python {
namespace {

std::vector<double> numbers(const ArrayLike& source, const char* name) {
  const VectorX read = read_vector(source, -1, name);
  return {read.begin(), read.end()};
}

py::tuple law_at(const SpringLaw& law, double stretch) {
  const SpringLaw::Value value = law.at(stretch);
  return py::make_tuple(value.force, value.stiffness, value.energy);
}

std::shared_ptr<SpringDamper> spring_damper(const std::string& name, const Frame& start,
                                            const Frame& end, double stiffness, double damping,
                                            double rest_length,
                                            const std::optional<SpringLaw>& spring) {
  SpringDamper::Settings settings;
  settings.from = start;
  settings.to = end;
  settings.stiffness = stiffness;
  settings.damping = damping;
  settings.rest_length = rest_length;
  settings.spring = spring;
  return std::make_shared<SpringDamper>(name, settings);
}

std::shared_ptr<JointSpring> joint_spring(const std::string& name, const ModelHandle& model,
                                          const IndexArgument& joint, const SpringLaw& spring,
                                          double damping, double rest_position) {
  auto element = std::make_shared<JointSpring>(
      name, JointSpring::Settings{joint.joint_of(*model), spring, damping, rest_position});
  element->check(*model);
  return element;
}

}  // namespace

void bind_springs(py::module_& m) {
  py::class_<SpringLaw>(m, "SpringLaw",
                        "F(s) of a spring that is no straight line, N over m or N m over rad,\n"
                        "positive where it pulls back from a positive stretch.")
      .def_static(
          "polynomial",
          [](const ArrayLike& coefficients) {
            return SpringLaw::polynomial(numbers(coefficients, "coefficients"));
          },
          py::arg("coefficients"), "F = c_1 s + c_2 s² + …; a progressive spring has c_1 and c_3.")
      .def_static(
          "table",
          [](const ArrayLike& stretches, const ArrayLike& forces) {
            return SpringLaw::table(numbers(stretches, "stretches"), numbers(forces, "forces"));
          },
          py::arg("stretches"), py::arg("forces"),
          "A smooth curve through points that rises and falls only where they do, and goes on\n"
          "straight beyond them.")
      .def("at", &law_at, py::arg("stretch"), "(F, dF/ds, ∫ F ds from no stretch).");
  py::class_<SpringDamper, ForceElement, std::shared_ptr<SpringDamper>>(
      m, "SpringDamper",
      "Pulls two points of two bodies together with k (ℓ − ℓ_0) + c ℓ̇; a SpringLaw, spring,\n"
      "stands in place of k.")
      .def(py::init(&spring_damper), py::arg("name"), py::arg("start"), py::arg("end"),
           py::arg("stiffness") = 0.0, py::arg("damping") = 0.0, py::arg("rest_length") = 0.0,
           py::kw_only(), py::arg("spring") = py::none());
  py::class_<JointSpring, ForceElement, std::shared_ptr<JointSpring>>(
      m, "JointSpring",
      "τ = −F(q − q_0) − D q̇ of one joint, beside what its model gives it; F is a SpringLaw.")
      .def(py::init(&joint_spring), py::arg("name"), py::arg("model"), py::arg("joint"),
           py::arg("spring"), py::arg("damping") = 0.0, py::arg("rest_position") = 0.0);
  py::class_<Tether, ForceElement, std::shared_ptr<Tether>>(
      m, "Tether",
      "Pulls its points together with T = max(0, k (ℓ − ℓ_0) + c ℓ̇) where ℓ > ℓ_0; ℓ is the "
      "length\n"
      "from start through the frames via to end. Events: '<name> taut', '<name> slack'.")
      .def(py::init([](const std::string& name, const Frame& start, const Frame& end,
                       double stiffness, double rest_length, double damping,
                       const std::vector<Frame>& via) {
             return std::make_shared<Tether>(
                 name, Tether::Settings{start, end, via, stiffness, damping, rest_length});
           }),
           py::arg("name"), py::arg("start"), py::arg("end"), py::arg("stiffness"),
           py::arg("rest_length"), py::arg("damping") = 0.0, py::arg("via") = std::vector<Frame>());
  py::class_<WinchTether, Tether, std::shared_ptr<WinchTether>>(
      m, "WinchTether", "A Tether whose rest length follows a Reference, m.")
      .def(py::init([](const std::string& name, const Frame& start, const Frame& end,
                       double stiffness, std::shared_ptr<Reference> rest_length, double damping,
                       const std::vector<Frame>& via) {
             return std::make_shared<WinchTether>(
                 name, Tether::Settings{start, end, via, stiffness, damping, 0.0},
                 std::move(rest_length));
           }),
           py::arg("name"), py::arg("start"), py::arg("end"), py::arg("stiffness"),
           py::arg("rest_length"), py::arg("damping") = 0.0, py::arg("via") = std::vector<Frame>());
}

}  // namespace spacedyn::python
