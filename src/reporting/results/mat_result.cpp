#include "reporting/results/mat_file.hpp"

#include <array>
#include <cmath>
#include <string_view>

#include "reporting/results/dataset_plan.hpp"
#include "reporting/results/output_file.hpp"
#include "reporting/results/run_facts.hpp"
#include "spacedyn/math/rotations.hpp"

namespace spacedyn {
namespace {

using Renaming = std::pair<std::string_view, std::string_view>;

// what SpaceDyn calls the base's
constexpr std::array<Renaming, 4> kBase{{{"/base/position", "/R0"},
                                         {"/base/quaternion_wxyz", "/A0"},
                                         {"/base/velocity", "/v0"},
                                         {"/base/angular_velocity", "/w0"}}};
// and the last part of a frame's
constexpr std::array<Renaming, 2> kFrame{{{"/position", "/POS_e"}, {"/quaternion_wxyz", "/ORI_e"}}};

constexpr std::string_view kQuaternion = "/quaternion_wxyz";

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

std::string spacedyn_name(const std::string& dataset) {
  for (const auto& [path, name] : kBase) {
    if (dataset == path) return std::string(name);
  }
  if (dataset.rfind("/frames/", 0) != 0) return dataset;
  for (const auto& [end, name] : kFrame) {
    if (!ends_with(dataset, end)) continue;
    return dataset.substr(0, dataset.size() - end.size()) + std::string(name);
  }
  return dataset;
}

/// The place of a path `/a/b` in nested structs.
MatValue& place(MatValue& root, const std::string& path) {
  MatValue* value = &root;
  std::size_t begin = 1;
  while (begin <= path.size()) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    value = &value->field(path.substr(begin, end - begin));
    begin = end + 1;
  }
  return *value;
}

std::vector<std::string> names_of(const std::vector<Column>& columns, const DatasetPlan& plan) {
  std::vector<std::string> names;
  for (int i = plan.first; i < plan.first + plan.size; ++i) {
    names.push_back(columns[static_cast<std::size_t>(i)].name);
  }
  return names;
}

bool is_rotation(const DatasetPlan& plan) {
  return ends_with(plan.path, kQuaternion) && plan.size == 4;
}

/// The struct with gaps for all numbers; the number of a gap is that of its plan.
MatValue mat_result(const ResultTable& head, const std::vector<DatasetPlan>& plans, int rows) {
  MatValue r;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const DatasetPlan& plan = plans[i];
    const auto number = static_cast<int>(i);
    place(r, spacedyn_name(plan.path)) = is_rotation(plan)
                                             ? MatValue::gap(number, {3, 3, rows})
                                             : MatValue::gap(number, {rows, plan.size});
    // which column is which, where the name of the array does not tell
    if (plan.path.rfind("/joints/", 0) == 0 || plan.path == "/columns") {
      place(r, plan.path + "_names") = MatValue::texts(names_of(head.columns, plan));
    }
  }
  const Json metadata = parse_json(head.metadata);
  if (std::vector<double> frequencies = mode_frequencies(metadata); !frequencies.empty()) {
    const int count = static_cast<int>(frequencies.size());
    place(r, "/modes/frequency") = MatValue::array(std::move(frequencies), {1, count});
  }
  if (!head.metadata.empty()) r.field("metadata") = MatValue::text(head.metadata);
  return r;
}

/// Rotation matrices behind one another, nine rows for each; rows without a rotation give NaN.
MatrixX rotations(const RowMatrix& rows, const DatasetPlan& plan) {
  MatrixX matrices = MatrixX::Constant(9, rows.rows(), std::nan(""));
  for (Eigen::Index k = 0; k < rows.rows(); ++k) {
    const Eigen::Vector4d wxyz = rows.row(k).segment<4>(plan.first).transpose();
    if (!wxyz.allFinite() || wxyz.norm() == 0.0) continue;
    Eigen::Map<Matrix3>(matrices.col(k).data()) =
        matrix_from_quaternion(Quaternion(wxyz(0), wxyz(1), wxyz(2), wxyz(3)));
  }
  return matrices;
}

/// Puts rows of all arrays where they belong: columns one behind the other, as MATLAB has them.
class Scatter {
 public:
  Scatter(const std::string& path, const MatBytes& bytes, std::vector<DatasetPlan> plans,
          std::uint64_t count)
      : file_(path, PlacedFile::Mode::create),
        plans_(std::move(plans)),
        places_(plans_.size(), 0),
        count_(count) {
    std::size_t begin = 0;
    std::uint64_t at = 0;
    const auto write_up_to = [&](std::size_t end) {
      file_.write(at, bytes.bytes.data() + begin, end - begin);
      at += end - begin;
      begin = end;
    };
    for (const MatBytes::Gap& gap : bytes.gaps) {
      write_up_to(gap.at);
      places_[static_cast<std::size_t>(gap.number)] = at;
      at += gap.size;
    }
    write_up_to(bytes.bytes.size());
  }

  void write(std::uint64_t first, const RowMatrix& rows) {
    const auto stretch = sizeof(double) * static_cast<std::size_t>(rows.rows());
    for (std::size_t i = 0; i < plans_.size(); ++i) {
      if (places_[i] == 0) continue;  // another array has taken its name
      if (is_rotation(plans_[i])) {
        const MatrixX numbers = rotations(rows, plans_[i]);
        file_.write(places_[i] + 9 * sizeof(double) * first, numbers.data(), 9 * stretch);
        continue;
      }
      for (int j = 0; j < plans_[i].size; ++j) {
        const VectorX numbers = rows.col(plans_[i].first + j);
        const auto column = static_cast<std::uint64_t>(j);
        file_.write(places_[i] + sizeof(double) * (column * count_ + first), numbers.data(),
                    stretch);
      }
    }
  }

  void close() { file_.close(); }

 private:
  PlacedFile file_;
  std::vector<DatasetPlan> plans_;
  std::vector<std::uint64_t> places_;
  std::uint64_t count_;
};

}  // namespace

long write_mat_rows(const std::string& path, ResultStream& stream) {
  const ResultTable& head = stream.head();
  const auto width = static_cast<Eigen::Index>(head.columns.size());
  const PlacedFile spool(path + ".rows", PlacedFile::Mode::nameless);
  std::vector<Eigen::Index> counts;
  std::uint64_t bytes = 0, rows = 0;
  for (RowMatrix block; stream.next(block);) {
    const std::size_t size = sizeof(double) * static_cast<std::size_t>(block.size());
    spool.write(bytes, block.data(), size);
    bytes += size;
    rows += static_cast<std::uint64_t>(block.rows());
    counts.push_back(block.rows());
    if (bytes > kMaxMatBytes) throw_too_large();
  }
  const std::vector<DatasetPlan> plans = plan_datasets(head.columns);
  Scatter scatter(path, mat_bytes("r", mat_result(head, plans, static_cast<int>(rows))), plans,
                  rows);
  bytes = rows = 0;
  RowMatrix block;
  for (const Eigen::Index count : counts) {
    block.resize(count, width);
    const std::size_t size = sizeof(double) * static_cast<std::size_t>(block.size());
    spool.read(bytes, block.data(), size);
    scatter.write(rows, block);
    bytes += size;
    rows += static_cast<std::uint64_t>(count);
  }
  scatter.close();
  return static_cast<long>(rows);
}

}  // namespace spacedyn
