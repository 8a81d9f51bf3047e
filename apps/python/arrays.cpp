#include "arrays.hpp"

#include <algorithm>
#include <cmath>

#include "spacedyn/error.hpp"

namespace spacedyn::python {
namespace {

using AlignedArray = py::array_t<double, py::array::c_style | py::array::forcecast |
                                             py::detail::npy_api::NPY_ARRAY_ALIGNED_>;

std::string type_name(py::handle object) {
  return py::cast<std::string>(py::str(py::type::handle_of(object).attr("__name__")));
}

std::string dtype_name(const py::array& array) {
  return py::cast<std::string>(py::str(array.dtype()));
}

std::string sizes_text(const Sizes& shape) {
  return python::shape_text(shape.data(), static_cast<py::ssize_t>(shape.size()));
}

bool has_shape(const py::array& array, const Sizes& shape) {
  if (array.ndim() != static_cast<py::ssize_t>(shape.size())) return false;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] >= 0 && array.shape()[i] != shape[i]) return false;
  }
  return true;
}

/// The place of an element as numpy writes it, `[1, 2]`; nothing for a single number.
std::string place_text(const py::array& array, py::ssize_t element) {
  std::string text;
  for (py::ssize_t i = array.ndim() - 1; i >= 0; --i) {
    const py::ssize_t size = array.shape()[i];
    text = std::to_string(element % size) + (text.empty() ? "" : ", ") + text;
    element /= size;
  }
  return text.empty() ? text : '[' + text + ']';
}

/// Conversion would take what stands below the mask of a masked array.
void require_no_mask(const py::object& object, const char* name) {
  const bool is_plain = Py_TYPE(object.ptr()) == py::detail::npy_api::get().PyArray_Type_;
  if (is_plain || !py::isinstance<py::array>(object) || !py::hasattr(object, "mask")) return;
  if (!py::module_::import("numpy.ma").attr("is_masked")(object).cast<bool>()) return;
  throw DomainError(std::string(name) + ": expected numbers, got a masked array without some");
}

void require_finite(const Array& array, const char* name) {
  const double* const end = array.data() + array.size();
  const double* const wrong =
      std::find_if(array.data(), end, [](double x) { return !std::isfinite(x); });
  if (wrong == end) return;
  throw DomainError(std::string(name) + place_text(array, wrong - array.data()) +
                    ": expected a finite number, got " +
                    (std::isnan(*wrong) ? "nan"
                     : *wrong > 0.0     ? "inf"
                                        : "-inf"));
}

}  // namespace

std::string shape_text(const py::ssize_t* shape, py::ssize_t dimensions) {
  if (dimensions == 0) return "()";
  std::string text = "(";
  for (py::ssize_t i = 0; i < dimensions; ++i) {
    text += shape[i] < 0 ? "any" : std::to_string(shape[i]);
    text += i + 1 < dimensions ? ", " : dimensions == 1 ? ",)" : ")";
  }
  return text;
}

Array read_numbers(const ArrayLike& source, const char* name) {
  if (source.is_none()) throw py::type_error(std::string(name) + ": expected numbers, got None");
  require_no_mask(source.object, name);
  const py::array raw = py::array::ensure(source.object);
  if (!raw) {
    PyErr_Clear();
    throw py::type_error(std::string(name) + ": expected an array of real numbers, got " +
                         type_name(source.object));
  }
  const char kind = raw.dtype().kind();
  if (kind != 'f' && kind != 'i' && kind != 'u') {
    throw py::type_error(
        std::string(name) + ": expected real numbers, got " +
        (py::isinstance<py::array>(source.object)
             ? "an array of " + dtype_name(raw)
             : type_name(source.object) + " that makes an array of " + dtype_name(raw)));
  }
  const AlignedArray array = AlignedArray::ensure(raw);
  if (!array) throw py::error_already_set();
  return py::reinterpret_borrow<Array>(array);
}

Array read_array(const ArrayLike& source, const Sizes& shape, const char* name, Numbers numbers) {
  Array array = read_numbers(source, name);
  if (!has_shape(array, shape)) {
    throw DimensionError(std::string(name) + ": expected an array of shape " + sizes_text(shape) +
                         ", got " + shape_text(array.shape(), array.ndim()));
  }
  if (numbers == Numbers::finite) require_finite(array, name);
  return array;
}

VectorX read_vector(const ArrayLike& source, py::ssize_t size, const char* name, Numbers numbers) {
  const Array array = read_array(source, {size}, name, numbers);
  return Eigen::Map<const VectorX>(array.data(), array.size());
}

Vector3 read_vector3(const ArrayLike& source, const char* name) {
  return Vector3(read_array(source, {3}, name).data());
}

Vector6 read_vector6(const ArrayLike& source, const char* name) {
  return Vector6(read_array(source, {6}, name).data());
}

MatrixX read_matrix(const ArrayLike& source, py::ssize_t rows, py::ssize_t columns,
                    const char* name) {
  const Array array = read_array(source, {rows, columns}, name);
  return Eigen::Map<const RowMatrixX>(array.data(), array.shape(0), array.shape(1));
}

Matrix3 read_matrix3(const ArrayLike& source, const char* name) {
  return read_matrix(source, 3, 3, name);
}

double read_number(const ArrayLike& source, const char* name) {
  return *read_array(source, {}, name).data();
}

double* output_data(const OutputArray& out, const Sizes& shape, const char* name) {
  const auto fail = [&](const std::string& got) {
    return std::string(name) + ": expected a writable float64 array in C order of shape " +
           sizes_text(shape) + ", got " + got;
  };
  if (!py::isinstance<py::array>(out.object)) throw py::type_error(fail(type_name(out.object)));
  const auto array = py::reinterpret_borrow<py::array>(out.object);
  const auto got = [&] {
    return "one of " + dtype_name(array) + " and shape " + shape_text(array.shape(), array.ndim());
  };
  if (!py::isinstance<Array>(array)) throw py::type_error(fail(got()));
  if (!has_shape(array, shape)) throw DimensionError(fail(got()));
  if (!array.writeable()) throw py::value_error(fail("a read-only one"));
  constexpr int kNeeded =
      py::array::c_style | static_cast<int>(py::detail::npy_api::NPY_ARRAY_ALIGNED_);
  if ((array.flags() & kNeeded) != kNeeded) {
    throw py::value_error(fail("one that is not contiguous in C order"));
  }
  return static_cast<double*>(py::array(array).mutable_data());
}

Array view(const double* data, const Sizes& shape, const Sizes& strides, py::handle owner,
           bool writable) {
  Array array(shape, strides, data, owner);
  if (!writable) {
    py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  }
  return array;
}

Array view_of(const std::vector<Vector3>& x, py::handle owner, bool writable) {
  constexpr py::ssize_t kNumber = sizeof(double);
  const double* data = x.empty() ? nullptr : x.front().data();
  return view(data, {static_cast<py::ssize_t>(x.size()), 3}, {3 * kNumber, kNumber}, owner,
              writable);
}

Array view_of(const std::vector<Matrix3>& x, py::handle owner, bool writable) {
  constexpr py::ssize_t kNumber = sizeof(double);
  const double* data = x.empty() ? nullptr : x.front().data();
  return view(data, {static_cast<py::ssize_t>(x.size()), 3, 3}, {9 * kNumber, kNumber, 3 * kNumber},
              owner, writable);
}

}  // namespace spacedyn::python
