#include "recording/derived_columns.hpp"

#include <algorithm>
#include <cmath>

#include "constraints/loop_sizes.hpp"
#include "recording/column_names.hpp"
#include "spacedyn/control/inertial_damping.hpp"
#include "spacedyn/forces/declarations.hpp"
#include "system/system_elements.hpp"

namespace spacedyn {
namespace {

/// Letters of other alphabets are several bytes from 0x80 on.
bool is_identifier_character(char c) {
  return static_cast<unsigned char>(c) >= 0x80 || (c >= 'a' && c <= 'z') ||
         (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

class DeclaredColumns final : public DerivedColumns {
 public:
  DeclaredColumns(const ForcedSystem& system, const std::string& channel, ColumnNames& names)
      : system_(system), elements_(system_) {
    for (const SystemElements::Slot& slot : elements_.slots()) {
      for (OutputColumns& output : declarations_of(slot.element()).outputs) {
        if (output.channel != channel) continue;
        std::vector<Suffix> suffixes;
        for (const OutputQuantity& each : output.quantities) {
          suffixes.emplace_back(each.suffix, each.unit);
        }
        const std::string stem = names.reserve(channel, slot.element().name(), suffixes);
        const std::string group = group_of(channel, stem) + '/';
        for (const OutputQuantity& each : output.quantities) {
          add(group + each.dataset, Column{stem + each.suffix, each.unit});
        }
        outputs_.push_back({std::move(output), slot.slice});
      }
    }
  }

  void fill(const SimulationPoint& point, VectorRef values) override {
    const EvaluationContext context = context_of(point);
    Eigen::Index next = 0;
    for (const Output& output : outputs_) {
      const auto count = static_cast<Eigen::Index>(output.columns.quantities.size());
      output.columns.read(slice_of(context, output.slice), values.segment(next, count));
      next += count;
    }
  }

 private:
  struct Output {
    OutputColumns columns;
    AuxiliarySlice slice;
  };
  const ForcedSystem system_;
  const SystemElements elements_;
  std::vector<Output> outputs_;
};

}  // namespace

std::string sanitize(std::string_view name) {
  std::string identifier(name);
  std::replace_if(
      identifier.begin(), identifier.end(), [](char c) { return !is_identifier_character(c); },
      '_');
  return identifier;
}

std::vector<Column> columns_of(const std::string& stem, const std::vector<Suffix>& suffixes,
                               std::size_t first, std::size_t count) {
  std::vector<Column> columns;
  const std::size_t end = first + std::min(count, suffixes.size() - first);
  for (std::size_t i = first; i < end; ++i) {
    columns.push_back({stem + suffixes[i].first, suffixes[i].second});
  }
  return columns;
}

std::string group_of(std::string_view prefix, const std::string& stem) {
  return '/' + std::string(prefix) + '/' + stem.substr(prefix.size() + 1);
}

std::string ColumnNames::reserve(std::string_view prefix, std::string_view name,
                                 const std::vector<Suffix>& suffixes) {
  const std::string first = std::string(prefix) + '_' + sanitize(name);
  std::string stem = first;
  const auto is_taken = [&](const Suffix& suffix) { return taken_.count(stem + suffix.first) > 0; };
  for (int number = 2; std::any_of(suffixes.begin(), suffixes.end(), is_taken); ++number) {
    stem = first + '_' + std::to_string(number);
  }
  for (const Suffix& suffix : suffixes) taken_.insert(stem + suffix.first);
  return stem;
}

std::vector<Suffix> suffixes_of(const VectorList& vectors, const std::string& before) {
  std::vector<Suffix> suffixes;
  for (const VectorColumns& vector : vectors) {
    const std::string name = before + '_' + vector.name;
    if (*vector.unit == '\0') suffixes.emplace_back(name + "_w", "");
    for (const char* axis : {"_x", "_y", "_z"}) {
      suffixes.emplace_back(name + axis + vector.suffix, vector.unit);
    }
  }
  return suffixes;
}

void append_vectors(const ColumnPlace& place, const VectorList& vectors, const std::string& frame,
                    std::vector<Column>& columns) {
  for (const VectorColumns& vector : vectors) {
    int index = 0;
    for (const auto& [end, unit] : suffixes_of({vector})) {
      columns.push_back(
          {place.name(end.substr(1)), unit, place.group + '/' + vector.dataset, index++, frame});
    }
  }
}

std::vector<int> recorded_joints(const Model& model) {
  std::vector<int> joints;
  for_each_recorded_joint(model, [&](int joint) { joints.push_back(joint); });
  return joints;
}

std::vector<int> joints_of_robots(const Model& model) {
  std::vector<int> joints;
  const auto add = [&](int first, int end) {
    for (int i = first; i < end; ++i) joints.push_back(i);
  };
  if (model.robots().empty()) add(1, model.body_count());
  for (const Robot& robot : model.robots()) add(robot.first_joint(), robot.end);
  return joints;
}

DerivedColumns::~DerivedColumns() = default;

void DerivedColumns::add(const std::string& dataset, const std::string& frame,
                         const std::vector<Column>& names_and_units) {
  int index = 0;
  for (const Column& column : names_and_units) {
    columns_.push_back({column.name, column.unit, dataset, index++, frame, column.frequency});
  }
}

std::unique_ptr<DerivedColumns> declared_columns(const ForcedSystem& system,
                                                 const std::string& channel, ColumnNames& names) {
  return std::make_unique<DeclaredColumns>(system, channel, names);
}

namespace {

constexpr double kTwoPi = 6.283185307179586;

class ModalEnergy final : public DerivedColumns {
 public:
  ModalEnergy(const Model& model, BaseMode base_mode, const State& reference)
      : modes_(elastic_modes("channel 'modal_energy' ", model, base_mode == BaseMode::floating,
                             reference)) {
    const Eigen::Index count = modes_.rest.size();
    displacement_.resize(count);
    rate_.resize(count);
    eta_.resize(count);
    eta_rate_.resize(count);
    std::vector<Column> columns;
    for (Eigen::Index k = 0; k < count; ++k) {
      columns.push_back({"modes_" + std::to_string(k + 1) + "_energy_J", "J"});
      columns.back().frequency = std::sqrt(modes_.omega_squared(k)) / kTwoPi;
    }
    add("/modes/energy", "", columns);
  }

  void fill(const SimulationPoint& point, VectorRef values) override {
    if (values.size() == 0) return;
    for (Eigen::Index k = 0; k < values.size(); ++k) {
      const int i = modes_.joints[static_cast<std::size_t>(k)] - 1;
      displacement_(k) = point.state.q(i) - modes_.rest(k);
      rate_(k) = point.state.qd(i);
    }
    // η = φᵀ M (q − q_rest), E = ½ (η̇² + ω² η²)
    eta_.noalias() = modes_.to_modes.lazyProduct(displacement_);
    eta_rate_.noalias() = modes_.to_modes.lazyProduct(rate_);
    values =
        0.5 * (eta_rate_.array().square() + modes_.omega_squared.array() * eta_.array().square());
  }

 private:
  ElasticModes modes_;
  VectorX displacement_, rate_, eta_, eta_rate_;
};

}  // namespace

std::unique_ptr<DerivedColumns> modal_energy(const Model& model, BaseMode base_mode,
                                             const State& reference) {
  require_tree(model, "channel 'modal_energy'");
  return std::make_unique<ModalEnergy>(model, base_mode, reference);
}

}  // namespace spacedyn
