#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "browser.hpp"
#include "commands.hpp"
#include "inputs.hpp"
#include "json.hpp"
#include "result_report.hpp"
#include "spacedyn/analysis/modes.hpp"
#include "spacedyn/reporting/report.hpp"
#include "spacedyn/state/followers.hpp"
#include "text_table.hpp"

namespace spacedyn::cli {
namespace {

/// What is asked: a robot, where it is and which coordinates are held.
struct Question {
  std::shared_ptr<const Model> model;
  State state;
  Vector3 gravity;
  Mobility mobility;
  std::map<std::string, std::string> sources;  // texts of files read, by path
  std::vector<std::shared_ptr<const ForceElement>> forces = {};
};

Question of_model(const ModesOptions& options, Console& console) {
  const LoadedModel loaded = read_model(options.file, options.strict, console);
  const EvaluationInput input = read_state(options.state, *loaded.model);
  return {loaded.model, input.state, input.loads.gravity, Mobility(*loaded.model), loaded.sources};
}

Question of_scenario(const ModesOptions& options, Console& console) {
  if (!options.state.empty()) {
    throw Failure(ExitCode::wrong_command_line, "a scenario has its own state",
                  "give its model instead, or change the scenario's initial state");
  }
  const Scenario scenario = read_scenario(options.file, {}, options.strict, console);
  const SimulationSetup& setup = scenario.setup;
  std::vector<std::shared_ptr<const ForceElement>> forces = setup.forces;
  for (const Connection& connection : setup.connections) {
    if (connection.is_rigid() && connection.active) {
      throw Failure(ExitCode::bad_input,
                    fmt::format("modal analysis cannot take connection '{}'", connection.name()),
                    "with 'active: false' it is left out");
    }
    // one that is off has no springs
    if (!connection.is_rigid() && !connection.active) {
      forces[static_cast<std::size_t>(connection.force)] = nullptr;
    }
  }
  forces.erase(std::remove(forces.begin(), forces.end(), nullptr), forces.end());
  return {setup.model,           scenario.initial, setup.gravity,
          start_mobility(setup), scenario.sources, forces};
}

void hold(const ModesOptions& options, Question& question) {
  const Model& model = *question.model;
  std::vector<bool> free;
  for (int i = 1; i <= model.joint_count(); ++i) free.push_back(question.mobility.joint_free(i));
  for (const std::string& name : options.locked) {
    const auto joint = model.find_joint(name);
    if (!joint) {
      throw Failure(ExitCode::wrong_command_line,
                    "option '--lock': there is no joint '" + name + "' in '" + model.name() + "'");
    }
    if (const Follower* follower = model.follower(*joint)) {
      throw Failure(ExitCode::wrong_command_line,
                    "option '--lock': joint '" + name + "' follows '" +
                        model.joint(follower->followed).name + "'; lock that one");
    }
    free[static_cast<std::size_t>(*joint - 1)] = false;
  }
  question.mobility = Mobility(question.mobility.base_free() && !options.clamped, free);
  if (options.lock_unsprung) question.mobility = hold_unsprung_joints(model, question.mobility);
}

/// With the energy of joints that follow others in that of those.
VectorX own_share(const Model& model, VectorX share) {
  for (const Follower& each : model.followers()) {
    share(each.followed - 1) += share(each.joint - 1);
  }
  return share;
}

Json mode_json(const Model& model, const Mode& mode) {
  Json json;
  json["omega"] = mode.omega;
  json["frequency"] = mode.frequency();
  json["damping_ratio"] = mode.damping_ratio;
  if (mode.growth_rate > 0.0) json["growth_rate"] = mode.growth_rate;
  json["shape"] = json_list(own_motion(model, mode.shape));
  json["modal_mass"] = mode.modal_mass;
  json["strain_share"] = json_list(own_motion(model, own_share(model, mode.strain_share)));
  json["participation"] = json_list(mode.participation);
  json["effective_mass"] = json_list(mode.effective_mass);
  return json;
}

Json modes_json(const Question& question, const Modes& modes) {
  Json json;
  json["model"] = question.model->name();
  json["base"] = question.mobility.base_free() ? "free" : "clamped";
  json["joint_order"] = Json::array();
  json["held_joints"] = Json::array();
  for (const int i : question.model->coordinates()) {
    const std::string& name = question.model->joint(i).name;
    json["joint_order"].push_back(name);
    if (!question.mobility.joint_free(i)) json["held_joints"].push_back(name);
  }
  json["rigid_count"] = modes.rigid_count;
  json["damping_coupling"] = modes.damping_coupling;
  json["modes"] = Json::array();
  for (const Mode& mode : modes.modes) json["modes"].push_back(mode_json(*question.model, mode));
  return json;
}

/// The joints that bend most, until they hold most of the strain energy.
std::string strained_joints(const Model& model, const Mode& mode) {
  std::vector<int> order = model.coordinates();
  const VectorX shares = own_share(model, mode.strain_share);
  const auto share = [&](int joint) { return shares(joint - 1); };
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return share(a) > share(b); });
  std::string text;
  double sum = 0.0;
  for (std::size_t i = 0; i < order.size() && i < 4 && sum < 0.9; ++i) {
    if (share(order[i]) < 0.005) break;
    sum += share(order[i]);
    text += fmt::format("{}{} {:.0f} %", i == 0 ? "" : ", ", model.joint(order[i]).name,
                        100.0 * share(order[i]));
  }
  return text;
}

/// One number of effective mass, of which tiny ones are those of rounding.
std::string mass_text(double mass, double total) {
  return mass < 1e-9 * total ? "0" : fmt::format("{:.4g}", mass);
}

std::string effective_mass(const Model& model, const Mode& mode) {
  std::string text;
  for (int i = 0; i < 3; ++i) {
    text += (i == 0 ? "" : ", ") + mass_text(mode.effective_mass(i), model.total_mass());
  }
  return text;
}

std::vector<std::string> mode_row(const Question& question, const Mode& mode, std::size_t number) {
  std::vector<std::string> row{fmt::format("{}", number), fmt::format("{:.6g}", mode.frequency()),
                               fmt::format("{:.6g}", mode.omega),
                               fmt::format("{:.4g} %", 100.0 * mode.damping_ratio),
                               strained_joints(*question.model, mode)};
  if (mode.growth_rate > 0.0) {
    row[1] = "unstable";
    row[2] = fmt::format("grows, {:.4g} 1/s", mode.growth_rate);
    row[3] = "";
  }
  if (!question.mobility.base_free()) row.push_back(effective_mass(*question.model, mode));
  return row;
}

std::string heading(const Question& question, const Modes& modes) {
  std::string text =
      question.model->name() + (question.mobility.base_free() ? ", base free" : ", base clamped");
  std::string held;
  for (const int i : question.model->coordinates()) {
    if (!question.mobility.joint_free(i)) held += ' ' + question.model->joint(i).name;
  }
  if (!held.empty()) text += "; held:" + held;
  text += '\n';
  if (modes.rigid_count > 0) {
    text += fmt::format("  {} rigid-body mode{} at 0 Hz\n", modes.rigid_count,
                        modes.rigid_count == 1 ? "" : "s");
  }
  return text;
}

std::string modes_text(const Question& question, const Modes& modes) {
  std::vector<std::vector<std::string>> rows{
      {"mode", "frequency, Hz", "omega, rad/s", "damping", "strain energy in"}};
  if (!question.mobility.base_free()) rows[0].emplace_back("effective mass x, y, z, kg");
  for (std::size_t i = 0; i < modes.modes.size(); ++i) {
    if (!modes.modes[i].is_rigid()) rows.push_back(mode_row(question, modes.modes[i], i + 1));
  }
  std::string text = heading(question, modes);
  if (rows.size() == 1) return text + "  nothing pulls a joint back: there is no elastic mode\n";
  text += text_table(rows);
  if (modes.damping_coupling > 0.1) {
    text +=
        fmt::format("  damping couples the modes (by {:.2g}): take the damping from linearize\n",
                    modes.damping_coupling);
  }
  return text;
}

std::vector<ReportFact> mode_facts(const Question& question, const Modes& modes) {
  const bool is_free = question.mobility.base_free();
  std::string held;
  for (const int i : question.model->coordinates()) {
    if (question.mobility.joint_free(i)) continue;
    held += (held.empty() ? "" : ", ") + question.model->joint(i).name;
  }
  return {{"Modes", "Base", is_free ? "free" : "clamped"},
          {"Modes", "Held joints", held.empty() ? "none" : held},
          {"Modes", "Rigid-body modes", fmt::format("{}", modes.rigid_count)},
          {"Modes", "Coupling by damping", fmt::format("{:.2g}", modes.damping_coupling)}};
}

void write_page(const ModesOptions& options, const Question& question, const Modes& modes) {
  for (const auto& [path, text] : question.sources) refuse_inputs(options.report, {path});
  const Model& model = *question.model;
  std::vector<ModeToShow> shown;
  for (std::size_t i = 0; i < modes.modes.size(); ++i) {
    const Mode& mode = modes.modes[i];
    if (mode.is_rigid()) continue;
    shown.push_back({static_cast<int>(i) + 1, mode.frequency(), mode.damping_ratio,
                     mode.growth_rate, strained_joints(model, mode), mode.shape});
  }
  ReportData report = modes_report(model, question.state, shown);
  for (ReportFact& fact : mode_facts(question, modes)) report.facts.push_back(std::move(fact));
  add_meshes(report, model, folders_of(question.sources));
  try {
    write_html_report(options.report, {report});
  } catch (const IoError& error) {
    throw Failure(ExitCode::output_failed, error.what());
  }
}

}  // namespace

ExitCode run_modes(const ModesOptions& options, Console& console) {
  if (!options.report.empty()) {
    refuse_existing(options.report, options.force);
    refuse_inputs(options.report, {options.file, options.state});
  }
  refuse_two_inputs({options.file, options.state});
  const bool is_scenario = kind_of(options.file) == FileKind::scenario;
  Question question = is_scenario ? of_scenario(options, console) : of_model(options, console);
  hold(options, question);
  const Modes modes = reading(options.file, [&] {
    return compute_modes(*question.model, question.state, question.mobility, question.gravity,
                         question.forces);
  });
  if (!options.report.empty()) write_page(options, question, modes);
  std::string text = modes_text(question, modes);
  if (!options.report.empty()) text += "  shown in " + options.report + '\n';
  console.print(console.options().json ? json_text(modes_json(question, modes)) : text);
  if (options.open) open_in_browser(options.report, console);
  return ExitCode::done;
}

}  // namespace spacedyn::cli
