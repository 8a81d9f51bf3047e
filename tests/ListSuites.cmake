# cmake -D PROGRAM=… -D PREFIX=… -D FOLDER=… -D LABELS=… -D LISTING=… -P ListSuites.cmake
# Writes for ctest what a program of GoogleTest holds, an entry for each suite: to start a process takes longer than
# most cases do. Skipped is a suite that says at its end that all its cases were; with failures it says more.
set(all_skipped [[\\[  PASSED  \\] 0 tests\\.\n\\[  SKIPPED \\] [0-9]+ tests?\\.\n$]])
execute_process(COMMAND "${PROGRAM}" --gtest_list_tests WORKING_DIRECTORY "${FOLDER}" TIMEOUT 60
  OUTPUT_VARIABLE output RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "${PROGRAM} cannot list its tests (${failed}):\n${output}")
endif()

# "Suite." or "Suite/0.  # TypeParam = int"; cases stand below, indented. ctest starts with the longest lists.
string(REGEX REPLACE " *#[^\n]*" "" output "${output}")
string(REGEX MATCHALL "[A-Za-z0-9_/]+\\.(\n  [^\n]+)+" suites "${output}")
set(text "")
foreach(suite IN LISTS suites)
  string(REGEX MATCHALL "\n  " cases "${suite}")
  list(LENGTH cases cost)
  string(REGEX REPLACE "\\..*" "" suite "${suite}")
  set(entry "[=[${PREFIX}${suite}]=]")
  string(APPEND text "add_test(${entry} [=[${PROGRAM}]=] [=[--gtest_filter=${suite}.*]=] --gtest_brief=1)\n"
    "set_tests_properties(${entry} PROPERTIES WORKING_DIRECTORY [=[${FOLDER}]=] COST ${cost}\n"
    "  SKIP_REGULAR_EXPRESSION \"${all_skipped}\")\n")
  if(LABELS)
    string(APPEND text "set_tests_properties(${entry} PROPERTIES LABELS \"${LABELS}\")\n")
  endif()
endforeach()
file(WRITE "${LISTING}" "${text}")
