// SPDX-License-Identifier: MIT
// tests/support/expect_failure.hpp — a failure is a type and one sentence with the right words.
#pragma once
#include <gtest/gtest.h>
#include <cstdint>
#include <initializer_list>
#include <string>
#include "core/run/memory_budget.hpp"

namespace synthoscope::test {

/// Less than what is needed where a message names `size`.
inline std::int64_t less_than_named(std::int64_t size) {
  return size - size / 64;
}

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

/// The size behind `words`, such as "give --memory ", in a message: at most 1 % more than what is
/// needed. 0 if the message has no such words.
inline std::int64_t size_in(const std::string& message, const std::string& words) {
  const auto at = message.find(words);
  if (at == std::string::npos) return 0;
  const auto begin = at + words.size();
  return parse_bytes(message.substr(begin, message.find_first_of(" ;,", begin) - begin));
}

/// The same in the sentence that `body` fails with.
template <class Body>
std::int64_t size_behind(const std::string& words, Body&& body) {
  try {
    body();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const std::exception& failure) {
    const std::int64_t size = size_in(failure.what(), words);
    EXPECT_GT(size, 0) << "'" << words << "' in: " << failure.what();
    return size;
  }
  return 0;
}

}  // namespace synthoscope::test
