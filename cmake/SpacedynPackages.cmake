# Debian packages of an installed tree: `cpack` in the build folder.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME spacedyn)
set(CPACK_PACKAGE_VENDOR spacedyn)
set(CPACK_PACKAGE_CONTACT "spacedyn developers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_THREADS 0)
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_PRE_BUILD_SCRIPTS "${PROJECT_SOURCE_DIR}/cmake/PreparePackages.cmake")
set(CPACK_SPACEDYN_CHANGES "${PROJECT_SOURCE_DIR}/CHANGELOG.md")
# Libraries that are needed, from the programs themselves; dpkg-shlibdeps comes with dpkg-dev.
find_program(SPACEDYN_SHLIBDEPS dpkg-shlibdeps)
mark_as_advanced(SPACEDYN_SHLIBDEPS)
if(SPACEDYN_SHLIBDEPS)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${PROJECT_BINARY_DIR}")
  # no programs in these: CPack would start two processes for each header and model to find out
  set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SHLIBDEPS OFF)
  set(CPACK_DEBIAN_MODELS_PACKAGE_SHLIBDEPS OFF)
endif()

# spacedyn_package(COMPONENT NAME SUMMARY [DEPENDS])
function(spacedyn_package component name summary)
  string(TOUPPER "CPACK_DEBIAN_${component}" prefix)
  set(${prefix}_PACKAGE_NAME "${name}" PARENT_SCOPE)
  string(TOUPPER "CPACK_COMPONENT_${component}_DESCRIPTION" description)
  set(${description} "${summary}" PARENT_SCOPE)
  if(ARGC GREATER 3)
    set(${prefix}_PACKAGE_DEPENDS "${ARGV3}" PARENT_SCOPE)
  endif()
  # leave the components of wheels alone, and the other one of Python out of plain installations
  set(exclude)
  if(component STREQUAL debian_python)
    set(exclude EXCLUDE_FROM_ALL)
  endif()
  install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" RENAME copyright
    DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/${name}" COMPONENT ${component} ${exclude})
  install(FILES "${PROJECT_SOURCE_DIR}/THIRD-PARTY.md"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/${name}" COMPONENT ${component} ${exclude})
endfunction()

set(library libspacedyn${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(same_version "(= ${PROJECT_VERSION})")
spacedyn_package(library "${library}" "floating-base multibody dynamics, shared library")
install(FILES "${PROJECT_BINARY_DIR}/spacedyn.cdx.json"
  DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/${library}" COMPONENT library)
# what packages that are built against the library will depend on
file(WRITE "${PROJECT_BINARY_DIR}/debian/shlibs"
  "libspacedyn ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} ${library} (>= ${PROJECT_VERSION})\n")
file(WRITE "${PROJECT_BINARY_DIR}/debian/triggers" "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA
  "${PROJECT_BINARY_DIR}/debian/shlibs;${PROJECT_BINARY_DIR}/debian/triggers")
spacedyn_package(development libspacedyn-dev "floating-base multibody dynamics, development files"
  "${library} ${same_version}, libeigen3-dev")
spacedyn_package(models spacedyn-models "robots and scenarios for spacedyn")
set(CPACK_DEBIAN_MODELS_PACKAGE_ARCHITECTURE all)
set(CPACK_COMPONENTS_ALL library development models)
if(TARGET spacedyn_cli)
  spacedyn_package(program spacedyn "floating-base multibody dynamics, command-line program"
    "${library} ${same_version}, spacedyn-models ${same_version}")
  list(APPEND CPACK_COMPONENTS_ALL program)
endif()
if(TARGET spacedyn_python)
  spacedyn_package(debian_python python3-spacedyn
    "floating-base multibody dynamics, Python package"
    "${library} ${same_version}, spacedyn-models ${same_version}, python3, python3-numpy")
  set(CPACK_DEBIAN_DEBIAN_PYTHON_PACKAGE_SECTION python)
  list(APPEND CPACK_COMPONENTS_ALL debian_python)
endif()
include(CPack)
