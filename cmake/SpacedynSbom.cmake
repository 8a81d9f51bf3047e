# A bill of materials of what is linked or bundled, CycloneDX 1.5: whoever finds a package names it here, the file is
# written when all have been found.

# spacedyn_component(NAME LICENCE PURL VERSION): LICENCE is an SPDX expression, PURL a package URL without scheme and
# version; VERSION may be empty
function(spacedyn_component name licence purl version)
  if(licence MATCHES " ")
    set(licences "{\"expression\": \"${licence}\"}")
  else()
    set(licences "{\"license\": {\"id\": \"${licence}\"}}")
  endif()
  set(versions "")
  set(at "")
  if(version)
    set(versions "\"version\": \"${version}\", ")
    set(at "@${version}")
  endif()
  set_property(GLOBAL APPEND PROPERTY spacedyn_components
    "    {\"type\": \"library\", \"bom-ref\": \"${name}\", \"name\": \"${name}\", ${versions}\"purl\": \"pkg:${purl}${at}\",
     \"licenses\": [${licences}]}")
  set_property(GLOBAL APPEND PROPERTY spacedyn_component_names "\"${name}\"")
endfunction()

# spacedyn_bundled(PACKAGES…): packages of npm in the page of reports, as the lock file pins them
function(spacedyn_bundled)
  set(lock_file "${PROJECT_SOURCE_DIR}/apps/viewer/package-lock.json")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${lock_file}")
  file(READ "${lock_file}" lock)
  foreach(package IN LISTS ARGN)
    string(JSON version GET "${lock}" packages "node_modules/${package}" version)
    string(JSON licence GET "${lock}" packages "node_modules/${package}" license)
    spacedyn_component(${package} "${licence}" npm/${package} "${version}")
  endforeach()
endfunction()

# spacedyn_write_sbom(FILE)
function(spacedyn_write_sbom file)
  get_property(components GLOBAL PROPERTY spacedyn_components)
  get_property(names GLOBAL PROPERTY spacedyn_component_names)
  list(JOIN components ",\n" components)
  list(JOIN names ", " names)
  file(CONFIGURE OUTPUT "${file}" @ONLY CONTENT [[{
  "bomFormat": "CycloneDX",
  "specVersion": "1.5",
  "version": 1,
  "metadata": {
    "component": {"type": "library", "bom-ref": "spacedyn", "name": "spacedyn", "version": "@PROJECT_VERSION@",
                  "licenses": [{"license": {"id": "MIT"}}]}
  },
  "components": [
@components@
  ],
  "dependencies": [
    {"ref": "spacedyn", "dependsOn": [@names@]}
  ]
}
]])
endfunction()
