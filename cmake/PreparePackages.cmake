# What Debian asks of the files of a package, done to what is about to be packed: manual pages are compressed, the
# changes stand beside the licence.
file(GLOB_RECURSE pages "${CPACK_TEMPORARY_DIRECTORY}/spacedyn*.1")
foreach(page IN LISTS pages)
  execute_process(COMMAND gzip -9n "${page}" COMMAND_ERROR_IS_FATAL ANY)
endforeach()
file(GLOB_RECURSE licences "${CPACK_TEMPORARY_DIRECTORY}/copyright")
foreach(licence IN LISTS licences)
  get_filename_component(folder "${licence}" DIRECTORY)
  execute_process(COMMAND gzip -9nc "${CPACK_SPACEDYN_CHANGES}" OUTPUT_FILE "${folder}/changelog.gz"
    COMMAND_ERROR_IS_FATAL ANY)
endforeach()
