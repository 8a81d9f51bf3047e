#include "spacedyn/loading/foreign.hpp"

#include <pybind11/stl.h>

#include "bindings.hpp"

namespace spacedyn::python {

void bind_foreign(py::module_& m) {
  m.def(
      "is_foreign_model", [](const PathArgument& path) { return is_foreign_model(path.text); },
      py::arg("path"), "Whether the ending of a name is .urdf, .xml, .mjcf or .def.");
  m.def(
      "import_model",
      [](const PathArgument& path, const PathArgument& target_folder,
         const std::vector<PathArgument>& package_path, bool fixed_base, bool meshes) {
        ImportOptions options;
        for (const PathArgument& folder : package_path) options.package_path.push_back(folder.text);
        options.fixed_base = fixed_base;
        options.meshes = meshes;
        const ImportedModel imported = import_model(path.text, target_folder.text, options);
        py::list warnings;
        for (const Diagnostic& each : imported.warnings) warnings.append(each.message);
        return py::make_tuple(imported.yaml, warnings);
      },
      py::arg("path"), py::arg("target_folder") = PathArgument(), py::kw_only(),
      py::arg("package_path") = std::vector<PathArgument>(), py::arg("fixed_base") = false,
      py::arg("meshes") = true,
      "A URDF, MJCF or .def file as the text of a YAML model, and warnings of what is left out.\n"
      "target_folder: where the YAML file will be, for paths of meshes. load_model() reads such\n"
      "files directly.");
  m.def(
      "export_urdf",
      [](const ModelHandle& model, const PathArgument& source_folder,
         const PathArgument& target_folder) {
        const UrdfExport result = export_urdf(*model, source_folder.text, target_folder.text);
        return py::make_tuple(result.urdf, result.losses);
      },
      py::arg("model"), py::arg("source_folder") = PathArgument(),
      py::arg("target_folder") = PathArgument(),
      "A model as the text of a URDF file, and a sentence for each thing that URDF cannot say.");
}

}  // namespace spacedyn::python
