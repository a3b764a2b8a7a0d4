// SPDX-License-Identifier: Apache-2.0
// Texts of documents behind the protocol.
#include <gmock/gmock.h>

#include "mock.hpp"

namespace scatterproof::engines {
namespace {

using namespace testing;
using ::testing::HasSubstr;

TEST(DocumentsTest, ATextComesAsItIs) {
  const Mock mock;
  const auto engine = make_worker_engine(mock.options);
  const DocumentText page = engine->document("mock.page");
  EXPECT_EQ(page.text, "Adds one.\n\nTo \u4e00.");
  EXPECT_EQ(page.missing, "");
  EXPECT_TRUE(answered_honestly(run(*engine, {mock_call("honest", 5)})[0], 5))
      << "calls are answered afterwards";
}

TEST(DocumentsTest, WhatThereIsNotHasAReason) {
  const Mock mock;
  EXPECT_EQ(make_worker_engine(mock.options)->document("mock.pages").missing,
            "mock has no document mock.pages");
}

TEST(DocumentsTest, AWorkerThatDeclaresNoneIsNotAsked) {
  const Mock mock({"--cannot-document"});
  EXPECT_THAT(make_worker_engine(mock.options)->document("mock.page").missing, HasSubstr("has no documents"));
}

TEST(DocumentsTest, AWrongAnswerIsNoText) {
  const Mock mock;
  const auto engine = make_worker_engine(mock.options);
  for (const auto& [name, why] :
       {std::pair{"mock.number", "text"}, std::pair{"mock.more", "unknown members"},
        std::pair{"mock.no_reason", "gives no reason"}, std::pair{"mock.crash", "exit status 3"}}) {
    const DocumentText wrong = engine->document(name);
    EXPECT_EQ(wrong.text, "");
    EXPECT_THAT(wrong.missing, HasSubstr(why)) << name;
    EXPECT_EQ(engine->document("mock.page").missing, "") << "a new worker answers after " << name;
  }
}

}  // namespace
}  // namespace scatterproof::engines
