// SPDX-License-Identifier: Apache-2.0
// Random expressions for laws that hold for every one.
#pragma once

#include <rapidcheck.h>

#include <string>
#include <utility>
#include <vector>

namespace scatterproof::spec::language {

/// Draws well-typed texts over the arguments of scatter_world(), smaller the deeper they are.
class Draw {
 public:
  std::string truth(int depth) {
    if (depth <= 0)
      return *rc::gen::elementOf(
          std::vector<std::string>{"true", "false", "overwrite", "given(output_size)"});
    switch (*rc::gen::inRange(0, 9)) {
      case 0:
        return grouped(truth(depth - 1)) + " and " + grouped(truth(depth - 1));
      case 1:
        return grouped(truth(depth - 1)) + " or " + grouped(truth(depth - 1));
      case 2:
        return grouped(truth(depth - 1)) + " implies " + truth(depth - 1);
      case 3:
        return "not " + grouped(truth(depth - 1));
      case 4:
        return quantified(depth);
      case 5:
        return tuple(depth - 1) + pick({" == ", " != "}) + tuple(depth - 1);
      case 6:
        return integer(depth - 1) + pick({" in ", " not in "}) + tuple(depth - 1);
      default:
        return integer(depth - 1) + relation() + integer(depth - 1) +
               (coin() ? relation() + integer(depth - 1) : "");
    }
  }

 private:
  std::string integer(int depth) {
    std::vector<std::string> leaves = {"0",   "1",          "-2",           "7",      "axis",
                                       "dim", "rank(self)", "numel(index)", "row[0]", "len(pairs)"};
    leaves.insert(leaves.end(), bound_.begin(), bound_.end());
    if (depth <= 0) return *rc::gen::elementOf(leaves);
    switch (*rc::gen::inRange(0, 8)) {
      case 7:
        return "ravel(" + tuple(depth - 1) + ", " + tuple(depth - 1) + ")";
      case 0:
        return "(if " + truth(depth - 1) + " then " + integer(depth - 1) + " else " + integer(depth - 1) +
               ")";
      case 1:
        return "size(" + pick({"self", "index", "src"}) + ", " + integer(depth - 1) + ")";
      case 2:
        return pick({"min", "max", "wrap"}) + "(" + integer(depth - 1) + ", " + integer(depth - 1) + ")";
      case 3:
        return "(" + tuple(depth - 1) + ")[" + integer(depth - 1) + "]";
      case 4:
        return "-" + grouped(integer(depth - 1));
      default:
        return grouped(integer(depth - 1)) + pick({" + ", " - ", " * ", " // ", " % "}) +
               grouped(integer(depth - 1));
    }
  }

  std::string tuple(int depth) {
    if (depth <= 0) return pick({"()", "(1, 2)", "shape(index)", "dims(self)", "tuple(row)"});
    switch (*rc::gen::inRange(0, 4)) {
      case 0:
        return "(" + tuple(depth - 1) + ") ++ (" + tuple(depth - 1) + ")";
      case 1:
        return "(" + tuple(depth - 1) + ")[" + integer(depth - 1) + ":" + integer(depth - 1) + "]";
      case 2:
        return "((" + tuple(depth - 1) + ") with " + integer(0) + " = " + integer(0) + ")";
      default:
        return "(" + integer(depth - 1) + ",)";
    }
  }

  std::string quantified(int depth) {
    const std::string name = "v" + std::to_string(bound_.size());
    const std::string domain = coin() ? tuple(depth - 1) : "range(" + integer(0) + ")";
    bound_.push_back(name);
    const std::string filter = coin() ? " where " + truth(0) : "";
    const std::string body = coin() ? truth(depth - 1) : name + relation() + integer(depth - 1);
    bound_.pop_back();
    return "(" + pick({"all ", "any "}) + name + " in " + domain + filter + ": " + body + ")";
  }

  static std::string grouped(const std::string& text) { return coin() ? "(" + text + ")" : text; }
  static std::string pick(std::vector<std::string> options) {
    return *rc::gen::elementOf(std::move(options));
  }
  static std::string relation() { return pick({" == ", " != ", " < ", " <= ", " > ", " >= "}); }
  static bool coin() { return *rc::gen::arbitrary<bool>(); }

  std::vector<std::string> bound_;
};

}  // namespace scatterproof::spec::language
