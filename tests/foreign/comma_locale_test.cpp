// Programs may have a locale in which 0,5 is a half and 1.000 a thousand: files mean the same in
// it.
#include <filesystem>
#include <fstream>
#include <locale>
#include <sstream>

#include <gtest/gtest.h>

#include "foreign/foreign_texts.hpp"
#include "loading/temporary_folder.hpp"
#include "spacedyn/terrain/triangle_mesh.hpp"

namespace spacedyn::comma_locale_test {
namespace {

using testing::TemporaryFolder;

class CommaNumbers : public std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

/// As std::locale::global(std::locale("de_DE.UTF-8")), which not every machine has.
class InGerman {
 public:
  InGerman() : before_(std::locale::global(std::locale(std::locale(), new CommaNumbers))) {}
  ~InGerman() { std::locale::global(before_); }
  InGerman(const InGerman&) = delete;
  InGerman& operator=(const InGerman&) = delete;

 private:
  std::locale before_;
};

/// A tetrahedron with an edge of 1234.5 m along x and of half a metre along y and z.
const std::vector<Vector3> kCorners = {{0, 0, 0}, {1234.5, 0, 0}, {0, 0.5, 0}, {0, 0, 0.5}};
const std::vector<std::array<int, 3>> kFaces = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
constexpr double kVolume = 1234.5 * 0.5 * 0.5 / 6.0;

std::string text_of(const Vector3& point) {
  std::ostringstream text;
  text.imbue(std::locale::classic());
  text << point.x() << ' ' << point.y() << ' ' << point.z();
  return text.str();
}

std::string tetrahedron(const std::string& ending) {
  std::string text;
  if (ending == "obj") {
    for (const Vector3& corner : kCorners) text += "v " + text_of(corner) + " # corner\r\n";
    text += "f 1 3 2\nf 1/1 2/1 4/1\nf -4 -1 -2\nf 2//1 3//1 4//1\n";
    return text;
  }
  std::string list;
  for (const auto& face : kFaces) {
    if (ending == "stl") text += "facet normal 0 0 0\nouter loop\n";
    for (const int corner : face) {
      const std::string point = text_of(kCorners[static_cast<std::size_t>(corner)]);
      text += "vertex " + point + '\n';
      list += std::to_string(corner) + ' ';
    }
    if (ending == "stl") text += "endloop\nendfacet\n";
  }
  if (ending == "stl") return "solid t\n" + text + "endsolid t\n";
  std::string points;
  for (const Vector3& corner : kCorners) points += text_of(2.0 * corner) + ' ';
  return "<COLLADA><asset><unit meter='0.5'/></asset><library_geometries><geometry id='g'><mesh>"
         "<source id='p'><float_array id='a' count='12'>" +
         points +
         "</float_array><technique_common><accessor source='#a' count='4' stride='3'/>"
         "</technique_common></source><vertices id='v'><input semantic='POSITION' source='#p'/>"
         "</vertices><triangles count='4'><input semantic='VERTEX' source='#v' offset='0'/><p>" +
         list + "</p></triangles></mesh></geometry></library_geometries></COLLADA>";
}

TEST(CommaLocale, MeshesHaveTheSameSize) {
  for (const std::string ending : {"obj", "stl", "dae"}) {
    const std::string text = tetrahedron(ending);
    const TriangleMesh plain = parse_triangle_mesh("t." + ending, text);
    EXPECT_NEAR(enclosed_volume(plain), kVolume, 1e-12) << ending;
    const InGerman german;
    const TriangleMesh mesh = parse_triangle_mesh("t." + ending, text);
    EXPECT_EQ(mesh.points, plain.points) << ending;
    EXPECT_EQ(mesh.triangles, plain.triangles) << ending;
  }
}

TEST(CommaLocale, ABodyOfAMeshWeighsTheSame) {
  const TemporaryFolder folder;
  for (const std::string ending : {"obj", "stl", "dae"}) {
    folder.write("t." + ending, tetrahedron(ending));
    const std::string path = folder.write(
        "b.xml", "<mujoco><asset><mesh name='t' file='t." + ending +
                     "' scale='0.001 1 1'/></asset><worldbody><body name='b'><freejoint/><geom "
                     "type='mesh' mesh='t' density='1.5'/></body></worldbody></mujoco>");
    const InGerman german;
    EXPECT_NEAR(load_model(path).model->total_mass(), 1.5e-3 * kVolume, 1e-15) << ending;
  }
}

TEST(CommaLocale, FilesAreWrittenAlike) {
  const std::filesystem::path robots = std::filesystem::path(SPACEDYN_ROOT) / "models/robots";
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(robots)) {
    if (entry.path().extension() != ".yaml") continue;
    const LoadedModel loaded = load_model(entry.path().string());
    const auto urdf = [&] {
      try {
        return export_urdf(*loaded.model).urdf;
      } catch (const DomainError& error) {
        return std::string(error.what());  // a joint that URDF does not know
      }
    };
    const std::string yaml = write_model(*loaded.model), xml = urdf();
    const InGerman german;
    EXPECT_EQ(write_model(*loaded.model), yaml) << entry.path();
    EXPECT_EQ(urdf(), xml) << entry.path();
    EXPECT_EQ(write_model(*load_model(entry.path().string()).model), yaml) << entry.path();
    ++count;
  }
  EXPECT_GT(count, 10);
}

}  // namespace
}  // namespace spacedyn::comma_locale_test
