// Where meshes are looked for, and what is said of those that are not there.
#include <algorithm>
#include <cstdlib>

#include <gtest/gtest.h>

#include "foreign/foreign_texts.hpp"
#include "loading/temporary_folder.hpp"

namespace spacedyn::mesh_files_test {
namespace {

using testing::has_warning;
using testing::kPit;
using testing::kServicerUrdf;
using testing::replaced;
using testing::TemporaryFolder;

/// The servicer with a mesh on its bus.
std::string robot_with(const std::string& mesh) {
  return replaced(kServicerUrdf, R"(<box size="1 2 3"/>)", "<mesh filename=\"" + mesh + "\"/>");
}

std::string folder_name(const TemporaryFolder& folder) {
  return std::filesystem::path(folder.path("x")).parent_path().filename().string();
}

std::size_t picture_count(const ImportedModel& imported) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = imported.yaml.find("shape: mesh", at)) != std::string::npos;
       ++at) {
    ++count;
  }
  return count;
}

TEST(MeshFiles, OfAPackageAreFoundAroundTheFileAndOnTheSearchPath) {
  const TemporaryFolder folder;
  folder.write("else/arm_description/meshes/bus.stl", "solid\nendsolid\n");
  const std::string inside = folder.write("else/arm_description/urdf/r.urdf",
                                          robot_with("package://arm_description/meshes/bus.stl"));
  EXPECT_EQ(picture_count(import_model(inside)), 1u);
  const std::string outside =
      folder.write("robots/r.urdf", robot_with("package://arm_description/meshes/bus.stl"));
  const ImportedModel lonely = import_model(outside);
  EXPECT_EQ(picture_count(lonely), 0u);
  EXPECT_TRUE(
      has_warning(lonely.warnings,
                  "r.urdf:12:23: warning: the package 'arm_description' of its meshes is not "
                  "found: a mesh is left out"));
  ImportOptions options;
  options.package_path = {folder.path("else")};
  EXPECT_EQ(picture_count(import_model(outside, "", options)), 1u);
  options.package_path = {folder.path("else/arm_description")};
  EXPECT_EQ(picture_count(import_model(outside, "", options)), 1u);
  options.meshes = false;
  EXPECT_EQ(picture_count(import_model(outside, "", options)), 0u);
  ::setenv("SPACEDYN_PACKAGE_PATH", ("/nowhere:" + folder.path("else")).c_str(), 1);
  EXPECT_EQ(picture_count(import_model(outside)), 1u);
  EXPECT_EQ(load_model(outside).model->description().base.visuals.size(), 1u);
  ::unsetenv("SPACEDYN_PACKAGE_PATH");
}

TEST(MeshFiles, ThatAreMissingInTheirFolderAreLeftOut) {
  const TemporaryFolder folder;
  folder.write("meshes/Bus.STL", "solid\nendsolid\n");
  ImportOptions options;
  options.package_path = {folder.path("")};
  for (const std::string mesh : {"meshes/bus.stl", "package://meshes/bus.stl", "meshes\\bus.stl"}) {
    const std::string path = folder.write("r.urdf", robot_with(mesh));
    const ImportedModel imported = import_model(path, "", options);
    EXPECT_EQ(picture_count(imported), 0u);
    EXPECT_TRUE(
        has_warning(imported.warnings, ":12:23: warning: link 'bus': a mesh is left out: '"))
        << mesh;
    EXPECT_TRUE(std::any_of(
        imported.warnings.begin(), imported.warnings.end(),
        [](const Diagnostic& warning) { return warning.hint == "did you mean 'Bus.STL'?"; }))
        << mesh;
    EXPECT_FALSE(has_warning(imported.warnings, "did not come along")) << mesh;
  }
}

TEST(MeshFiles, AreFoundByPathsWithBackslashes) {
  const TemporaryFolder folder;
  folder.write("meshes/bus.stl", "solid\nendsolid\n");
  const std::string path = folder.write("r.urdf", robot_with("meshes\\bus.stl"));
  EXPECT_EQ(picture_count(import_model(path)), 1u);
  const std::string packaged =
      folder.write("p.urdf", robot_with("package://" + folder_name(folder) + "\\meshes\\bus.stl"));
  EXPECT_EQ(picture_count(import_model(packaged)), 1u);
}

TEST(MeshFiles, WhoseFolderDidNotComeAlongAreLeftOut) {
  const TemporaryFolder folder;
  const std::string path = folder.write("r.urdf", robot_with("meshes_of_bus/bus.stl"));
  const LoadedModel loaded = load_model(path);
  EXPECT_TRUE(loaded.model->description().base.visuals.empty());
  EXPECT_TRUE(has_warning(loaded.warnings, "the folder 'meshes_of_bus' of its meshes is not here"));
  const LoadedModel remote = parse_model(robot_with("https://a.b/c.stl"), path);
  EXPECT_TRUE(has_warning(remote.warnings, "meshes are not fetched from 'https://a.b/c.stl'"));
}

// MuJoCo's rule without `inertia` adds volumes of tetrahedra without their signs
TEST(MeshFiles, AMeshWithAPitHasTheMassOfItsVolume) {
  const testing::TemporaryFolder folder;
  folder.write("pit.obj", kPit);
  const auto load = [&](const std::string& inertia) {
    return load_model(folder.write("b.xml", "<mujoco><asset><mesh name='m' file='pit.obj'" +
                                                inertia +
                                                "/></asset><worldbody><body name='b'><freejoint/>"
                                                "<geom type='mesh' mesh='m' density='3'/></body>"
                                                "</worldbody></mujoco>"));
  };
  const LoadedModel plain = load(""), exact = load(" inertia='exact'");
  // a cube less a pyramid of height 5/8: the sums of a dozen terms
  EXPECT_NEAR(plain.model->description().base.mass, 3.0 * (1.0 - 0.625 / 3.0), 1e-14);
  EXPECT_EQ(plain.model->description().base.mass, exact.model->description().base.mass);
  EXPECT_TRUE(has_warning(plain.warnings, "because it is not convex"));
  EXPECT_FALSE(has_warning(exact.warnings, "because it is not convex"));
}

}  // namespace
}  // namespace spacedyn::mesh_files_test
