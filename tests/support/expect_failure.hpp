// SPDX-License-Identifier: MIT
// tests/support/expect_failure.hpp — a failure is a type and one sentence with the right words.
#pragma once
#include <gtest/gtest.h>
#include <initializer_list>
#include <string>

namespace synthoscope::test {

/// Expects `body` to throw exactly Failure with a one-line message that holds every word.
template <class Failure, class Body>
void expect_failure(Body&& body, std::initializer_list<const char*> words) {
  try {
    body();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const std::exception& failure) {
    const std::string message = failure.what();
    EXPECT_EQ(typeid(failure), typeid(Failure)) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    for (const char* word : words)
      EXPECT_NE(message.find(word), std::string::npos) << "'" << word << "' in: " << message;
  }
}

}  // namespace synthoscope::test
