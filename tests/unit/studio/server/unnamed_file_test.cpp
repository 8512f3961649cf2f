// SPDX-License-Identifier: MIT
#include "studio/server/unnamed_file.hpp"
#include <gtest/gtest.h>
#include <array>
#include <fstream>
#include <string>
#include "core/base/error.hpp"
#include "tests/support/temporary_folder.hpp"

namespace synthoscope::studio {
namespace {

TEST(UnnamedFile, IsReadAsItWasWrittenAndIsInNoFolder) {
  const test::TemporaryFolder folder;
  const UnnamedFile file{folder.path()};
  UnnamedFile written{folder.path()};
  written.append("first ");
  written.append("");
  written.append("second");
  EXPECT_EQ(written.size(), 12);
  EXPECT_EQ(file.size(), 0);
  std::array<char, 20> bytes{};
  EXPECT_EQ(written.read_some(6, std::as_writable_bytes(std::span{bytes})), 6u);
  EXPECT_EQ(std::string(bytes.data()), "second");
  std::ifstream stream{written.path()};
  std::string text;
  std::getline(stream, text);
  EXPECT_EQ(text, "first second");
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(UnnamedFile, IsElsewhereIfTheFolderCannotHoldIt) {
  UnnamedFile file{"/proc"};
  file.append("text");
  EXPECT_EQ(file.size(), 4);
}

}  // namespace
}  // namespace synthoscope::studio
