/// @file
/// How joints that bounce on impulsive stops come to rest.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "integration/equations/equations_of_motion.hpp"

namespace spacedyn {

class RestingContacts;

/// State and derivative of an instant, from the right; both may change.
struct ContactInstant {
  EquationsOfMotion& equations;
  RestingContacts& stops;
  VectorX& x;
  const VectorX& rate;
  double time;                            ///< s
  double unit;                            ///< of time, for root_tolerance(), s
  const std::function<void()>& evaluate;  ///< computes the derivative anew
  const std::function<void(double, const std::string&)>& note;  ///< keeps what has happened
};

/// Finds the joints that come to rest on their stops, all that do so together.
///
/// A bounce is not resolved if it lifts a joint by less than its tolerance. Of joints as near to
/// their stops as that, those come to rest which their stops would have to push if all of them were
/// at rest, so that impacts on one stop which lift a joint from another end, too. Stops that strike
/// each other in no time without being pressed against do so by plastic impacts.
class Landing {
 public:
  explicit Landing(const SimulationSetup& setup) : setup_(setup) {}

  /// @param struck  stops that joints have just bounced on
  /// @returns whether a joint has come to rest; then the derivative is that of another state
  bool come_to_rest(const ContactInstant& now, const std::vector<std::size_t>& struck);

  /// @param stops  how many there are
  void transfer(Archive& archive, std::size_t stops);

 private:
  using Indices = std::vector<std::size_t>;
  struct Rest;

  double tolerance(const ContactInstant& now, std::size_t stop) const;
  double resolution(const ContactInstant& now, std::size_t stop) const;
  double least_lift(const ContactInstant& now, std::size_t stop, double pressing) const;
  bool lifts(const ContactInstant& now, std::size_t stop, double velocity, double distance,
             double pressing) const;
  double distance(const ContactInstant& now, std::size_t stop) const;
  Indices near_stops(const ContactInstant& now, const Indices& struck) const;
  Rest try_rest(const ContactInstant& now, const Indices& near) const;
  void measure(const ContactInstant& now, const VectorX& before, Rest& rest) const;
  void lay_down(const ContactInstant& now, const Rest& rest, const Indices& plastic,
                const Indices& struck) const;
  void place_on(const ContactInstant& now, const Indices& stops) const;
  void note(const ContactInstant& now, const Indices& struck);
  Indices collapsed(const ContactInstant& now) const;

  const SimulationSetup& setup_;
  std::vector<double> times_;       // of the last impacts
  Indices stops_;                   // in them
  std::vector<double> last_;        // impact on each stop, s
  std::vector<int> small_bounces_;  // in a row, on each stop
};

}  // namespace spacedyn
