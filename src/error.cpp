#include "spacedyn/error.hpp"

namespace spacedyn {

// Destructors are defined here so that type information lives in this library alone.
Error::~Error() = default;
DimensionError::~DimensionError() = default;
DomainError::~DomainError() = default;
IoError::~IoError() = default;
NumericalError::~NumericalError() = default;

NumericalError::NumericalError(const std::string& what, double time, long step,
                               std::string quantity)
    : Error(what), time_(time), step_(step), quantity_(std::move(quantity)) {}

}  // namespace spacedyn
