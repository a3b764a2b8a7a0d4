# SPDX-License-Identifier: Apache-2.0
# The wheel without the program: the packages scatterproof and scatterproof_worker, and the plug-in for
# pytest. It is installed with the data, as share/scatterproof/python/scatterproof-<version>-py3-none-any.whl,
# for `pip install` where the program is installed already. wheel.py adds the program to it, for other
# machines (docs/decisions/0021-two-wheels-of-one-project.md).
find_package(Python3 COMPONENTS Interpreter)

# Debian's setuptools belong to Debian's Python, which need not be the first on the PATH.
foreach(python ${Python3_EXECUTABLE} /usr/bin/python3)
  execute_process(COMMAND ${python} -I -c "from setuptools import Distribution; Distribution().get_command_class('bdist_wheel')" RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
  if(failed EQUAL 0)
    set(SCATTERPROOF_WHEEL_PYTHON ${python})
    break()
  endif()
endforeach()
if(NOT SCATTERPROOF_WHEEL_PYTHON)
  add_custom_target(scatterproof_wheel COMMAND ${CMAKE_COMMAND} -E echo "no Python has setuptools and wheel: install python3-setuptools and python3-wheel, and configure again"
                                       COMMAND ${CMAKE_COMMAND} -E false)
  return()
endif()

set(sources ${PROJECT_SOURCE_DIR}/engines/workers/python)
set(stage ${PROJECT_BINARY_DIR}/wheel/source)
set(wheel ${PROJECT_BINARY_DIR}/wheel/scatterproof-${PROJECT_VERSION}-py3-none-any.whl)
configure_file(${sources}/pyproject.toml.in ${PROJECT_BINARY_DIR}/wheel/pyproject.toml @ONLY)
set(copies "")
set(modules "")
foreach(package scatterproof scatterproof_worker)
  file(GLOB of_package CONFIGURE_DEPENDS ${sources}/${package}/*.py ${sources}/${package}/py.typed)
  list(APPEND modules ${of_package})
  list(APPEND copies COMMAND ${CMAKE_COMMAND} -E make_directory ${stage}/${package}
                     COMMAND ${CMAKE_COMMAND} -E copy ${of_package} ${stage}/${package})
endforeach()
add_custom_command(
  OUTPUT ${wheel}
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${stage}
  ${copies}
  COMMAND ${CMAKE_COMMAND} -E copy ${PROJECT_BINARY_DIR}/wheel/pyproject.toml ${sources}/scatterproof_pytest.py ${PROJECT_SOURCE_DIR}/LICENSE ${stage}
  COMMAND ${CMAKE_COMMAND} -E chdir ${stage} ${SCATTERPROOF_WHEEL_PYTHON} -I -W ignore -c "from setuptools import build_meta; build_meta.build_wheel('..')" > ${PROJECT_BINARY_DIR}/wheel/log
  DEPENDS ${modules} ${sources}/scatterproof_pytest.py ${PROJECT_BINARY_DIR}/wheel/pyproject.toml ${PROJECT_SOURCE_DIR}/LICENSE
  VERBATIM)
add_custom_target(scatterproof_wheel ALL DEPENDS ${wheel})
install(FILES ${wheel} DESTINATION share/scatterproof/python OPTIONAL)
