// SPDX-License-Identifier: MIT
// tests/support/expect_failure.hpp — a failure is a type and one sentence with the right words.
#pragma once
#include <gtest/gtest.h>
#include <cstdint>
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

/// The number behind `words` in the sentence that `body` fails with.
template <class Body>
std::int64_t number_behind(const std::string& words, Body&& body) {
  try {
    body();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const std::exception& failure) {
    const std::string message = failure.what();
    if (const auto at = message.find(words); at != message.npos)
      return std::stoll(message.substr(at + words.size()));
    ADD_FAILURE() << "'" << words << "' in: " << message;
  }
  return 0;
}

}  // namespace synthoscope::test
