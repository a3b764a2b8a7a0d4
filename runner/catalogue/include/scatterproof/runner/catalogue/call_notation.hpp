// SPDX-License-Identifier: Apache-2.0
// Calls as text: as the tool prints them, and as Python writes them.
#pragma once

#include <string>

#include "scatterproof/spec/core/call.hpp"
#include "scatterproof/spec/core/error.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::runner {

/// Whether a word of the command line is meant as a call: it has a parenthesis, which no id and no glob has.
bool is_call_text(const std::string& word);
/// The same call; a line break, and the blanks around it, are one blank.
std::string on_one_line(const std::string& text);

/// A call from `torch.gather(input=f32[1,2] [[1.0, 2.0]], dim=1, index=i64[1,1] [[0]])`, with the notes that
/// printed calls end in (`(input: transposed, dim: left out)`), or from Python:
/// `torch.gather(torch.tensor([[1., 2.]]), 1, [[0]])`. A tensor is a constructor's list (`np.array`,
/// `jnp.asarray`, `tf.constant`, ..; `dtype=` holds) or a bare list, whose dtype follows from its values as
/// in that framework: f32 or f64, i64 or i32, bool. Arguments without a name come in the order of the spec.
/// Errors have the column, and name what is known.
spec::Result<spec::Call> read_call_text(const std::string& text, const spec::SpecLibrary& specs);

}  // namespace scatterproof::runner
