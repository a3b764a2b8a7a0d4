# SPDX-License-Identifier: Apache-2.0
"""A device called hostdev, whose memory is the host's. torch loads it by itself if this package is
installed."""

import os
import types

import torch


def start():
    device = types.ModuleType("torch.hostdev")
    device.is_available = lambda: True
    device.device_count = lambda: 1
    device.current_device = lambda: 0
    device.synchronize = lambda *args: None
    torch.utils.rename_privateuse1_backend("hostdev")
    torch._register_device_module("hostdev", device)
    torch.ops.load_library(os.path.join(os.path.dirname(__file__), "libhostdev.so"))
