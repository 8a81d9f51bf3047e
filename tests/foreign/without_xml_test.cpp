// A build without tinyxml2 says what it lacks.
#include <gtest/gtest.h>

#include "spacedyn/loading/yaml.hpp"

namespace spacedyn::without_xml_test {
namespace {

TEST(WithoutXml, UrdfIsRefusedWithTheNameOfThePackage) {
  try {
    parse_model("<robot name='r'><link name='a'/></robot>", "r.urdf");
    ADD_FAILURE();
  } catch (const ParseError& error) {
    EXPECT_NE(error.diagnostics().front().hint.find("libtinyxml2-dev"), std::string::npos);
  }
}

}  // namespace
}  // namespace spacedyn::without_xml_test
