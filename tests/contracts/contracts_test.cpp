// Every rule of the file format, broken once: the exact messages.
#include <gtest/gtest.h>

#include "contracts/case_file.hpp"
#include "spacedyn/loading/yaml.hpp"

namespace spacedyn::contracts_test {
namespace {

using testing::ContractCase;

/// What is reported of an example: the files it may refer to lie beside it.
template <typename Load>
std::string reported(const ContractCase& example, const std::string& file_name, const Load& load) {
  const testing::TemporaryFolder folder;
  testing::add_companions(folder);
  const std::string path = folder.write(file_name, example.text);
  try {
    load(path);
  } catch (const ParseError& error) {
    return testing::report(error.diagnostics(), folder.path(""));
  }
  return "accepted";
}

std::string name_of(const ::testing::TestParamInfo<ContractCase>& info) { return info.param.name; }

class ModelContract : public ::testing::TestWithParam<ContractCase> {};

TEST_P(ModelContract, Holds) {
  EXPECT_EQ(reported(GetParam(), "model.yaml", [](const auto& path) { load_model(path); }),
            GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(Rule, ModelContract, ::testing::ValuesIn(testing::read_cases("model")),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Yaml, ModelContract, ::testing::ValuesIn(testing::read_cases("yaml")),
                         name_of);

class ScenarioContract : public ::testing::TestWithParam<ContractCase> {};

TEST_P(ScenarioContract, Holds) {
  EXPECT_EQ(reported(GetParam(), "scenario.yaml", [](const auto& path) { load_scenario(path); }),
            GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(Rule, ScenarioContract,
                         ::testing::ValuesIn(testing::read_cases("scenario")), name_of);

}  // namespace
}  // namespace spacedyn::contracts_test
