// SPDX-License-Identifier: MIT
#include "tools/terminal/exit_code.hpp"
#include <gtest/gtest.h>
#include <filesystem>
#include <new>
#include "core/base/error.hpp"

namespace synthoscope::tools {
namespace {

template <class Failure>
int code_of(const Failure& failure) {
  return static_cast<int>(exit_code_of(std::make_exception_ptr(failure)));
}

TEST(ExitCodeOf, KeepsThePromiseToScripts) {
  EXPECT_EQ(code_of(InvalidSpec("")), 2);
  EXPECT_EQ(code_of(InvalidInput("")), 3);
  EXPECT_EQ(code_of(IoError("")), 4);
  EXPECT_EQ(code_of(std::filesystem::filesystem_error("", std::error_code{})), 4);
  EXPECT_EQ(code_of(PlanError("")), 5);
  EXPECT_EQ(code_of(std::bad_alloc{}), 5);
  EXPECT_EQ(code_of(CudaError("")), 6);
  EXPECT_EQ(code_of(OutOfDeviceMemory("")), 6);
  EXPECT_EQ(code_of(Interrupted("")), 7);
  EXPECT_EQ(code_of(VerificationFailed("")), 8);
  EXPECT_EQ(code_of(std::logic_error("")), 70);
  EXPECT_EQ(code_of(42), 70);
}

TEST(SentencesOf, AreOneLineEachAndOwnUpToDefects) {
  using Sentences = std::vector<std::string>;
  const auto said_by = [](const auto& failure) {
    return sentences_of(std::make_exception_ptr(failure));
  };
  EXPECT_EQ(said_by(InvalidInput("two\nlines")), Sentences{"two lines"});
  EXPECT_EQ(said_by(SeveralInvalidSpecs({"a\nb", "c"})), (Sentences{"a b", "c"}));
  EXPECT_EQ(said_by(std::logic_error("index 7")),
            Sentences{"this is a defect of the program, please report it: index 7"});
}

TEST(ExitCodeMeanings, ListsEveryCode) {
  std::vector<int> codes;
  for (const auto& [code, meaning] : exit_code_meanings()) codes.push_back(code);
  EXPECT_EQ(codes, (std::vector{0, 2, 3, 4, 5, 6, 7, 8, 70}));
}

}  // namespace
}  // namespace synthoscope::tools
