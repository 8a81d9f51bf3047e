/// @file
/// Sweeps: one scenario flown many times with parameters that vary.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/math/types.hpp"

namespace spacedyn {

/// How a parameter varies.
struct SweepParameter {
  enum class Kind {
    values,      ///< numbers: all of them, one after another
    uniform,     ///< numbers: [a, b]
    normal,      ///< numbers: [mean, standard deviation]
    log_normal,  ///< numbers: [median, sigma], ln x is normal about ln median
    triangular,  ///< numbers: [a, mode, b]
    choice       ///< numbers: one of them, as likely as its weight
  };
  std::string key;  ///< path of an override, to a number
  Kind kind = Kind::values;
  std::vector<double> numbers;                         ///< SI
  std::vector<double> weights;                         ///< of a choice
  std::optional<std::pair<double, double>> truncated;  ///< of a normal: given that it is within
  std::string unit = {};                               ///< SI

  bool is_grid() const { return kind == Kind::values; }
};

/// x with P(X ≤ x) = u of a parameter that is no grid.
/// @param u  in (0, 1)
SPACEDYN_EXPORT double quantile(const SweepParameter& parameter, double u);

/// How the numbers in (0, 1) come that quantiles are taken at.
enum class Sampling {
  random,           ///< independent
  latin_hypercube,  ///< for each parameter one in each of `runs` equal parts
  sobol             ///< Sobol' points from index 1 on
};

/// One number that is kept of each flight.
struct SweepCollect {
  enum class At { end, max, min, max_abs, rms, integral, time };
  std::string name;
  std::string summary;  ///< path into the summary of a run; or
  std::string channel;  ///< a column, a dataset without its first slash, or one of the names of
                        ///< collect_channels()
  int component = 0;
  At at = At::end;
  double time = 0.0;      ///< s, with At::time
  std::string unit = {};  ///< of the column; empty of a summary
};

enum class KeepResults { none, failed, all };

/// How flights are computed.
enum class SweepEngine {
  single,  ///< one by one
  lanes    ///< eight at once in vector lanes, of systems that BatchDynamics knows: the same numbers
           ///< but for rounding, the same bits whichever rows fly together
};

/// What a run may take; beyond, it fails.
struct SweepLimits {
  double wall_time = std::numeric_limits<double>::infinity();  ///< s
  long max_steps = std::numeric_limits<long>::max();
};

/// A sweep as its file describes it.
struct SweepSettings {
  std::string name;
  Notes notes;
  std::string scenario;  ///< path, relative to the file
  std::uint64_t seed = 0;
  long runs = 1;  ///< of each point of the grid
  std::vector<SweepParameter> parameters;
  Sampling sampling = Sampling::random;
  std::vector<std::size_t> correlated;  ///< parameters whose normals are correlated
  MatrixX correlation;                  ///< of these
  std::vector<SweepCollect> collect;
  KeepResults keep_results = KeepResults::none;
  SweepEngine engine = SweepEngine::single;
  SweepLimits limits;
};

/// The row of a sweep: what its scenario flies with.
struct SweepDraw {
  std::vector<double> parameters;  ///< SI, in the order of the settings
  std::uint64_t seed = 0;          ///< of the noise of sensors
};

/// A sweep whose scenario has been read and whose keys have been found in it.
///
/// A row depends on the settings and its number alone; all functions may be called from several
/// threads.
class SPACEDYN_EXPORT Sweep {
 public:
  /// @param overrides  changes of the sweep's own keys, such as `runs`
  /// @throws ParseError, OverrideError with every problem found; IoError
  static Sweep load(const std::string& path, const std::vector<Override>& overrides = {});
  /// The same from the texts of sources().
  static Sweep reload(const std::map<std::string, std::string>& sources,
                      const std::vector<Override>& overrides = {});
  ~Sweep();
  Sweep(Sweep&&) noexcept;
  Sweep& operator=(Sweep&&) noexcept;

  const SweepSettings& settings() const;
  const std::vector<Override>& overrides() const;
  /// Texts of the files of the sweep and of its scenario, by path.
  const std::map<std::string, std::string>& sources() const;
  /// Problems of both that are no errors.
  const std::vector<Diagnostic>& warnings() const;
  /// The scenario as its files have it.
  const Scenario& scenario() const;

  /// Points of the grid times runs.
  long rows() const;
  SweepDraw draw(long row) const;
  /// The draw as overrides of the scenario.
  std::vector<Override> overrides_of(const SweepDraw& draw) const;
  /// The scenario of a row with all that a result file says about it.
  /// @throws OverrideError, ParseError if the scenario refuses the draw
  Scenario scenario_of(long row) const;

  class Implementation;
  const Implementation& implementation() const { return *implementation_; }

 private:
  explicit Sweep(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> implementation_;
};

/// JSON Schema of a file of a sweep.
SPACEDYN_EXPORT std::string sweep_schema();

}  // namespace spacedyn
