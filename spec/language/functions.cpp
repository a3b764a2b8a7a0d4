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
constexpr Types word = static_cast<Types>(Type::word);
constexpr Types dtype = static_cast<Types>(Type::dtype);
constexpr Types tuple = static_cast<Types>(Type::tuple);
constexpr Types tensor = static_cast<Types>(Type::tensor);
constexpr Types anything = 255;

constexpr std::array table = {
    Signature{Function::rank, "rank", 1, 1, tensor, none, integer, Reads::sizes, "rank(tensor)"},
    Signature{Function::size, "size", 2, 2, tensor, integer, integer, Reads::sizes, "size(tensor, d)"},
    Signature{Function::shape, "shape", 1, 1, tensor, none, tuple, Reads::sizes, "shape(tensor)"},
    Signature{Function::numel, "numel", 1, 1, tensor, none, integer, Reads::sizes, "numel(tensor)"},
    Signature{Function::dims, "dims", 1, 1, tensor, none, tuple, Reads::sizes, "dims(tensor)"},
    Signature{Function::is_compact, "is_compact", 1, 1, tensor, none, boolean, Reads::sizes,
              "is_compact(tensor)"},
    Signature{Function::dtype, "dtype", 1, 1, tensor, none, dtype, Reads::dtype, "dtype(tensor)"},
    Signature{Function::len, "len", 1, 1, tuple | tensor, none, integer, Reads::sizes,
              "len(tuple or tensor)"},
    Signature{Function::tuple, "tuple", 1, 1, tuple | tensor, none, tuple, Reads::elements,
              "tuple(1-D tensor)"},
    Signature{Function::range, "range", 1, 2, integer, integer, tuple, Reads::values, "range(a, b)"},
    Signature{Function::positions, "positions", 1, 1, tuple, none, tuple, Reads::values, "positions(sizes)"},
    Signature{Function::product, "product", 1, 1, tuple, none, integer, Reads::values, "product(tuple)"},
    Signature{Function::sum, "sum", 1, 1, tuple, none, integer, Reads::values, "sum(tuple)"},
    Signature{Function::min, "min", 1, many, integer | tuple | tensor, integer, integer, Reads::elements,
              "min(a, b, ..)"},
    Signature{Function::max, "max", 1, many, integer | tuple | tensor, integer, integer, Reads::elements,
              "max(a, b, ..)"},
    Signature{Function::abs, "abs", 1, 1, integer | number, none, integer | number, Reads::values, "abs(x)"},
    Signature{Function::wrap, "wrap", 2, 2, integer | tuple, integer | tuple, integer | tuple, Reads::values,
              "wrap(i, s)"},
    Signature{Function::broadcast, "broadcast", 2, 2, tuple, tuple, tuple, Reads::values,
              "broadcast(shape, shape)"},
    Signature{Function::broadcastable, "broadcastable", 1, many, tuple, tuple, boolean, Reads::values,
              "broadcastable(shape, shape, ..) or broadcastable(shape(list))"},
    Signature{Function::broadcasts_to, "broadcasts_to", 2, 2, tuple, tuple, boolean, Reads::values,
              "broadcasts_to(shape, shape)"},
    Signature{Function::stretch, "stretch", 2, 2, tuple, tuple, tuple, Reads::values, "stretch(p, sizes)"},
    Signature{Function::ravel, "ravel", 2, 2, tuple, tuple, integer, Reads::values, "ravel(p, sizes)"},
    Signature{Function::unravel, "unravel", 2, 2, integer, tuple, tuple, Reads::values, "unravel(n, sizes)"},
    Signature{Function::trues, "trues", 2, 3, tensor, tuple, integer, Reads::elements,
              "trues(mask, sizes, p)"},
    Signature{Function::count, "count", 1, many, tensor | none, tensor | none, integer, Reads::presence,
              "count(list)"},
    Signature{Function::common_shape, "common_shape", 1, many, tensor | none, tensor | none, tuple,
              Reads::sizes, "common_shape(list)"},
    Signature{Function::elements, "elements", 2, many, tuple, tensor | none, tuple, Reads::elements,
              "elements(p, list)"},
    Signature{Function::index_shape, "index_shape", 1, 1, tensor, none, tuple, Reads::trues,
              "index_shape(tensor)"},
    Signature{Function::parts, "parts", 2, 2, word, word, integer, Reads::values, "parts(selection, kind)"},
    Signature{Function::axis_of, "axis_of", 3, 3, word, integer, integer, Reads::values,
              "axis_of(selection, n, rank)"},
    Signature{Function::numbers_within, "numbers_within", 2, 2, word, tuple, boolean, Reads::values,
              "numbers_within(selection, sizes)"},
    Signature{Function::is_mask, "is_mask", 2, 2, word, integer, boolean, Reads::values,
              "is_mask(selection, n)"},
    Signature{Function::masks_fit, "masks_fit", 2, many, word, tuple | tensor | none, boolean, Reads::sizes,
              "masks_fit(selection, sizes, list)"},
    Signature{Function::numbers_first, "numbers_first", 2, many, word, tensor | none, word, Reads::sizes,
              "numbers_first(selection, list)"},
    Signature{Function::selected_shape, "selected_shape", 2, many, word, tuple | tensor | none, tuple,
              Reads::trues, "selected_shape(selection, sizes, list)"},
    Signature{Function::selected, "selected", 3, many, tuple, word | tuple | tensor | none, tuple,
              Reads::elements, "selected(p, selection, sizes, list)"},
    Signature{Function::is_tensor, "is_tensor", 1, 1, anything, none, boolean, Reads::presence,
              "is_tensor(x)"},
    Signature{Function::given, "given", 1, 1, anything, none, boolean, Reads::presence, "given(x)"},
    Signature{Function::is_float, "is_float", 1, 1, dtype, none, boolean, Reads::values, "is_float(dtype)"},
    Signature{Function::is_integer, "is_integer", 1, 1, dtype, none, boolean, Reads::values,
              "is_integer(dtype)"},
    Signature{Function::is_complex, "is_complex", 1, 1, dtype, none, boolean, Reads::values,
              "is_complex(dtype)"},
    Signature{Function::holds, "holds", 2, 2, dtype, integer | number | boolean, boolean, Reads::values,
              "holds(dtype, number)"},
    Signature{Function::represents, "represents", 2, 2, dtype, integer | number | boolean, boolean,
              Reads::values, "represents(dtype, number)"},
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
