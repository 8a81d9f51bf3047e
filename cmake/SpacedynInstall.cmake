# Installation: library, headers, program, models, and what find_package and pkg-config read.
include(CMakePackageConfigHelpers)

set(SPACEDYN_INSTALL_CMAKEDIR "${CMAKE_INSTALL_LIBDIR}/cmake/spacedyn")

install(TARGETS spacedyn EXPORT spacedynTargets
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT library
          NAMELINK_COMPONENT development)
install(TARGETS spacedyn_read_hdf5 RUNTIME DESTINATION "${CMAKE_INSTALL_LIBEXECDIR}/spacedyn"
  COMPONENT library)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/" "${PROJECT_BINARY_DIR}/include/"
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT development FILES_MATCHING PATTERN "*.hpp" PATTERN "plugin.h")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/models" DESTINATION "${CMAKE_INSTALL_DATADIR}/spacedyn"
  COMPONENT models)
spacedyn_write_sbom("${PROJECT_BINARY_DIR}/spacedyn.cdx.json")
if(TARGET spacedyn_cli)
  install(TARGETS spacedyn_cli RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT program)
  get_target_property(loaded spacedyn_cli SPACEDYN_LOADED_LIBRARIES)
  install(TARGETS ${loaded} LIBRARY DESTINATION "${CMAKE_INSTALL_LIBEXECDIR}/spacedyn"
    COMPONENT program)
  foreach(folder IN ITEMS bash-completion zsh fish)
    install(DIRECTORY "${PROJECT_BINARY_DIR}/share/${folder}"
      DESTINATION "${CMAKE_INSTALL_DATADIR}" COMPONENT program)
  endforeach()
  install(DIRECTORY "${PROJECT_BINARY_DIR}/share/man/man1"
    DESTINATION "${CMAKE_INSTALL_MANDIR}" COMPONENT program)
endif()

install(EXPORT spacedynTargets NAMESPACE spacedyn:: DESTINATION "${SPACEDYN_INSTALL_CMAKEDIR}"
  COMPONENT development)
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/spacedynConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/spacedynConfig.cmake" INSTALL_DESTINATION "${SPACEDYN_INSTALL_CMAKEDIR}"
  PATH_VARS CMAKE_INSTALL_DATADIR)
# Before version 1 a change of the minor version may break consumers, as the soname says too.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/spacedynConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/spacedynConfig.cmake"
              "${PROJECT_BINARY_DIR}/spacedynConfigVersion.cmake"
  DESTINATION "${SPACEDYN_INSTALL_CMAKEDIR}" COMPONENT development)

# The file finds its prefix from its own place, so an installed tree may be moved.
file(RELATIVE_PATH SPACEDYN_PC_TO_PREFIX "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
# spacedyn_pc_list(VARIABLE PROPERTY PREFIX): a property of the library, each value after a blank and the prefix
function(spacedyn_pc_list variable property prefix)
  get_target_property(values spacedyn ${property})
  set(text "")
  foreach(value IN LISTS values)
    if(value)
      string(APPEND text " ${prefix}${value}")
    endif()
  endforeach()
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()
spacedyn_pc_list(SPACEDYN_PC_DEFINITIONS INTERFACE_COMPILE_DEFINITIONS -D)
spacedyn_pc_list(SPACEDYN_PC_OPTIONS INTERFACE_LINK_OPTIONS "")
configure_file("${PROJECT_SOURCE_DIR}/cmake/spacedyn.pc.in" "${PROJECT_BINARY_DIR}/spacedyn.pc"
  @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/spacedyn.pc"
  DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT development)

# Debian's place of Python packages, whose models are those of the program.
if(TARGET spacedyn_python)
  set(packages lib/python3/dist-packages)
  set(debian COMPONENT debian_python EXCLUDE_FROM_ALL)
  install(TARGETS spacedyn_python LIBRARY DESTINATION ${packages}/spacedyn ${debian})
  install(DIRECTORY "${PROJECT_BINARY_DIR}/python/spacedyn" DESTINATION ${packages} ${debian}
    FILES_MATCHING PATTERN "*.py" PATTERN "*.pyi" PATTERN "py.typed" PATTERN "models" EXCLUDE
    PATTERN "__pycache__" EXCLUDE)
  file(RELATIVE_PATH link "/${packages}/spacedyn" "/${CMAKE_INSTALL_DATADIR}/spacedyn/models")
  file(CREATE_LINK "${link}" "${PROJECT_BINARY_DIR}/debian_models" SYMBOLIC)
  install(FILES "${PROJECT_BINARY_DIR}/debian_models" DESTINATION ${packages}/spacedyn
    RENAME models ${debian})
endif()
