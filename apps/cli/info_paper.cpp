#include <algorithm>

#include <fmt/format.h>

#include "failure.hpp"
#include "info.hpp"
#include "spacedyn/math/rotations.hpp"

namespace spacedyn::cli {
namespace {

std::string column(const Vector3& vector) {
  return fmt::format("[ {} {} {} ]'", vector.x() + 0.0, vector.y() + 0.0, vector.z() + 0.0);
}

std::string matrix(const Matrix3& matrix) {
  std::string text = "[";
  for (int i = 0; i < 3; ++i) {
    text += fmt::format("{} {} {} {}", i == 0 ? "" : ";", matrix(i, 0), matrix(i, 1), matrix(i, 2));
  }
  return text + " ]";
}

/// `name = [ … ];` with one entry for each link.
template <typename Entry>
std::string row(const Model& model, const char* name, const Entry& entry) {
  std::string text = fmt::format("{} = [", name);
  for (int i = 1; i <= model.joint_count(); ++i) text += fmt::format(" {}", entry(i));
  return text + " ];\n";
}

/// The frame that stands for the one endpoint which the toolbox allows a link.
const Frame* endpoint(const Model& model, int link) {
  const auto found = std::find_if(model.frames().begin(), model.frames().end(),
                                  [link](const Frame& frame) { return frame.body == link; });
  return found == model.frames().end() ? nullptr : &*found;
}

std::string tree(const Model& model) {
  const Topology& topology = model.topology();
  std::string text = fmt::format("num_q = {};\n", model.joint_count());
  text += row(model, "BB", [&](int i) { return topology.connection(i); });
  text += row(model, "S0", [&](int i) { return topology.connection(i) == 0 ? 1 : 0; });
  text += "% SE: 1 where a link carries an endpoint (a named frame)\n";
  text += row(model, "SE", [&](int i) { return endpoint(model, i) == nullptr ? 0 : 1; });
  return text + row(model, "J_type", [&](int i) {
           return model.joint(i).type == JointType::prismatic ? "'P'" : "'R'";
         });
}

std::string mass_properties(const Model& model) {
  std::string text = fmt::format("m0 = {};\n", model.body(0).mass);
  text += "inertia0 = " + matrix(model.body(0).inertia_L) + ";\n";
  text += row(model, "m", [&](int i) { return model.body(i).mass; });
  for (int i = 1; i <= model.joint_count(); ++i) {
    text +=
        fmt::format("inertia(:,{}:{}) = {};\n", 3 * i - 2, 3 * i, matrix(model.body(i).inertia_L));
  }
  return text;
}

std::string link_vectors(const Model& model) {
  std::string text;
  for (const int link : model.topology().roots()) {
    text += fmt::format("c0(:,{}) = {};\n", link, column(model.c_0(link)));
  }
  for (int i = 1; i <= model.joint_count(); ++i) {
    text += fmt::format("cc(:,{},{}) = {};\n", i, i, column(model.c(i, i)));
    for (const int j : model.topology().children(i)) {
      text += fmt::format("cc(:,{},{}) = {};\n", i, j, column(model.c(i, j)));
    }
  }
  return text;
}

std::string orientations(const Model& model) {
  std::string text;
  for (int i = 1; i <= model.joint_count(); ++i) {
    text += fmt::format("Qi(:,{}) = {};\n", i, column(twist_from_matrix(model.joint(i).rotation)));
  }
  return text;
}

std::string endpoints(const Model& model) {
  std::string text;
  for (int i = 1; i <= model.joint_count(); ++i) {
    const Frame* frame = endpoint(model, i);
    if (frame == nullptr) continue;
    text += fmt::format("ce(:,{}) = {};  % {}\n", i, column(model.c_e(*frame)), frame->name);
    text += fmt::format("Qe(:,{}) = {};\n", i, column(twist_from_matrix(frame->rotation)));
  }
  return text;
}

}  // namespace

std::string info_paper(const Model& model) {
  for (int i = 1; i <= model.joint_count(); ++i) {
    if (model.joint(i).type != JointType::screw) continue;
    throw Failure(ExitCode::bad_input, "the SpaceDyn toolbox has no joint like '" +
                                           model.joint(i).name + "', which is a screw");
  }
  return fmt::format(
             "% {}: link frames with z along the joint axis, vectors from the centroids, SI "
             "units\n",
             model.name()) +
         tree(model) + mass_properties(model) + link_vectors(model) + orientations(model) +
         endpoints(model);
}

}  // namespace spacedyn::cli
