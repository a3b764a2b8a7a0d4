# SPDX-License-Identifier: Apache-2.0
"""The ways in which the mock worker misbehaves, by the names of calls: mock.crash crashes."""

VICES = {}  # of a call that is executed
PREPARE_VICES = {}  # of a call that is prepared for timing
REPEAT_VICES = {}  # of a prepared call that is repeated


def vice(function):
    VICES["mock." + function.__name__] = function
    return function


def prepare_vice(function):
    PREPARE_VICES["mock." + function.__name__] = function
    return function


def repeat_vice(function):
    REPEAT_VICES["mock." + function.__name__] = function
    return function
