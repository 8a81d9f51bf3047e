// Collada files: the shapes of their scenes, and what is wrong with them at its line.
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spacedyn/error.hpp"
#include "spacedyn/terrain/triangle_mesh.hpp"

namespace spacedyn::collada_test {
namespace {

using ::testing::HasSubstr;

/// Inches, z up; a tetrahedron as <triangles> with normals, or as what takes their place.
const std::string kFaces = R"(<triangles count="4">
  <input semantic="VERTEX" source="#points" offset="0"/>
  <input semantic="NORMAL" source="#normals" offset="1"/>
  <p>0 0 2 0 1 0  0 0 1 0 3 0  1 0 2 0 3 0  2 0 0 0 3 0</p>
</triangles>)";
const std::string kNode = R"(<node id="outer"><translate>0 0 10</translate>
  <node><rotate>0 0 1 90</rotate><scale>1 2 1</scale><instance_geometry url="#shape"/></node>
</node>)";

std::string collada(const std::string& faces = kFaces, const std::string& node = kNode) {
  return R"(<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="inch" meter="0.0254"/><up_axis>Y_UP</up_axis></asset>
<library_geometries><geometry id="shape"><mesh>
<source id="positions"><float_array id="array" count="12">0 0 0 1 0 0 0 1 0 0 0 1</float_array>
<technique_common><accessor source="#array" count="4" stride="3"/></technique_common></source>
<vertices id="points"><input semantic="POSITION" source="#positions"/></vertices>
)" + faces +
         "\n</mesh></geometry></library_geometries>\n<library_visual_scenes>" +
         R"(<visual_scene id="scene">)" + node + R"(</visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#scene"/></scene>
</COLLADA>)";
}

TriangleMesh read(const std::string& text) { return parse_triangle_mesh("a.dae", text); }

TEST(Collada, PlacesAndScalesItsShapes) {
  TriangleMesh mesh = read(collada());
  ASSERT_EQ(mesh.triangles.size(), 4u);
  // (0, 1, 0) is scaled to (0, 2, 0), turned to (−2, 0, 0) and moved by 10 inches along z
  double left = 0.0, top = 0.0;
  for (const Vector3& point : mesh.points) {
    left = std::min(left, point.x());
    top = std::max(top, point.z());
  }
  EXPECT_NEAR(left, -2 * 0.0254, 1e-15);
  EXPECT_NEAR(top, 11 * 0.0254, 1e-15);
  // the determinant of the scale, of a sixth of a cubic inch; triangles stay turned outwards
  EXPECT_NEAR(enclosed_volume(mesh), 2.0 / 6.0 * 0.0254 * 0.0254 * 0.0254, 1e-20);
  mesh = read(
      collada(kFaces, "<node><scale>1 1 -1</scale><instance_geometry url=\"#shape\"/></node>"));
  EXPECT_NEAR(enclosed_volume(mesh), 1.0 / 6.0 * 0.0254 * 0.0254 * 0.0254, 1e-20);
}

TEST(Collada, ReadsTheSameFromEveryKindOfFaces) {
  const std::string input = R"(<input semantic="VERTEX" source="#points" offset="0"/>)";
  for (const std::string& faces :
       {"<polylist count=\"4\">" + input +
            "<vcount>3 3 3 3</vcount><p>0 2 1 0 1 3 1 2 3 2 0 3</p></polylist>",
        "<polygons count=\"4\">" + input +
            "<p>0 2 1</p><p>0 1 3</p><p>1 2 3</p><p>2 0 3</p></polygons>",
        "<trifans>" + input + "<p>3 0 1 2 0</p><p>0 2 1</p></trifans>",
        "<tristrips>" + input + "<p>0 2 1 3 0 2</p></tristrips>"}) {
    const TriangleMesh mesh = read(collada(faces));
    EXPECT_EQ(mesh.triangles.size(), 4u) << faces;
    EXPECT_NEAR(enclosed_volume(mesh), 2.0 / 6.0 * 0.0254 * 0.0254 * 0.0254, 1e-20) << faces;
  }
}

TEST(Collada, RefusesWhatIsWrongAtItsLine) {
  const auto refused = [](const std::string& text, const std::string& why) {
    try {
      read(text);
      ADD_FAILURE() << why;
    } catch (const IoError& error) {
      EXPECT_THAT(error.what(), HasSubstr("the mesh 'a.dae' is damaged: " + why));
    }
  };
  const auto with = [](const std::string& old, const std::string& now) {
    std::string text = collada();
    return text.replace(text.find(old), old.size(), now);
  };
  refused("<COLLADA", "line 1: it is no XML");
  refused("<robot/>", "line 1: expected <COLLADA>, got <robot>");
  refused(collada("", ""), "it has no triangles");
  refused(with("0.0254", "-1"), "line 3: expected a positive number of metres, got '-1'");
  refused(with("0 0 0 1 0 0", "0 0 x 1 0 0"), "line 5: expected numbers in <float_array>, got 'x'");
  refused(with("<p>0 0 2", "<p>0 0 7"), "line 11: expected indices of 4 positions, got 7");
  refused(with("2 0 0 0 3 0</p>", "2 0 0 0 3</p>"), "line 11: expected 2 indices for each corner");
  refused(with("#points", "#none"), "line 9: expected the id of a <vertices>, got '#none'");
  refused(with("url=\"#shape\"", "url=\"b.dae#x\""), "line 15: expected the id of a <geometry>");
  refused(with("<scale>1 2 1</scale>", "<scale>1 2</scale>"),
          "line 15: expected 3 numbers in <scale>");
  refused(collada(kFaces, "<node id=\"n\"><instance_node url=\"#n\"/></node>"),
          "line 14: nodes contain one another, or there are too many");
}

// some kilobytes that would be read for hours
TEST(Collada, InstancesOfInstancesEnd) {
  std::string numbers;
  for (int i = 0; i < 20000; ++i) numbers += " 1";
  std::string text =
      collada("<triangles><input semantic=\"VERTEX\" source=\"#points\"/></triangles>",
              "<node><instance_node url=\"#n0\"/></node>");
  text.replace(text.find(" 0 0 1</float_array>"), 0, numbers);
  std::string nodes = "<library_nodes>";
  for (int i = 0; i < 15; ++i) {
    const std::string next = i == 14 ? "<instance_geometry url=\"#shape\"/>"
                                     : "<instance_node url=\"#n" + std::to_string(i + 1) + "\"/>";
    nodes += "<node id=\"n" + std::to_string(i) + "\">" + next + next + "</node>";
  }
  text.replace(text.find("<library_visual"), 0, nodes + "</library_nodes>");
  try {
    read(text);
    ADD_FAILURE();
  } catch (const IoError& error) {
    EXPECT_THAT(error.what(), HasSubstr("expected instances of at most 100000000 numbers in all"));
  }
}

}  // namespace
}  // namespace spacedyn::collada_test
