/// @file
/// Results as pages and pictures that open anywhere.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/integration/simulator.hpp"
#include "spacedyn/reporting/report_data.hpp"
#include "spacedyn/reporting/result_table.hpp"
#include "spacedyn/state/state.hpp"

namespace spacedyn {

/// Series, facts and inputs of a result; without a model there is nothing to animate.
SPACEDYN_EXPORT ReportData report_data(const ResultTable& result);

/// The same with the bodies, their motion, momentum and joint torques. Poses come from the columns
/// of the state channel; a result without them gives a report that says why nothing moves.
SPACEDYN_EXPORT ReportData report_data(const ResultTable& result, const Model& model);

/// Adds the wrenches that forces and controllers apply to the bodies, evaluated along the motion;
/// events switch controllers off and on as they did in the run. Elements with states of their own
/// and sampled controllers are left out: a result does not hold what they depend on.
SPACEDYN_EXPORT void add_force_arrows(ReportData& report, const ResultTable& result,
                                      const SimulationSetup& setup);

/// Adds the relief below the motion, the tracks of wheels in soil and the forces at those whose
/// result has the channel `wheels` and is not covered by add_force_arrows(); draws wheels that have
/// no visual.
SPACEDYN_EXPORT void add_ground(ReportData& report, const ResultTable& result,
                                const SimulationSetup& setup);

/// Adds what the set-up of the run tells: gravity, central bodies, asteroids, the orbit and the
/// direction of the sun, which joints are driven, what each event did.
SPACEDYN_EXPORT void add_setup_facts(ReportData& report, const SimulationSetup& setup);

/// Adds the meshes among the visuals of a model, .stl or .obj, from the first of some folders that
/// has their file; of one that cannot be drawn the report's warnings tell.
SPACEDYN_EXPORT void add_meshes(ReportData& report, const Model& model,
                                const std::vector<std::string>& folders);

/// Solids that stand for the bodies of a model: its visuals, else its collision shapes; where a
/// body has neither, the box of uniform density with its mass and inertia, joined to its joints and
/// frames by rods.
SPACEDYN_EXPORT std::vector<ReportShape> report_shapes(const Model& model);

/// One self-contained page with an animation, plots and tables; several results are compared.
///
/// The page needs no network and no other file, and executes nothing but its own script, whatever
/// the names in the results are.
/// @throws DomainError if there is no report, or if one of several has been thinned
SPACEDYN_EXPORT std::string html_report(const std::vector<ReportData>& reports);

/// Writes a page, replacing the file in one step. @throws IoError
SPACEDYN_EXPORT void write_html_report(const std::string& path,
                                       const std::vector<ReportData>& reports);

/// A robot with its base at rest at the origin, for html_report(): the page moves its joints.
///
/// Joint positions are those nearest to zero inside their limits; of two joints that a gear ties to
/// each other, the second one follows the first.
SPACEDYN_EXPORT ReportData model_report(const Model& model);

/// Length of the one cycle in which each mode is shown, s.
inline constexpr double kShownCycle = 2.0;

/// A natural mode as a page tells of it.
struct ModeToShow {
  int number = 0;              ///< from 1, rigid-body modes counted
  double frequency = 0.0;      ///< Hz
  double damping_ratio = 0.0;  ///< ζ
  double growth_rate = 0.0;    ///< of an unstable mode, 1/s
  std::string strain;          ///< the joints that hold its strain energy
  VectorX shape;               ///< φ, size 6 + n
};

/// The robot at a configuration and each mode as one cycle of motion, x + a φ sin(2πt/T), for
/// html_report(). The amplitude a is chosen so that the point that moves farthest moves a tenth of
/// the robot's size and nothing turns by more than half a radian. An unstable mode swings, too.
/// @throws DimensionError, DomainError if the state or a shape does not fit the model
SPACEDYN_EXPORT ReportData modes_report(const Model& model, const State& state,
                                        const std::vector<ModeToShow>& modes);

}  // namespace spacedyn
