# Run by each build: writes OUTPUT, which defines the commit of SOURCE_DIR, if it has changed.
set(commit "")
find_program(git_program git)
if(git_program)
  execute_process(
    COMMAND "${git_program}" describe --always --dirty --exclude=* --abbrev=12
    WORKING_DIRECTORY "${SOURCE_DIR}" OUTPUT_VARIABLE commit ERROR_QUIET
    OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()
file(CONFIGURE OUTPUT "${OUTPUT}" CONTENT [[
namespace spacedyn {

extern const char* const kGitCommit;
const char* const kGitCommit = "@commit@";

}  // namespace spacedyn
]] @ONLY)
