# SPDX-License-Identifier: Apache-2.0
# cmake -DSOURCE=<checkout> -DOUTPUT=<file> -P revision.cmake: writes the checkout's git revision as a C++
# string literal, and touches the file only when the revision changed.
set(revision unknown)
find_program(GIT git)
if(GIT AND EXISTS ${SOURCE}/.git)
  execute_process(COMMAND ${GIT} -C ${SOURCE} describe --always --dirty --abbrev=12 --exclude=*
                  OUTPUT_VARIABLE said OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(NOT failed)
    set(revision ${said})
  endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "\"${revision}\"\n")
