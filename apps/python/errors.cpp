#include "bindings.hpp"
#include "spacedyn/diagnostics.hpp"
#include "spacedyn/loading/yaml.hpp"

namespace spacedyn::python {
namespace {

const char* severity_name(Severity severity) {
  switch (severity) {
    case Severity::error:
      return "error";
    case Severity::warning:
      return "warning";
    case Severity::note:
      break;
  }
  return "note";
}

/// The module that defines the exceptions; kept for as long as the process lives.
py::handle errors_module() {
  static const py::handle module = py::module_::import("spacedyn._errors").release();
  return module;
}

void raise(const char* type, const py::object& exception) {
  PyErr_SetObject(py::object(errors_module().attr(type)).ptr(), exception.ptr());
}

void raise(const char* type, const Error& error) {
  raise(type, errors_module().attr(type)(error.what()));
}

/// @param type  ParseError or what is derived from it
void raise(const char* type, const ParseError& error) {
  py::list diagnostics;
  for (const Diagnostic& d : error.diagnostics()) {
    diagnostics.append(errors_module().attr("Diagnostic")(severity_name(d.severity), d.file, d.line,
                                                          d.column, d.path, d.message, d.hint,
                                                          d.source_line));
  }
  raise(type, errors_module().attr(type)(error.what(), diagnostics));
}

void raise(const ModelError& error) {
  py::list problems;
  for (const Problem& p : error.problems()) {
    problems.append(
        errors_module().attr("Problem")(severity_name(p.severity), p.path, p.message, p.hint));
  }
  py::object exception = errors_module().attr("ModelError")(error.what());
  exception.attr("problems") = py::tuple(problems);
  raise("ModelError", exception);
}

void raise(const NumericalError& error) {
  py::object exception = errors_module().attr("NumericalError")(error.what());
  exception.attr("time") = error.time();
  exception.attr("step") = error.step();
  exception.attr("quantity") = error.quantity();
  raise("NumericalError", exception);
}

void translate(std::exception_ptr pointer) {
  if (!pointer) return;
  try {
    std::rethrow_exception(pointer);
  } catch (const OverrideError& error) {
    raise("OverrideError", error);
  } catch (const ParseError& error) {
    raise("ParseError", error);
  } catch (const ModelError& error) {
    raise(error);
  } catch (const NumericalError& error) {
    raise(error);
  } catch (const DimensionError& error) {
    raise("DimensionError", error);
  } catch (const DomainError& error) {
    raise("DomainError", error);
  } catch (const IoError& error) {
    raise("IoError", error);
  } catch (const Error& error) {
    raise("Error", error);
  }
}

}  // namespace

void bind_errors(py::module_& m) {
  py::register_exception_translator(&translate);
  for (const char* name : {"Error", "DimensionError", "DomainError", "OverrideError", "IoError",
                           "NumericalError", "ModelError", "ParseError"}) {
    m.attr(name) = errors_module().attr(name);
  }
}

}  // namespace spacedyn::python
