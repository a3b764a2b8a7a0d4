/* SPDX-License-Identifier: Apache-2.0 */
/* The header is C99, alone and before dlpack.h, and its tensor is a DLTensor: the test is that this
 * compiles. */
#include <scatterproof/kernel_abi.h>
/* dlpack.h comes second. */
#include <dlpack/dlpack.h>

#define SAME_PLACE(member) \
  typedef char             \
      member##_lies_elsewhere[offsetof(scatterproof_tensor, member) == offsetof(DLTensor, member) ? 1 : -1]

typedef char another_size[sizeof(scatterproof_tensor) == sizeof(DLTensor) ? 1 : -1];
SAME_PLACE(data);
SAME_PLACE(device);
SAME_PLACE(ndim);
SAME_PLACE(dtype);
SAME_PLACE(shape);
SAME_PLACE(strides);
SAME_PLACE(byte_offset);
