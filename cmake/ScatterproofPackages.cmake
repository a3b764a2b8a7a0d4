# SPDX-License-Identifier: Apache-2.0
# `cpack --config <build>/CPackConfig.cmake` makes a Debian package and an archive of what `cmake --install`
# installs (./dev package).
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_NAME scatterproof)
set(CPACK_PACKAGE_VENDOR scatterproof)
set(CPACK_PACKAGE_CONTACT "the authors of scatterproof")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "conformance tests for scatter and gather operators")
set(CPACK_PACKAGE_DESCRIPTION "Tests implementations of scatter and gather operators against the published documentation of
deep-learning frameworks: kernels in shared libraries, and the frameworks.")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_FILE_NAME scatterproof-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR})

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Libraries that are loaded when a history is opened, which dpkg-shlibdeps does not see: `history` uses the
# SQLite one by default.
get_filename_component(soci ${SOCI_core_LIBRARY} REALPATH)
string(REGEX MATCH "[0-9]+\\.[0-9]+" soci ${soci}) # libsoci_core.so.4.0.3
set(CPACK_DEBIAN_PACKAGE_DEPENDS libsoci-sqlite3-${soci})
# For `engines install`, workers in Python, and users who compile kernels.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libsoci-postgresql${soci}, python3, python3-venv")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "cmake, g++")
include(CPack)
