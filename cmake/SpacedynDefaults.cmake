# Defaults that every target of this project shares; nothing here reaches a consumer.
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")

# A changed library needs no new link of the thirty programs that load it.
set(CMAKE_LINK_DEPENDS_NO_SHARED ON)

# Tables that the loader fills are read-only once a program runs.
add_link_options($<$<PLATFORM_ID:Linux>:LINKER:-z,relro,-z,now>)

# The installed program finds the installed library wherever the tree is moved.
file(RELATIVE_PATH spacedyn_bin_to_lib "/${CMAKE_INSTALL_BINDIR}" "/${CMAKE_INSTALL_LIBDIR}")
set(CMAKE_INSTALL_RPATH "$ORIGIN/${spacedyn_bin_to_lib}")

# Without this sloppiness ccache refuses every translation unit that uses a precompiled header; what a unit includes it
# learns from the compiler, so that nothing is preprocessed twice.
find_program(SPACEDYN_CCACHE ccache)
mark_as_advanced(SPACEDYN_CCACHE)
if(SPACEDYN_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_DEPEND=1 "${SPACEDYN_CCACHE}")
endif()

# g++ needs three times as long as clang for Eigen's expressions. In a folder that calls this, and below it, clang compiles
# where it is: for tests and what is built for them alone. What users run is compiled by the compiler they chose.
find_program(SPACEDYN_CLANG clang++)
mark_as_advanced(SPACEDYN_CLANG)
macro(spacedyn_compile_with_clang)
  if(SPACEDYN_CLANG AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_BUILD_TYPE STREQUAL "Release"
      AND NOT CMAKE_CXX_FLAGS)
    set(CMAKE_CXX_COMPILER_LAUNCHER sh "${PROJECT_SOURCE_DIR}/cmake/compile_with.sh" "${SPACEDYN_CLANG}"
        ${CMAKE_CXX_COMPILER_LAUNCHER})
  endif()
endmacro()

# Warnings and options of our own code, linked privately by every target.
add_library(spacedyn_options INTERFACE)
target_compile_options(spacedyn_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Woverloaded-virtual
  # The same source gives the same bits whatever the compiler's taste for fused operations.
  -ffp-contract=off
  # g++ collects garbage less often while it instantiates templates: an eighth of its time for half a gigabyte.
  $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=600000;--param=ggc-min-expand=60>
  # g++ names the precompiled header it used in its preprocessed output only if asked; ccache asks.
  $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>
  # The embedded page is one literal; -Wconversion of g++ leaves signs alone.
  $<$<CXX_COMPILER_ID:Clang>:-Wno-overlength-strings -Wno-sign-conversion>
  # Several sources in one unit are not its main file, where g++ allows members from unnamed namespaces.
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<BOOL:${CMAKE_UNITY_BUILD}>>:-Wno-subobject-linkage>
  $<$<BOOL:${SPACEDYN_WARNINGS_AS_ERRORS}>:-Werror>)
target_compile_definitions(spacedyn_options INTERFACE
  $<$<BOOL:${SPACEDYN_ENABLE_ASSERT}>:SPACEDYN_ENABLE_ASSERT>)
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=thread")
  target_compile_definitions(spacedyn_options INTERFACE SPACEDYN_THREAD_SANITIZER)
endif()

# What is installed stops where memory is overwritten: linked privately by the library, the programs and the Python
# module. Sanitizers find more, and do not go with it; checks of lengths need an optimizing compiler.
add_library(spacedyn_hardening INTERFACE)
if(SPACEDYN_HARDENING AND NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize=")
  set(fortify 3)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 12)
    set(fortify 2)
  endif()
  target_compile_options(spacedyn_hardening INTERFACE -fstack-protector-strong
    $<$<STREQUAL:${CMAKE_SYSTEM_PROCESSOR},x86_64>:-fcf-protection>
    $<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=${fortify}>)
endif()
# Programs that are loaded at random addresses, whatever the compiler's default.
include(CheckPIESupported)
check_pie_supported(LANGUAGES CXX)
