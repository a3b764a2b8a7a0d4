// SPDX-License-Identifier: Apache-2.0
// Which calls a job makes next.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "scatterproof/runner/select/select.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::runner::fuzz {

/// Consecutive numbers of one API, first to last - 1. Also a part of a block.
struct Block {
  std::size_t api;
  std::uint64_t first;
  std::uint64_t last;
};

/// The order in which APIs are begun: one of each framework in turn, so that an engine that starts or
/// compiles slowly does not take the time of all others. Variants come last: by then the forms of their spec
/// are solved.
std::vector<const spec::OpSpec*> in_turns(std::vector<const spec::OpSpec*> apis);

/// Hands out blocks of calls, each once. With a number of calls it takes the APIs in turn, so that the blocks
/// do not depend on time. Without one it shares the time between them: an API whose last blocks showed
/// something new gets more of it, and the first block of an API comes in parts, short ones first, so that a
/// slow engine reaches all APIs soon. Solving the first forms of an API may take longer than hundreds of
/// calls: those that have forms get a fifth of such a time before the next one begins, so that a short run
/// judges more than a few calls, and one that needs more forms waits as long as it takes to solve them.
/// While some API is not begun, what others showed gives them no more time.
/// Safe to use from several threads.
class Schedule {
 public:
  static constexpr std::uint64_t block = 64;
  static constexpr std::uint64_t first_part = 4;  ///< of a first block; it doubles what was handed out
  static constexpr std::uint64_t of_one_signature =
      block / 2;  ///< calls in a row, where a new signature costs time

  /// `calls` of each API; 0: no end.
  Schedule(std::size_t apis, std::uint64_t calls, Shard shard);

  /// Empty when all are handed out.
  std::optional<Block> next();
  struct Spent {
    double making = 0;     ///< of `seconds`: until the calls were made
    double seconds = 0;    ///< in all
    bool in_vain = false;  ///< not one call could be made
  };
  /// `found`: how many kinds of verdict were first seen in it.
  void done(const Block& made, const Spent& spent, std::uint64_t found);

 private:
  struct Api {
    std::uint64_t next = 0;     ///< block, this shard's or not
    std::uint64_t part = 0;     ///< calls of that block that are handed out, if it is one that comes in parts
    bool is_new = true;         ///< its first block is not handed out
    bool is_beginning = false;  ///< a job makes its first calls
    double clock = 0;           ///< seconds; those in which much was found count less; none to begin it
    double last = 1e-3;         ///< seconds that its last block took; before that, a guess
    double found = 0;           ///< lately: each block halves what the ones before it count
  };

  std::optional<Block> take(std::size_t api);
  Block part_of(std::size_t api);
  std::size_t least_served() const;
  double clock_of(const Api& api) const;
  static std::uint64_t end_of_part(const Api& api);
  static bool needs_forms(const Api& api);
  double to_begin() const;

  std::mutex mutex_;
  std::vector<Api> apis_;
  double beginning_ = 0;          ///< seconds that it took to make the first calls of APIs
  double beginning_squared_ = 0;  ///< the sum of their squares
  std::uint64_t begun_ = 0;       ///< how many APIs
  std::size_t turn_ = 0;
  std::uint64_t calls_;
  Shard shard_;
};

}  // namespace scatterproof::runner::fuzz
