/// @file
/// An instant of a run at which contacts are decided. Private.
#pragma once

#include <functional>
#include <string>

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

}  // namespace spacedyn
