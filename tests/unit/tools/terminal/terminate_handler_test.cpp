// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <exception>
#include <new>
#include <stdexcept>
#include "core/base/error.hpp"
#include "tools/terminal/process.hpp"

namespace synthoscope::tools {
namespace {

/// As a destructor of a library does it.
template <class Failure>
void throw_where_nothing_may(const Failure& failure) noexcept {
  install_terminate_handler();
  std::rethrow_exception(std::make_exception_ptr(failure));
}

TEST(LastWords, AreTheSentenceAndTheExitCodeOfWhatNothingCaught) {
  EXPECT_EXIT(throw_where_nothing_may(std::bad_alloc{}), testing::ExitedWithCode(5),
              "^synthoscope: error: allocate memory.*\n$");
  EXPECT_EXIT(throw_where_nothing_may(IoError{"read a: it fails"}), testing::ExitedWithCode(4),
              "^synthoscope: error: read a: it fails\n$");
  EXPECT_EXIT(throw_where_nothing_may(std::logic_error{"no"}), testing::ExitedWithCode(70),
              "defect of the program.*no");
}

}  // namespace
}  // namespace synthoscope::tools
