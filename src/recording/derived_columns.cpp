#include "recording/derived_columns.hpp"

namespace spacedyn {

DerivedColumns::~DerivedColumns() = default;

void DerivedColumns::add(const std::string& dataset, const std::string& frame,
                         const std::vector<Column>& names_and_units) {
  int index = 0;
  for (const Column& column : names_and_units) {
    columns_.push_back({column.name, column.unit, dataset, index++, frame, column.frequency});
  }
}

}  // namespace spacedyn
