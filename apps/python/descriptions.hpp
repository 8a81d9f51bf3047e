/// @file
/// Plain structs of the library as Python classes: keywords at construction, vectors as copies.
#pragma once

#include <utility>
#include <vector>

#include "arrays.hpp"

namespace spacedyn::python {

/// A property that is copied in and out, of the size of the member.
template <typename Class, typename Owner, typename Value>
void def_copied(py::class_<Class>& type, const char* name, Value Owner::*member, const char* doc) {
  type.def_property(
      name, [member](const Class& self) { return to_array(self.*member); },
      [member, name](Class& self, const ArrayLike& value) {
        if constexpr (Value::ColsAtCompileTime == 1) {
          self.*member = read_vector(value, Value::RowsAtCompileTime, name);
        } else {
          self.*member =
              read_matrix(value, Value::RowsAtCompileTime, Value::ColsAtCompileTime, name);
        }
      },
      doc);
}

/// A list of parts that is copied in and out: a reference to a part would outlive it when the list
/// is assigned.
template <typename Class, typename Owner, typename Part>
void def_list(py::class_<Class>& type, const char* name, std::vector<Part> Owner::*member,
              const char* doc) {
  type.def_property(
      name, [member](const Class& self) { return std::vector<Part>(self.*member); },
      [member](Class& self, std::vector<Part> parts) { self.*member = std::move(parts); }, doc);
}

/// `Link(name="arm", mass=2.0)`: every keyword is an attribute.
template <typename Class>
void def_keywords(py::class_<Class>& type, const char* name) {
  type.def(py::init([type = py::handle(type), name](const py::kwargs& keywords) {
             Class value;
             const py::object self = py::cast(&value, py::return_value_policy::reference);
             for (const auto& [key, given] : keywords) {
               if (!py::hasattr(type, key)) {
                 throw py::type_error(std::string(name) + ": there is no attribute '" +
                                      py::cast<std::string>(key) + "'");
               }
               py::setattr(self, key, given);
             }
             // what is shown to Python may not point here any longer
             Class result = std::move(value);
             return result;
           }),
           "Keywords are attributes.");
}

}  // namespace spacedyn::python
