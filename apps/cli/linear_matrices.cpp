#include "linear_answer.hpp"
#include "spacedyn/state/followers.hpp"

namespace spacedyn::cli {

MatrixFile linear_matrices(const LinearAnswer& answer) {
  const Linearization& first = answer.points.front().linear;
  MatrixFile content;
  content.variable = "linear";
  content.texts = {{"states", first.state_names},
                   {"inputs", first.input_names},
                   {"outputs", first.output_names}};
  const auto add = [&](const char* name, const auto& matrix_of) {
    std::vector<MatrixX> matrices;
    for (const LinearPoint& point : answer.points) matrices.push_back(matrix_of(point.linear));
    content.matrices.emplace_back(name, std::move(matrices));
  };
  add("A", [](const Linearization& linear) { return linear.A; });
  add("B", [](const Linearization& linear) { return linear.B; });
  add("C", [](const Linearization& linear) { return linear.C; });
  add("H", [&](const Linearization& linear) { return own_matrix(*answer.model, linear.H); });
  add("D", [&](const Linearization& linear) { return own_matrix(*answer.model, linear.D); });
  add("K", [&](const Linearization& linear) { return own_matrix(*answer.model, linear.K); });
  add("rate", [](const Linearization& linear) -> MatrixX { return linear.rate; });
  add("time",
      [](const Linearization& linear) -> MatrixX { return MatrixX::Constant(1, 1, linear.time); });
  return content;
}

}  // namespace spacedyn::cli
