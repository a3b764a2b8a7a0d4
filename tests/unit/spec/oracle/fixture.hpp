// SPDX-License-Identifier: Apache-2.0
// Calls of the two small specs of toy_specs.hpp, and how their rules stand.
#pragma once

#include <string>
#include <vector>

#include "scatterproof/spec/oracle/oracle.hpp"
#include "tensors.hpp"
#include "toy_specs.hpp"

namespace scatterproof::spec::testing {

inline Call scatter_call(Tensor self, std::int64_t dim, Tensor index, Argument src,
                         const std::string& reduce = "none", bool keep = true, Argument limit = None{}) {
  return {"toy.scatter",
          {{"self", std::move(self)},
           {"dim", Scalar::of_int(dim)},
           {"index", std::move(index)},
           {"src", std::move(src)},
           {"reduce", reduce},
           {"keep", Scalar::of_bool(keep)},
           {"limit", std::move(limit)}}};
}

inline Call rows_call(Tensor data, Tensor indices, Tensor updates) {
  return {"toy.rows",
          {{"data", std::move(data)}, {"indices", std::move(indices)}, {"updates", std::move(updates)}}};
}

/// `obeyed`, `broken`, ... of one rule.
inline RuleState state_of(const OpSpec& spec, const Call& call, const std::string& id,
                          const Target& target = {}) {
  for (const RuleState& state : check_rules(spec, call, target))
    if (state.rule->id == id) return state;
  throw std::logic_error("no rule " + id);
}

}  // namespace scatterproof::spec::testing
