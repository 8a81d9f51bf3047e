/// @file
/// Results as pages and pictures that open anywhere.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/integration/simulator.hpp"
#include "spacedyn/reporting/report_data.hpp"
#include "spacedyn/reporting/result_table.hpp"

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

}  // namespace spacedyn
