#include <pybind11/stl.h>

#include "bindings.hpp"
#include "descriptions.hpp"
#include "spacedyn/terramechanics/wheel_soil.hpp"

namespace spacedyn::python {
namespace {

/// A pair of numbers, copied in and out as (2,).
void def_pair(py::class_<Soil>& type, const char* name, std::array<double, 2> Soil::*member,
              const char* doc) {
  type.def_property(
      name,
      [member](const Soil& self) {
        return to_array(Eigen::Map<const Eigen::Vector2d>((self.*member).data()));
      },
      [member, name](Soil& self, const ArrayLike& value) {
        const VectorX pair = read_vector(value, 2, name);
        self.*member = {pair(0), pair(1)};
      },
      doc);
}

void bind_soil(py::module_& m) {
  py::enum_<PressureLaw>(m, "PressureLaw", "How pressure grows with sinkage.")
      .value("bekker", PressureLaw::bekker)
      .value("reece", PressureLaw::reece);
  py::class_<Soil> soil(m, "Soil", "Parameters of a loose soil.");
  def_keywords(soil, "Soil");
  soil.def_readwrite("cohesion", &Soil::cohesion, "c, Pa")
      .def_readwrite("friction_angle", &Soil::friction_angle, "φ, internal, rad")
      .def_readwrite("k_c", &Soil::k_c, "cohesive modulus, N/m^(n+1); without unit after Reece")
      .def_readwrite("k_phi", &Soil::k_phi,
                     "frictional modulus, N/m^(n+2); without unit after Reece")
      .def_readwrite("exponent", &Soil::exponent, "n")
      .def_readwrite("exponent_slip", &Soil::exponent_slip, "what |slip| adds to n")
      .def_readwrite("density", &Soil::density, "ρ, kg/m³")
      .def_readwrite("a0", &Soil::a0, "θ_m = (a0 + a1 s) θ_f")
      .def_readwrite("a1", &Soil::a1, "θ_m = (a0 + a1 s) θ_f")
      .def_readwrite("lambda_", &Soil::lambda,
                     "λ: rise behind the wheel over sinkage (lambda is a word of Python)")
      .def_readwrite("destructive_angle", &Soil::destructive_angle, "X_c, rad; 0: 45° − φ/2")
      .def_readwrite("pressure", &Soil::pressure, "PressureLaw");
  def_pair(soil, "shear_modulus_x", &Soil::shear_modulus_x, "(2,): k_x = first + second |β|, m");
  def_pair(soil, "shear_modulus_y", &Soil::shear_modulus_y, "(2,): k_y = first + second |β|, m");
  def_pair(soil, "unloading_modulus", &Soil::unloading_modulus,
           "(2,): k_u = first + second z_u, N/m³ and N/m⁴");

  py::class_<SoilWheel> wheel(m, "SoilWheel", "A rigid wheel.");
  def_keywords(wheel, "SoilWheel");
  wheel.def_readwrite("radius", &SoilWheel::radius, "r, m")
      .def_readwrite("width", &SoilWheel::width, "b, m")
      .def_readwrite("grouser_height", &SoilWheel::grouser_height, "m");
}

void bind_plates(py::module_& m) {
  using Plate = double (*)(const Soil&, double, double, double);
  using PressedPlate = double (*)(const Soil&, double, double, double, double);
  m.def("shear_stress", &shear_stress, py::arg("soil"), py::arg("normal_stress"),
        py::arg("displacement"), py::arg("modulus"),
        "τ = (c + σ tan φ)(1 − e^(−j/k)) of Janosi and Hanamoto, odd in j, Pa.");
  m.def("plate_pressure", static_cast<Plate>(&plate_pressure), py::arg("soil"), py::arg("width"),
        py::arg("sinkage"), py::arg("gravity"), "p at a sinkage under a plate, Pa.");
  m.def("plate_pressure", static_cast<PressedPlate>(&plate_pressure), py::arg("soil"),
        py::arg("width"), py::arg("sinkage"), py::arg("gravity"), py::arg("deepest"),
        "The same where the soil was pressed to a depth before, zero above the floor, Pa.");
  m.def("plate_sinkage", &plate_sinkage, py::arg("soil"), py::arg("length"), py::arg("width"),
        py::arg("load"), py::arg("gravity"),
        "z under a load on a plate, m. Raises DomainError unless all are positive.");
  py::class_<PressedBed>(m, "PressedBed", "Soil that was pressed before, after Wong.")
      .def_readonly("floor", &PressedBed::floor, "depth of what is left of the sinkage, m")
      .def_readonly("modulus", &PressedBed::modulus, "k_u, N/m³");
  m.def("pressed_bed", &pressed_bed, py::arg("soil"), py::arg("width"), py::arg("deepest"),
        py::arg("gravity"),
        "PressedBed of soil that was pressed to a depth.\n\n"
        "Raises DomainError unless that is positive and the soil has an unloading modulus.");
  py::class_<CompactionResistance>(m, "CompactionResistance", "Of a towed rigid wheel.")
      .def_readonly("sinkage", &CompactionResistance::sinkage, "z, m")
      .def_readonly("resistance", &CompactionResistance::resistance, "R_c, N");
  m.def("compaction_resistance", &compaction_resistance, py::arg("wheel"), py::arg("soil"),
        py::arg("load"), py::arg("gravity"),
        "CompactionResistance by Bekker's closed form.\n\n"
        "Raises DomainError unless the load is positive and n < 3.");
}

void bind_results(py::module_& m) {
  py::class_<WheelSoilForce>(m, "WheelSoilForce",
                             "What soil does to a wheel, along its heading, across and upwards.")
      .def_readonly("drawbar_pull", &WheelSoilForce::drawbar_pull, "F_x, N")
      .def_readonly("side_force", &WheelSoilForce::side_force,
                    "F_y, N: against the slip to the side, positive for β > 0")
      .def_readonly("vertical_force", &WheelSoilForce::vertical_force, "F_z, N")
      .def_readonly("resistance_torque", &WheelSoilForce::resistance_torque,
                    "T about the spin axis, against the rotation, N m")
      .def_readonly("overturning_moment", &WheelSoilForce::overturning_moment,
                    "about the heading, N m")
      .def_readonly("aligning_moment", &WheelSoilForce::aligning_moment,
                    "about the upward axis, N m");
  py::class_<ContactAngles>(m, "ContactAngles",
                            "Where soil and wheel touch, from the lowest point, front positive.")
      .def_readonly("entry", &ContactAngles::entry, "θ_f, rad")
      .def_readonly("exit", &ContactAngles::exit, "θ_r, rad")
      .def_readonly("peak", &ContactAngles::peak, "θ_m, rad");
  py::class_<WheelStress>(m, "WheelStress", "Stresses at one place of the rim.")
      .def_readonly("normal", &WheelStress::normal, "σ, Pa")
      .def_readonly("shear_x", &WheelStress::shear_x, "τ_x, Pa")
      .def_readonly("shear_y", &WheelStress::shear_y, "τ_y, Pa");
}

void bind_wheel(py::module_& m) {
  using Wheel = WheelSoilModel;
  py::class_<Wheel>(m, "WheelSoilModel",
                    "Forces of a soil on a wheel as functions of sinkage, slip and slip angle.\n\n"
                    "Slip is (rω − v)/(rω) when driving, (rω − v)/v when braking.")
      .def(py::init<const SoilWheel&, const Soil&, double>(), py::arg("wheel"), py::arg("soil"),
           py::arg("gravity") = kStandardGravity,
           "Raises DomainError if a parameter has no meaning.")
      .def("force", py::overload_cast<double, double, double>(&Wheel::force, py::const_),
           py::arg("sinkage"), py::arg("slip"), py::arg("slip_angle"),
           "WheelSoilForce in steady motion; zero without sinkage.")
      .def("sinkage", &Wheel::sinkage, py::arg("load"), py::arg("slip"), py::arg("slip_angle"),
           py::arg("pressed") = 0.0,
           "Sinkage that carries a load, m, over soil that was pressed to a depth before.\n"
           "Raises DomainError if no sinkage up to the radius carries it.")
      .def("angles", &Wheel::angles, py::arg("sinkage"), py::arg("slip"), "ContactAngles.")
      .def("stress", &Wheel::stress, py::arg("sinkage"), py::arg("slip"), py::arg("slip_angle"),
           py::arg("angle"), "WheelStress at an angle from θ_r to θ_f, zero outside.")
      .def_property_readonly("wheel", &Wheel::wheel, py::return_value_policy::copy, "a copy")
      .def_property_readonly("soil", &Wheel::soil, py::return_value_policy::copy, "a copy");
  m.def("wheel_soil_force", &wheel_soil_force, py::arg("wheel"), py::arg("soil"),
        py::arg("sinkage"), py::arg("slip"), py::arg("slip_angle"),
        py::arg("gravity") = kStandardGravity,
        "WheelSoilForce in one call. Raises DomainError if a parameter has no meaning.");
  m.def("wheel_sinkage", &wheel_sinkage, py::arg("wheel"), py::arg("soil"), py::arg("load"),
        py::arg("slip"), py::arg("slip_angle"), py::arg("gravity") = kStandardGravity,
        "The inverse: sinkage for a load, m. Raises DomainError also if none carries it.");
}

}  // namespace

void bind_terramechanics(py::module_& m) {
  bind_soil(m);
  bind_plates(m);
  bind_results(m);
  bind_wheel(m);
}

}  // namespace spacedyn::python
