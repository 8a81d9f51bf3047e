# Where several sources are compiled as one (CMAKE_UNITY_BUILD), up to this many: with units of 8, a third of the time
# goes into templates that the next unit instantiates again.
if(NOT DEFINED CMAKE_UNITY_BUILD_BATCH_SIZE)
  set(CMAKE_UNITY_BUILD_BATCH_SIZE 24)
endif()

# Folders of `src` and `tests` whose sources are compiled one by one all the same, as "control;tests/control": for work
# on a few files of a folder, where each change would compile its whole unit again.
set(SPACEDYN_SEPARATE "" CACHE STRING "Folders whose sources are compiled one by one")
mark_as_advanced(SPACEDYN_SEPARATE)

# Units of one folder of `src` each, of about the same size: a new source compiles its own folder again, not all that
# come after. In COLD folders, which read, write and decide what is flown, units are optimized less, for a third less time
# of the compiler; all others need -O3: with -O2 flights take 10 to 40 % longer. Cold units go without the precompiled
# header, because g++ optimizes what comes with one as that header was, whatever the options of the unit say.
function(spacedyn_group_by_folder target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "COLD")
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources EXCLUDE REGEX "^\\$<")
  foreach(source IN LISTS sources)
    get_filename_component(path "${source}" ABSOLUTE)
    string(REGEX REPLACE "^${CMAKE_CURRENT_SOURCE_DIR}/([^/]*)/.*" "\\1" folder "${path}")
    string(MAKE_C_IDENTIFIER "${folder}" folder)
    list(APPEND folders "${folder}")
    list(APPEND in_${folder} "${source}")
  endforeach()
  list(REMOVE_DUPLICATES folders)
  set(batch ${CMAKE_UNITY_BUILD_BATCH_SIZE})
  set(group 0)
  foreach(folder IN LISTS folders)
    list(LENGTH in_${folder} size)
    math(EXPR units "(${size} + ${batch} - 1) / ${batch}")
    if(folder IN_LIST SPACEDYN_SEPARATE)
      set(units ${size})
    endif()
    set(count 0)
    foreach(source IN LISTS in_${folder})
      math(EXPR unit "${count} * ${units} / ${size}")
      set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${group}_${unit}")
      if(folder IN_LIST arg_COLD AND CMAKE_BUILD_TYPE STREQUAL "Release")
        if(CMAKE_UNITY_BUILD)
          # as CMake names it; properties of a source alone would take it out of its unit
          set(source "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir/Unity/unity_${group}_${unit}_cxx.cxx")
        endif()
        set_source_files_properties("${source}" PROPERTIES COMPILE_OPTIONS -O1 SKIP_PRECOMPILE_HEADERS ON)
      endif()
      math(EXPR count "${count} + 1")
    endforeach()
    math(EXPR group "${group} + 1")
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
endfunction()
