/// @file
/// Instants of a running simulation as Python sees them: valid during the call that hands them out.
#pragma once

#include "bindings.hpp"
#include "spacedyn/forces/element.hpp"
#include "spacedyn/integration/simulator.hpp"

namespace spacedyn::python {

/// An object of C++ that lives as long as one call of a Python function.
template <typename Object>
class Borrowed {
 public:
  explicit Borrowed(const Object& object) : object_(&object) {}
  void invalidate() { object_ = nullptr; }
  /// @throws ReferenceError after the call
  const Object& operator*() const {
    if (object_ != nullptr) return *object_;
    PyErr_SetString(PyExc_ReferenceError,
                    "this instant is over: it is valid only during the call that was given it; "
                    "keep copies of what you need, for instance its state");
    throw py::error_already_set();
  }
  const Object* operator->() const { return &**this; }

 private:
  const Object* object_;
};

using ContextHandle = Borrowed<EvaluationContext>;
using PointHandle = Borrowed<SimulationPoint>;

/// Hands an instant to a Python function with other arguments and returns what that returns.
/// @pre the lock of the interpreter is held
template <typename Object, typename... Arguments>
py::object call_with(const py::object& function, const Object& object, Arguments&&... arguments) {
  const auto borrowed = std::make_shared<Borrowed<Object>>(object);
  struct End {
    Borrowed<Object>& instant;
    ~End() { instant.invalidate(); }
  } end{*borrowed};
  return function(borrowed, std::forward<Arguments>(arguments)...);
}

void bind_instants(py::module_& m);
void bind_springs(py::module_& m);
void bind_motions(py::module_& m);

}  // namespace spacedyn::python
