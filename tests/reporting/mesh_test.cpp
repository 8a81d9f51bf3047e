// Meshes of visuals: files of all kinds, good and bad, and what a report makes of them.
#include <cstring>

#include "reporting/report_samples.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "support/temporary_directory.hpp"

namespace spacedyn::mesh_test {
namespace {

using ::testing::ElementsAre;
using testing::TemporaryDirectory;
using testing::write_text;

constexpr const char* kRobot = R"(spacedyn: 1
model:
  name: plate
  base:
    name: plate
    mass: 2
    inertia: [1, 1, 1]
    visual:
      - {shape: mesh, file: FILE, origin: {xyz: [0, 0, 3]}, color: "#ff8000"}
)";

constexpr const char* kTextStl = R"(solid one
facet normal 0 0 1
 outer loop
  vertex 0 0 0
  vertex 1 0 0
  vertex 0 2.5e-1 0
 endloop
endfacet
endsolid
)";

std::string binary_stl() {
  const float numbers[12] = {0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0.25F, 0};
  std::string bytes(80, ' ');
  bytes += std::string("\x01\0\0\0", 4);
  bytes.append(reinterpret_cast<const char*>(numbers), sizeof(numbers));
  return bytes + std::string(2, '\0');
}

/// The report of a model whose mesh has this text, and these keys besides its file.
ReportData report_of(const std::string& file, const std::string& content,
                     const std::string& keys = "") {
  const TemporaryDirectory folder;
  write_text(folder / file, content);
  std::string text = kRobot;
  text.replace(text.find("FILE"), 4, file + keys);
  const LoadedModel loaded = parse_model(text, "plate.yaml");
  ReportData report;
  report.bodies.resize(1);
  report.shapes = report_shapes(*loaded.model);
  add_meshes(report, *loaded.model, {"no/such/folder", folder.path().string()});
  return report;
}

TEST(Meshes, AreReadFromBinaryAndTextStlAndFromObj) {
  const std::string obj = "v 0 0 0\nv 1 0 0\nv 0 .25 0\nvn 0 0 1\nf 1//1 2//1 -1//1\n";
  for (const auto& [file, content] : std::map<std::string, std::string>{
           {"a.stl", binary_stl()}, {"b.STL", kTextStl}, {"c.obj", obj}}) {
    const ReportData report = report_of(file, content);
    EXPECT_THAT(report.warnings, ElementsAre()) << file;
    // nothing stands in for a body that has looks of its own
    ASSERT_EQ(report.shapes.size(), 1U) << file;
    const ReportShape& shape = report.shapes[0];
    EXPECT_EQ(shape.kind, ShapeKind::mesh);
    EXPECT_EQ(shape.role, ShapeRole::visual);
    EXPECT_EQ(shape.color, "#ff8000");
    EXPECT_EQ(shape.pose.position.z(), 3.0);
    EXPECT_THAT(shape.triangles, ElementsAre(0, 0, 0, 1, 0, 0, 0, 0.25F, 0)) << file;
  }
}

TEST(Meshes, AreScaledAndMirroredWithTheirOutsideOut) {
  const ReportData scaled = report_of("a.stl", kTextStl, ", scale: [10, 8, 1]");
  EXPECT_THAT(scaled.shapes[0].triangles,
              ::testing::ElementsAreArray({0, 0, 0, 10, 0, 0, 0, 2, 0}));
  const ReportData mirrored = report_of("a.stl", kTextStl, ", scale: [-1, 4, 1]");
  EXPECT_THAT(mirrored.shapes[0].triangles,
              ::testing::ElementsAreArray({0, 0, 0, 0, 1, 0, -1, 0, 0}));
}

TEST(Meshes, PolygonsBecomeFans) {
  const ReportData report =
      report_of("square.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n");
  EXPECT_THAT(report.shapes[0].triangles,
              ::testing::ElementsAreArray({0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0}));
}

TEST(Meshes, ThatCannotBeDrawnAreToldAndStoodInFor) {
  const auto refused = [](const std::string& file, const std::string& content,
                          const std::string& reason) {
    const ReportData report = report_of(file, content);
    ASSERT_EQ(report.warnings.size(), 1U) << file;
    EXPECT_THAT(report.warnings[0],
                ::testing::StartsWith("a part of 'plate' is not drawn: the mesh '"));
    EXPECT_THAT(report.warnings[0], ::testing::EndsWith(file + "' " + reason));
    ASSERT_EQ(report.shapes.size(), 1U);
    EXPECT_EQ(report.shapes[0].role, ShapeRole::inertia);
  };
  const std::string damaged = "is damaged: it has no triangles, or half of one";
  refused("a.ply", "ply", "is no .stl, .obj or .dae file");
  refused("a.stl", "", damaged);
  refused("b.stl", binary_stl().substr(0, 100), damaged);
  refused("c.stl", "vertex 0 0 0 vertex 1 0 0", damaged);
  refused("d.stl", "vertex 0 0 0 vertex 1 0 0 vertex 1 nan 0", damaged);
  refused("a.obj", "v 0 0 0\nf 1 2 3\n",
          "is damaged: line 2: expected numbers of the 1 vertices before it, got '2'");
  refused("b.obj", "v 0 x 0\nv 1 1 1\nv 2 2 2\nf 1 2 3\n",
          "is damaged: line 1: expected three coordinates");
  refused("c.obj", "v 0 0 0\nf 0 0 0\n",
          "is damaged: line 2: expected numbers of the 1 vertices before it, got '0'");
}

TEST(Meshes, WithTooManyTrianglesAreRefused) {
  std::string obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  for (int i = 0; i < 100001; ++i) obj += "f 1 2 3\n";
  const ReportData report = report_of("many.obj", obj);
  EXPECT_THAT(report.warnings[0], ::testing::HasSubstr("has more than 100000 triangles"));
}

}  // namespace
}  // namespace spacedyn::mesh_test
