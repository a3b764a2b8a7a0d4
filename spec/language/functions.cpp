// SPDX-License-Identifier: Apache-2.0
// The table of the language's functions.
#include "scatterproof/spec/language/functions.hpp"

#include <algorithm>
#include <array>

namespace scatterproof::spec::language {
namespace {

constexpr Types none = static_cast<Types>(Type::none);
constexpr Types boolean = static_cast<Types>(Type::boolean);
constexpr Types integer = static_cast<Types>(Type::integer);
constexpr Types number = static_cast<Types>(Type::number);
constexpr Types dtype = static_cast<Types>(Type::dtype);
constexpr Types tuple = static_cast<Types>(Type::tuple);
constexpr Types tensor = static_cast<Types>(Type::tensor);
constexpr Types anything = 255;

constexpr std::array table = {
    Signature{Function::rank, "rank", 1, 1, tensor, none, integer, "rank(tensor)"},
    Signature{Function::size, "size", 2, 2, tensor, integer, integer, "size(tensor, d)"},
    Signature{Function::shape, "shape", 1, 1, tensor, none, tuple, "shape(tensor)"},
    Signature{Function::numel, "numel", 1, 1, tensor, none, integer, "numel(tensor)"},
    Signature{Function::dims, "dims", 1, 1, tensor, none, tuple, "dims(tensor)"},
    Signature{Function::dtype, "dtype", 1, 1, tensor, none, dtype, "dtype(tensor)"},
    Signature{Function::len, "len", 1, 1, tuple | tensor, none, integer, "len(tuple or tensor)"},
    Signature{Function::tuple, "tuple", 1, 1, tuple | tensor, none, tuple, "tuple(1-D tensor)"},
    Signature{Function::range, "range", 1, 2, integer, integer, tuple, "range(a, b)"},
    Signature{Function::positions, "positions", 1, 1, tuple, none, tuple, "positions(sizes)"},
    Signature{Function::product, "product", 1, 1, tuple, none, integer, "product(tuple)"},
    Signature{Function::sum, "sum", 1, 1, tuple, none, integer, "sum(tuple)"},
    Signature{Function::min, "min", 1, many, integer | tuple | tensor, integer, integer, "min(a, b, ..)"},
    Signature{Function::max, "max", 1, many, integer | tuple | tensor, integer, integer, "max(a, b, ..)"},
    Signature{Function::abs, "abs", 1, 1, integer | number, none, integer | number, "abs(x)"},
    Signature{Function::wrap, "wrap", 2, 2, integer | tuple, integer | tuple, integer | tuple, "wrap(i, s)"},
    Signature{Function::broadcast, "broadcast", 2, 2, tuple, tuple, tuple, "broadcast(shape, shape)"},
    Signature{Function::broadcastable, "broadcastable", 2, 2, tuple, tuple, boolean,
              "broadcastable(shape, shape)"},
    Signature{Function::broadcasts_to, "broadcasts_to", 2, 2, tuple, tuple, boolean,
              "broadcasts_to(shape, shape)"},
    Signature{Function::stretch, "stretch", 2, 2, tuple, tuple, tuple, "stretch(p, sizes)"},
    Signature{Function::ravel, "ravel", 2, 2, tuple, tuple, integer, "ravel(p, sizes)"},
    Signature{Function::unravel, "unravel", 2, 2, integer, tuple, tuple, "unravel(n, sizes)"},
    Signature{Function::trues, "trues", 2, 3, tensor, tuple, integer, "trues(mask, sizes, p)"},
    Signature{Function::count, "count", 1, many, tensor | none, tensor | none, integer, "count(list)"},
    Signature{Function::common_shape, "common_shape", 1, many, tensor | none, tensor | none, tuple,
              "common_shape(list)"},
    Signature{Function::elements, "elements", 2, many, tuple, tensor | none, tuple, "elements(p, list)"},
    Signature{Function::is_tensor, "is_tensor", 1, 1, anything, none, boolean, "is_tensor(x)"},
    Signature{Function::given, "given", 1, 1, anything, none, boolean, "given(x)"},
    Signature{Function::is_float, "is_float", 1, 1, dtype, none, boolean, "is_float(dtype)"},
    Signature{Function::is_integer, "is_integer", 1, 1, dtype, none, boolean, "is_integer(dtype)"},
    Signature{Function::is_complex, "is_complex", 1, 1, dtype, none, boolean, "is_complex(dtype)"},
    Signature{Function::holds, "holds", 2, 2, dtype, integer | number | boolean, boolean,
              "holds(dtype, number)"},
    Signature{Function::represents, "represents", 2, 2, dtype, integer | number | boolean, boolean,
              "represents(dtype, number)"},
};

}  // namespace

std::span<const Signature> signatures() { return table; }

const Signature* find_signature(std::string_view name) {
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const Signature& s) { return s.name == name; });
  return found == table.end() ? nullptr : &*found;
}

const Signature& signature(Function function) { return table[static_cast<std::size_t>(function)]; }

}  // namespace scatterproof::spec::language
