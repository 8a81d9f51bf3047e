/// @file
/// Where the errors of an audit come from, as dictionaries of Python. Private.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>

#include <pybind11/stl.h>

#include "bindings.hpp"
#include "spacedyn/integration/audit.hpp"

namespace spacedyn::python {

inline py::object dict_of(const std::optional<WorstInstant>& worst) {
  if (!worst) return py::none();
  py::dict dict, cause;
  dict["time"] = worst->time;
  dict["growth"] = worst->growth;
  dict["from"] = worst->from;
  dict["to"] = worst->to;
  if (!worst->cause_kind.empty()) cause[py::str(worst->cause_kind)] = worst->cause;
  dict["cause"] = cause;
  return std::move(dict);
}

/// What dict_of() has made.
inline std::optional<WorstInstant> worst_from(const py::object& object) {
  if (object.is_none()) return std::nullopt;
  WorstInstant worst;
  const auto number = [&](const char* key) { return object[key].cast<double>(); };
  worst.time = number("time");
  worst.growth = number("growth");
  worst.from = number("from");
  worst.to = number("to");
  for (const auto& [kind, name] : object["cause"].cast<std::map<std::string, std::string>>()) {
    worst.cause_kind = kind;
    worst.cause = name;
  }
  return worst;
}

}  // namespace spacedyn::python
