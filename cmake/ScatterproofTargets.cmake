# SPDX-License-Identifier: Apache-2.0
# Declares every library and test of the project: one place for language level, warnings and sanitizers.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_VERIFY_INTERFACE_HEADER_SETS ON)
find_program(SCATTERPROOF_CCACHE ccache)
if(SCATTERPROOF_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${SCATTERPROOF_CCACHE})
endif()

add_library(scatterproof_options INTERFACE)
target_compile_options(scatterproof_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
                                                      $<$<BOOL:${SCATTERPROOF_WERROR}>:-Werror>)
# g++ 12 sees overlapping copies in std::string's own operator+ when it optimises (GCC bug 105651).
target_compile_options(scatterproof_options INTERFACE -Wno-restrict)
if(SCATTERPROOF_SANITIZE)
  target_compile_options(scatterproof_options INTERFACE -fsanitize=${SCATTERPROOF_SANITIZE} -fno-omit-frame-pointer
                                                        -fno-sanitize-recover=all)
  # The address sanitizer sees the result of these. They are a third of the build.
  target_compile_options(scatterproof_options INTERFACE -fno-sanitize=null,object-size,vptr,pointer-overflow,nonnull-attribute,returns-nonnull-attribute)
  # With sanitizers, it also reports the storage of std::variant and std::regex as uninitialised.
  target_compile_options(scatterproof_options INTERFACE -Wno-maybe-uninitialized)
  # With the thread sanitizer, it misjudges the length that Boost's small_vector copies.
  if(SCATTERPROOF_SANITIZE STREQUAL "thread")
    target_compile_options(scatterproof_options INTERFACE -Wno-stringop-overread)
  endif()
  target_link_options(scatterproof_options INTERFACE -fsanitize=${SCATTERPROOF_SANITIZE})
endif()

# The public headers of a component: all of <component>/include, each compiled alone by the target
# all_verify_interface_header_sets. Only targets that link the component have them on their include path.
function(scatterproof_public_headers target)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/include/*.hpp ${CMAKE_CURRENT_SOURCE_DIR}/include/*.h)
  get_target_property(kind ${target} TYPE)
  set(scope PUBLIC)
  if(kind STREQUAL "INTERFACE_LIBRARY")
    set(scope INTERFACE)
  endif()
  target_sources(${target} ${scope} FILE_SET HEADERS BASE_DIRS ${CMAKE_CURRENT_SOURCE_DIR}/include FILES ${headers})
endfunction()

# Small files of one folder are compiled as one translation unit. They include the same headers and
# instantiate the same templates, so this takes less than half of the time. Each file still includes what it
# needs: the preset dev, which is made for repeated edits and for clang-tidy, compiles them one by one.
option(SCATTERPROOF_TOGETHER "Compile the small files of a folder as one" ON)

# scatterproof_together(<target> <name> SOURCES...): these files are one translation unit.
function(scatterproof_together target name)
  if(SCATTERPROOF_TOGETHER)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
    set_source_files_properties(${ARGN} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP ${name})
  endif()
endfunction()

# scatterproof_library(<target> SOURCES ... [APART ...] [PUBLIC libraries ...] [PRIVATE libraries ...]): one
# component. Its public headers are below its include/, its private ones next to its sources. It sees the
# public headers of what it links. SOURCES are compiled together; APART are not, because each takes long by
# itself.
function(scatterproof_library target)
  cmake_parse_arguments(ARG "" "" "SOURCES;APART;PUBLIC;PRIVATE" ${ARGN})
  add_library(${target} STATIC ${ARG_SOURCES} ${ARG_APART})
  target_link_libraries(${target} PUBLIC ${ARG_PUBLIC} PRIVATE ${ARG_PRIVATE} scatterproof_options)
  if(ARG_SOURCES)
    scatterproof_together(${target} all ${ARG_SOURCES})
  endif()
  if(IS_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/include)
    scatterproof_public_headers(${target})
  endif()
endfunction()

# What the sanitizers are run on: tests labelled `memory` and `threads`, built by memory_tests and
# threads_tests. Tests labelled `memory-nightly`, which memory-nightly_tests builds, are run by the preset
# asan-nightly alone.
add_custom_target(memory_tests)
add_custom_target(memory-nightly_tests)
add_custom_target(threads_tests)

# scatterproof_sanitized(<test> <labels> <targets>...): labels a test, which needs these targets. Call it
# after the test has its time limit: with sanitizers it has a longer one.
function(scatterproof_sanitized test labels)
  set_property(TEST ${test} APPEND PROPERTY LABELS ${labels})
  if(SCATTERPROOF_SANITIZE)
    set_tests_properties(${test} PROPERTIES TIMEOUT 1500)
  endif()
  foreach(label ${labels})
    add_dependencies(${label}_tests ${ARGN})
  endforeach()
endfunction()

# Begins with the tests that take long. tests/CMakeLists.txt reads the seconds.
function(scatterproof_cost test)
  if(scatterproof_seconds_of_${test})
    set_tests_properties(${test} PROPERTIES COST ${scatterproof_seconds_of_${test}})
  endif()
endfunction()

# scatterproof_test(<name> SOURCES ... [APART ...] LIBRARIES ... [INCLUDE folders] [TIMEOUT s] [LABELS memory
# threads]): one GoogleTest executable, one ctest entry of that name. APART are sources that use the same name
# for different things; INCLUDE are folders of the project whose private headers the test includes.
function(scatterproof_test name)
  cmake_parse_arguments(ARG "" "TIMEOUT" "SOURCES;APART;LIBRARIES;INCLUDE;LABELS" ${ARGN})
  string(REPLACE "." "_" target ${name}_test)
  add_executable(${target} ${ARG_SOURCES} ${ARG_APART})
  target_link_libraries(${target} PRIVATE ${ARG_LIBRARIES} scatterproof_options GTest::gtest_main)
  target_compile_definitions(${target} PRIVATE SCATTERPROOF_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  # A test spends its time in the libraries. Its own code is compiled in two thirds of the time this way.
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-Og>)
  foreach(folder ${ARG_INCLUDE})
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/${folder})
  endforeach()
  if(ARG_SOURCES)
    scatterproof_together(${target} all ${ARG_SOURCES})
  endif()
  add_test(NAME ${name} COMMAND ${target})
  scatterproof_cost(${name})
  if(ARG_TIMEOUT)
    set_tests_properties(${name} PROPERTIES TIMEOUT ${ARG_TIMEOUT})
  endif()
  scatterproof_sanitized(${name} "${ARG_LABELS}" ${target})
endfunction()

# scatterproof_program_test(<name> <file> [ARGUMENTS words] [TIMEOUT s] [ENVIRONMENT NAME=value ...]): a
# Python test of the whole program, one ctest entry, run by Debian's Python, which has python3-yaml. It finds
# the program in $SCATTERPROOF, the tree in $SOURCE, the build in $BUILD, and the modules of tests/support.
function(scatterproof_program_test name file)
  cmake_parse_arguments(ARG "" "TIMEOUT" "ARGUMENTS;ENVIRONMENT" ${ARGN})
  add_test(NAME ${name} COMMAND /usr/bin/python3 -B ${CMAKE_CURRENT_SOURCE_DIR}/${file} ${ARG_ARGUMENTS})
  scatterproof_cost(${name})
  set(environment SCATTERPROOF=$<TARGET_FILE:scatterproof_cli> SOURCE=${PROJECT_SOURCE_DIR} BUILD=${PROJECT_BINARY_DIR}
                  PYTHONPATH=${PROJECT_SOURCE_DIR}/tests/support)
  set_property(TEST ${name} PROPERTY ENVIRONMENT ${environment} ${ARG_ENVIRONMENT})
  if(ARG_TIMEOUT)
    set_tests_properties(${name} PROPERTIES TIMEOUT ${ARG_TIMEOUT})
  endif()
endfunction()

# A program of the project that serves an engine behind the worker protocol (scatterproof/engines/serve.hpp).
# It is where the tool looks for it: libexec/scatterproof in a folder above the tool's own, in the build
# tree and in an installation, which gets those that were built. The target scatterproof_hosts builds all
# except those ON_REQUEST.
add_custom_target(scatterproof_hosts)
function(scatterproof_host target)
  cmake_parse_arguments(ARG "ON_REQUEST" "" "" ${ARGN})
  if(NOT ARG_ON_REQUEST)
    add_dependencies(scatterproof_hosts ${target})
  endif()
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/libexec/scatterproof)
  target_link_libraries(${target} PRIVATE scatterproof_engines_server scatterproof_options)
  install(TARGETS ${target} RUNTIME DESTINATION libexec/scatterproof OPTIONAL)
endfunction()
