#include "spacedyn/reporting/matrix_file.hpp"

#include "reporting/results/mat_file.hpp"
#include "reporting/results/output_file.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn {
namespace {

/// rows × columns × count.
MatValue stack(const std::string& name, const std::vector<MatrixX>& matrices) {
  if (matrices.empty()) throw DomainError("there is no matrix '" + name + "' to write");
  const MatrixX& first = matrices.front();
  std::vector<double> numbers;
  for (const MatrixX& matrix : matrices) {
    if (matrix.rows() != first.rows() || matrix.cols() != first.cols()) {
      throw DomainError("the matrices '" + name + "' differ in size");
    }
    numbers.insert(numbers.end(), matrix.data(), matrix.data() + matrix.size());
  }
  return MatValue::array(std::move(numbers),
                         {static_cast<int>(first.rows()), static_cast<int>(first.cols()),
                          static_cast<int>(matrices.size())});
}

}  // namespace

void write_mat(const std::string& path, const MatrixFile& content) {
  MatValue value;
  for (const auto& [name, list] : content.texts) value.field(name) = MatValue::texts(list);
  for (const auto& [name, list] : content.matrices) value.field(name) = stack(name, list);
  write_file_atomically(path, mat_file(content.variable, value));
}

}  // namespace spacedyn
