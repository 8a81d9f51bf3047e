/// @file
/// Numbers of controllers that events set. Private.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "loading/scenario/scenario_context.hpp"

namespace spacedyn::loading {

/// A number, or a list, that an event sets.
struct ControllerSetting {
  std::string controller, key;
  Value value, place;  ///< of the key
};

/// The controllers of a scenario with all numbers that its events may set.
///
/// A controller with other numbers is what its section of the file makes with them, so every key of
/// every type can be set, in its unit and with its checks. All are made when the file is read.
class ControllerSettings {
 public:
  static ControllerSettings& of(ScenarioContext& scenario);

  /// Its action; it can be carried out after make_all().
  SetAction add(const ControllerSetting& setting);
  /// Makes the controllers that events can lead to; what does not fit is reported.
  void make_all(ScenarioContext& scenario);

 private:
  /// A controller and the settings that are in force in it, in the order of their keys.
  struct Variant {
    std::vector<std::size_t> settings;
    std::shared_ptr<const Controller> law;
    std::vector<std::size_t> next;  ///< variant after each setting
  };
  /// All of one controller, the first as it is in the file.
  struct Family {
    std::string name;
    std::vector<ControllerSetting> settings;
    std::vector<Variant> variants;

    std::size_t find(const Controller& law) const;
  };

  static std::vector<std::size_t> after(const Family& family, std::vector<std::size_t> before,
                                        std::size_t setting);
  static void make(ScenarioContext& scenario, Family& family);

  std::vector<std::shared_ptr<Family>> families_;
};

}  // namespace spacedyn::loading
