# SPDX-License-Identifier: Apache-2.0
from .program import main

main()
