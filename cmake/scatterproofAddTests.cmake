# SPDX-License-Identifier: Apache-2.0
# scatterproof_add_tests(ENGINE <engine> [CASES <case>...] [FUZZ <time or number>] [BASELINE <file>...]
#                        [PREFIX <prefix>] [PROPERTIES <name> <value>...])
#
# Adds a CTest test for each API with a case that the engine offers. A test fails as `scatterproof run` does
# (docs/use/exit-codes.md).
#
# ENGINE      a target of this project that makes a kernel's library, or a name for `run --engine`
# CASES       case files, folders of them, and globs on ids; default: every shipped case
# FUZZ        for each API another test, of calls generated in this time (30s, 5m) or of this number
# BASELINE    files of expected failures
# PREFIX      of the tests' names, before the API; default: the engine and a slash
# PROPERTIES  of all these tests, such as TIMEOUT 600; their label is scatterproof
#
# The APIs are looked up when ctest starts, because a kernel describes itself only when it is built. If there
# are none, or the engine does not start, the test <prefix>cases fails. Files and the engine's own paths are
# relative to the folder of the CMakeLists.txt, where the tests run. Failing calls that FUZZ finds are saved
# in scatterproof-findings in its build folder.
set(scatterproof_find_tests ${CMAKE_CURRENT_LIST_DIR}/scatterproofFindTests.cmake)

function(scatterproof_add_tests)
  cmake_parse_arguments(PARSE_ARGV 0 ARG "" "ENGINE;FUZZ;PREFIX" "CASES;BASELINE;PROPERTIES")
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "scatterproof_add_tests: unknown argument '${ARG_UNPARSED_ARGUMENTS}'")
  endif()
  if(NOT ARG_ENGINE)
    message(FATAL_ERROR "scatterproof_add_tests: ENGINE is missing: a target, or what `scatterproof run --engine` takes")
  endif()
  if(NOT DEFINED ARG_PREFIX)
    set(ARG_PREFIX "${ARG_ENGINE}/")
  endif()
  if(TARGET ${ARG_ENGINE})
    set(ARG_ENGINE "so:$<TARGET_FILE:${ARG_ENGINE}>")
  endif()
  set(baselines "")
  foreach(file IN LISTS ARG_BASELINE)
    list(APPEND baselines --baseline ${file})
  endforeach()
  set(fuzz "")
  if(ARG_FUZZ MATCHES "^[0-9]+$")
    set(fuzz --cases ${ARG_FUZZ})
  elseif(ARG_FUZZ)
    set(fuzz --time ${ARG_FUZZ})
  endif()

  # One script for each call of this function, which ctest includes.
  get_property(earlier DIRECTORY PROPERTY scatterproof_test_scripts)
  list(LENGTH earlier number)
  set(script ${CMAKE_CURRENT_BINARY_DIR}/scatterproof_tests-${number})
  set_property(DIRECTORY APPEND PROPERTY scatterproof_test_scripts ${script})
  set(settings "")
  foreach(setting ARG_ENGINE ARG_PREFIX ARG_CASES ARG_PROPERTIES baselines fuzz)
    string(APPEND settings "set(${setting} [==[${${setting}}]==])\n")
  endforeach()
  file(
    GENERATE
    OUTPUT ${script}-$<CONFIG>.cmake
    CONTENT "set(program [==[$<TARGET_FILE:scatterproof::program>]==])
${settings}set(folder [==[${CMAKE_CURRENT_SOURCE_DIR}]==])
set(save [==[${CMAKE_CURRENT_BINARY_DIR}/scatterproof-findings]==])
include([==[${scatterproof_find_tests}]==])
")
  get_property(multi GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  set(configuration ${CMAKE_BUILD_TYPE})
  if(multi)
    set(configuration "\${CTEST_CONFIGURATION_TYPE}")
  endif()
  file(WRITE ${script}.cmake "include(\"${script}-${configuration}.cmake\")\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${script}.cmake)
endfunction()
