# SPDX-License-Identifier: Apache-2.0
"""rounds_in_f16: keeps its intermediate values in half precision."""

import numpy as np
from honest import Honest, serve


class Liar(Honest):
    def finish(self, result, data):
        return result.astype(np.float16).astype(result.dtype) if result.dtype.kind == "f" else result


serve(Liar())
