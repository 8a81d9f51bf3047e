/// @file
/// Between numpy arrays and Eigen: what goes in is checked and named, what comes out is a copy or a
/// view that keeps its owner alive.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <initializer_list>
#include <string>
#include <vector>

#include "spacedyn/batch/state_rows.hpp"

namespace spacedyn::python {

namespace py = pybind11;
using Array = py::array_t<double>;
using Sizes = std::vector<py::ssize_t>;

/// An argument of which numpy can make an array of numbers.
struct ArrayLike {
  py::object object;
  bool is_none() const { return object.is_none(); }
};

/// An array to write into, or None.
struct OutputArray {
  py::object object;
  bool is_none() const { return object.is_none(); }
};

/// Which numbers an argument may hold: any where NaN stands for a state that was lost, infinity for
/// no limit, or where the library itself judges them.
enum class Numbers { finite, any };

/// Real numbers of any shape, float64, C order; copies only what is not so already.
/// @throws TypeError if they are no real numbers
Array read_numbers(const ArrayLike& source, const char* name);
/// The same with a shape; −1 stands for any size.
/// @throws DimensionError saying what was expected and what came; DomainError naming the first
/// number that is not finite
Array read_array(const ArrayLike& source, const Sizes& shape, const char* name,
                 Numbers numbers = Numbers::finite);
/// @name Vectors and matrices by value
/// @{
VectorX read_vector(const ArrayLike& source, py::ssize_t size, const char* name,
                    Numbers numbers = Numbers::finite);
Vector3 read_vector3(const ArrayLike& source, const char* name);
Vector6 read_vector6(const ArrayLike& source, const char* name);
MatrixX read_matrix(const ArrayLike& source, py::ssize_t rows, py::ssize_t columns,
                    const char* name);
Matrix3 read_matrix3(const ArrayLike& source, const char* name);
double read_number(const ArrayLike& source, const char* name);
/// @}

/// The numbers of an array that is written in place.
/// @throws TypeError, DimensionError unless it is a writable float64 array in C order of this shape
double* output_data(const OutputArray& out, const Sizes& shape, const char* name = "out");

/// `(6, 3)`.
std::string shape_text(const py::ssize_t* shape, py::ssize_t dimensions);

/// A view of numbers that belong to @p owner.
Array view(const double* data, const Sizes& shape, const Sizes& strides, py::handle owner,
           bool writable);

/// @name Copies: vectors as (n,), matrices as (rows, columns) in C order
/// @{
template <typename Derived>
void copy_to(double* data, const Eigen::MatrixBase<Derived>& x) {
  Eigen::Map<RowMatrixX>(data, x.rows(), x.cols()) = x;
}
template <typename Derived>
Array to_array(const Eigen::MatrixBase<Derived>& x) {
  Array array =
      Derived::ColsAtCompileTime == 1 ? Array(Sizes{x.rows()}) : Array(Sizes{x.rows(), x.cols()});
  copy_to(array.mutable_data(), x);
  return array;
}
/// Into @p out where there is one, which is returned then.
template <typename Derived>
Array to_array(const Eigen::MatrixBase<Derived>& x, const OutputArray& out) {
  if (out.is_none()) return to_array(x);
  const Sizes shape = Derived::ColsAtCompileTime == 1 ? Sizes{x.rows()} : Sizes{x.rows(), x.cols()};
  copy_to(output_data(out, shape), x);
  return py::reinterpret_borrow<Array>(out.object);
}
/// @}

/// @name Views of what a C++ object holds
/// @{
template <typename Matrix>
Array view_of(const Eigen::PlainObjectBase<Matrix>& x, py::handle owner, bool writable = false) {
  constexpr py::ssize_t kNumber = sizeof(double);
  if (Matrix::ColsAtCompileTime == 1) return view(x.data(), {x.size()}, {kNumber}, owner, writable);
  return view(x.data(), {x.rows(), x.cols()}, {kNumber, kNumber * x.rows()}, owner, writable);
}
/// (count, 3) and (count, 3, 3).
Array view_of(const std::vector<Vector3>& x, py::handle owner, bool writable = false);
Array view_of(const std::vector<Matrix3>& x, py::handle owner, bool writable = false);
/// @}

/// A read-only property that is a view of a member.
template <typename Class, typename... Extra, typename Owner, typename Value>
void def_view(py::class_<Class, Extra...>& type, const char* name, Value Owner::*member,
              const char* doc) {
  type.def_property_readonly(
      name,
      [member](py::object self) -> Array {
        return view_of(self.cast<Class&>().*member, self, false);
      },
      doc);
}

/// A property that is a writable view of a member; assignment copies and keeps the size.
template <typename Class, typename... Extra, typename Owner, typename Value>
void def_writable_view(py::class_<Class, Extra...>& type, const char* name, Value Owner::*member,
                       const char* doc) {
  type.def_property(
      name,
      [member](py::object self) -> Array {
        return view_of(self.cast<Class&>().*member, self, true);
      },
      [member, name](Class& self, const ArrayLike& value) {
        Value& target = self.*member;
        const Sizes shape = Value::ColsAtCompileTime == 1 ? Sizes{target.rows()}
                                                          : Sizes{target.rows(), target.cols()};
        const Array array = read_array(value, shape, name);
        target = Eigen::Map<const RowMatrixX>(array.data(), target.rows(), target.cols());
      },
      doc);
}

}  // namespace spacedyn::python

namespace pybind11::detail {

template <>
struct type_caster<spacedyn::python::ArrayLike> {
  PYBIND11_TYPE_CASTER(spacedyn::python::ArrayLike, const_name("ArrayLike"));
  bool load(handle source, bool) {
    value.object = reinterpret_borrow<object>(source);
    return true;
  }
  static handle cast(const spacedyn::python::ArrayLike& value, return_value_policy, handle) {
    return handle(value.object).inc_ref();
  }
};

template <>
struct type_caster<spacedyn::python::OutputArray> {
  PYBIND11_TYPE_CASTER(spacedyn::python::OutputArray, const_name("Optional[numpy.ndarray]"));
  bool load(handle source, bool) {
    value.object = reinterpret_borrow<object>(source);
    return true;
  }
  static handle cast(const spacedyn::python::OutputArray& value, return_value_policy, handle) {
    return handle(value.object).inc_ref();
  }
};

}  // namespace pybind11::detail
