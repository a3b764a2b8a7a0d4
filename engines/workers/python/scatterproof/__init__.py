# SPDX-License-Identifier: Apache-2.0
"""Tests of scatter and gather operators against the documents that define them."""
