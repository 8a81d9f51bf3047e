#include "spacedyn/loading/foreign.hpp"

#include <pybind11/stl.h>

#include "bindings.hpp"

namespace spacedyn::python {

void bind_foreign(py::module_& m) {
  m.def("is_foreign_model", &is_foreign_model, py::arg("path"),
        "Whether the ending of a name is .urdf, .xml, .mjcf or .def.");
  m.def(
      "import_model",
      [](const std::string& path, const std::string& target_folder,
         const std::vector<std::string>& package_path, bool fixed_base, bool meshes) {
        const ImportOptions options{package_path, fixed_base, meshes};
        const ImportedModel imported = import_model(path, target_folder, options);
        py::list warnings;
        for (const Diagnostic& each : imported.warnings) warnings.append(each.message);
        return py::make_tuple(imported.yaml, warnings);
      },
      py::arg("path"), py::arg("target_folder") = "", py::kw_only(),
      py::arg("package_path") = std::vector<std::string>(), py::arg("fixed_base") = false,
      py::arg("meshes") = true,
      "A URDF, MJCF or .def file as the text of a YAML model, and warnings of what is left out.\n"
      "target_folder: where the YAML file will be, for paths of meshes. load_model() reads such\n"
      "files directly.");
  m.def(
      "export_urdf",
      [](const ModelHandle& model, const std::string& source_folder,
         const std::string& target_folder) {
        const UrdfExport result = export_urdf(*model, source_folder, target_folder);
        return py::make_tuple(result.urdf, result.losses);
      },
      py::arg("model"), py::arg("source_folder") = "", py::arg("target_folder") = "",
      "A model as the text of a URDF file, and a sentence for each thing that URDF cannot say.");
}

}  // namespace spacedyn::python
