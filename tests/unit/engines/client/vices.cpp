// SPDX-License-Identifier: Apache-2.0
#include "vices.hpp"

#include <gtest/gtest.h>

namespace scatterproof::engines::testing {

using std::chrono_literals::operator""ms;

Is kind(const spec::Outcome& outcome) {
  if (std::holds_alternative<spec::Crashed>(outcome.what)) return Is::crashed;
  if (std::holds_alternative<spec::TimedOut>(outcome.what)) return Is::timed_out;
  if (std::holds_alternative<spec::Garbled>(outcome.what)) return Is::garbled;
  return Is::produced;
}

const std::vector<Vice> vices = {
    {"crash", Is::crashed, "signal 11"},
    {"exit_0", Is::crashed, "exit status 0"},
    {"hang", Is::timed_out, "", 1500ms},
    {"hang_after_half", Is::garbled, "half a reply", 1500ms},
    {"half_payload", Is::garbled, "half a reply", 1500ms},
    {"half_then_exit", Is::crashed, "exit status 3"},
    {"garbage", Is::garbled, "not JSON"},
    {"deep_json", Is::garbled, "not JSON"},
    {"endless_line", Is::garbled, "too long"},
    {"duplicate_seq", Is::garbled, "answered twice"},
    {"duplicate_key", Is::garbled, "the key 'tensors' twice"},
    {"misbehaves", Is::crashed,
     "the engine wrote where it must not\nits stderr ended: the engine's own words"},
    {"missing_seq", Is::garbled, "without an answer"},
    {"wrong_seq", Is::garbled, "never sent"},
    {"previous_seq", Is::garbled, "without an answer"},
    {"next_seq", Is::garbled, "was due"},
    {"text_seq", Is::garbled, "'seq'"},
    {"wrong_shape", Is::garbled, "does not fit"},
    {"huge_shape", Is::garbled, "shape"},
    {"rank_nine", Is::garbled, "9 items"},
    {"negative_size", Is::garbled, "shape"},
    {"negative_stride", Is::garbled, "does not fit"},
    {"wrong_dtype", Is::garbled, "float128"},
    {"out_of_range_start", Is::garbled, "outside the payload"},
    {"overflowing_length", Is::garbled, "outside the payload"},
    {"unknown_member", Is::garbled, "unknown members"},
    {"no_answer_at_all", Is::garbled, "no 'unsupported'"},
    {"nan_seconds", Is::garbled, "not JSON"},
    {"negative_seconds", Is::garbled, "not a valid time"},
    {"wrote_unknown", Is::garbled, "'y'"},
    {"huge_payload", Is::garbled, "announces"},
    {"negative_payload", Is::garbled, "announces"},
    {"closes_channel", Is::garbled, "closed its channel"},
    {"closes_and_forks", Is::crashed, "exit status 4"},
    {"forks_child_that_lives", Is::produced, ""},
    {"makes_daemon", Is::produced, ""},
    {"makes_daemon_without_environment", Is::produced, ""},
    {"makes_daemon_and_crashes", Is::crashed, "signal 11"},
    {"floods_stdout", Is::produced, ""},
    {"floods_stderr", Is::produced, ""},
    {"floods_then_crashes", Is::crashed, "signal 6"},
    {"damages_process", Is::crashed, "signal 7"},
    {"reply_after_stop", Is::produced, ""},
    {"aborts_at_its_end", Is::produced, ""},
};

void blames_the_right_call(const Vice& vice, Run run) {
  constexpr std::size_t guilty = 20;
  const Mock mock;
  {
    const auto engine = make_worker_engine(mock.options);
    std::vector<spec::Call> calls;
    for (std::size_t i = 0; i < 64; ++i)
      calls.push_back(mock_call(i == guilty ? vice.name : "honest", static_cast<std::int64_t>(i)));
    const auto outcomes = run(*engine, calls, vice.timeout);
    for (std::size_t i = 0; i < calls.size(); ++i) {
      if (i == guilty && vice.expected != Is::produced) continue;
      EXPECT_TRUE(answered_honestly(outcomes[i], static_cast<std::int64_t>(i)))
          << i << to_string(outcomes[i]);
    }
    const std::string words = to_string(outcomes[guilty]);
    EXPECT_EQ(kind(outcomes[guilty]), vice.expected) << words;
    EXPECT_NE(words.find(vice.says), words.npos) << words;
  }
  EXPECT_EQ(mock.processes_left(), 0);
}

}  // namespace scatterproof::engines::testing
