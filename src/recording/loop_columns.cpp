#include "recording/derived_columns.hpp"
#include "spacedyn/constraints/loop_equations.hpp"

namespace spacedyn {
namespace {

const std::vector<Suffix>& point_suffixes() {
  static const std::vector<Suffix> suffixes{{"_position_residual_m", "m"},
                                            {"_angle_residual_rad", "rad"},
                                            {"_velocity_residual_m_s", "m/s"},
                                            {"_rate_residual_rad_s", "rad/s"},
                                            {"_force_x_N", "N"},
                                            {"_force_y_N", "N"},
                                            {"_force_z_N", "N"},
                                            {"_moment_x_N_m", "N m"},
                                            {"_moment_y_N_m", "N m"},
                                            {"_moment_z_N_m", "N m"}};
  return suffixes;
}

/// Of couplings of joints, whose residual and multiplier are in the units of the joints.
const std::vector<Suffix>& coupling_suffixes() {
  static const std::vector<Suffix> suffixes{
      {"_residual", ""}, {"_rate_residual", ""}, {"_multiplier", ""}};
  return suffixes;
}

class LoopColumns final : public DerivedColumns {
 public:
  LoopColumns(const Model& model, ColumnNames& names)
      : loops_(model), seen_(model), phi_(VectorX::Zero(loops_.rows())), rate_(phi_) {
    for (const Loop& loop : model.loops()) {
      const bool joins_points = loop_traits(loop.type).joins_points;
      const std::vector<Suffix>& suffixes = joins_points ? point_suffixes() : coupling_suffixes();
      const std::string stem = names.reserve("constraints", loop.name, suffixes);
      const std::string group = "/constraints/" + stem.substr(std::string("constraints_").size());
      std::vector<Column> all;
      for (const Suffix& suffix : suffixes) all.push_back({stem + suffix.first, suffix.second});
      if (!joins_points) {
        for (const Column& column : all) add(group + column.name.substr(stem.size()), "", {column});
        continue;
      }
      // the axes of the wrench are those of its first point
      const char* const datasets[] = {"/position_residual", "/angle_residual", "/velocity_residual",
                                      "/rate_residual"};
      for (std::size_t i = 0; i < 4; ++i) add(group + datasets[i], "", {all[i]});
      add(group + "/force", loop.from.name, {all.begin() + 4, all.begin() + 7});
      add(group + "/moment", loop.from.name, {all.begin() + 7, all.end()});
    }
  }

  void fill(const SimulationPoint& point, VectorRef values) override {
    seen_.compute(point.model, point.state);
    loops_.residual(seen_.frames, seen_.state, phi_);
    loops_.velocity(seen_.frames, seen_.velocities, seen_.state, rate_);
    Eigen::Index next = 0;
    const std::vector<Loop>& loops = point.model.loops();
    for (std::size_t i = 0; i < loops.size(); ++i) {
      const LoopTraits& traits = loop_traits(loops[i].type);
      const int first = loops_.first_row(static_cast<int>(i));
      if (!traits.joins_points) {
        values.segment<3>(next) << phi_(first), rate_(first), point.multipliers(first);
        next += 3;
        continue;
      }
      const int turns = first + traits.translations;
      values(next++) = phi_.segment(first, traits.translations).norm();
      values(next++) = phi_.segment(turns, traits.rotations).norm();
      values(next++) = rate_.segment(first, traits.translations).norm();
      values(next++) = rate_.segment(turns, traits.rotations).norm();
      values.segment<6>(next) = loops_.wrench(static_cast<int>(i), seen_.frames, point.multipliers);
      next += 6;
    }
  }

 private:
  const LoopEquations loops_;
  LoopMotion seen_;
  VectorX phi_, rate_;
};

}  // namespace

std::unique_ptr<DerivedColumns> loop_columns(const Model& model, ColumnNames& names) {
  return std::make_unique<LoopColumns>(model, names);
}

}  // namespace spacedyn
