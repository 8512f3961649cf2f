// SPDX-License-Identifier: MIT
#include "imageio/input/text_file.hpp"
#include <gtest/gtest.h>
#include <fstream>
#include "core/base/error.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/temporary_folder.hpp"

namespace synthoscope::imageio {
namespace {

TEST(TextFile, IsReadWhole) {
  const test::TemporaryFolder folder;
  std::string text = "several\nlines\n";
  text.append(100'000, 'x').push_back('\0');
  for (const std::string& content : {text, std::string{}}) {
    folder.write("a.txt", content);
    EXPECT_EQ(read_text(folder / "a.txt"), content);
  }
}

TEST(TextFile, ThatCannotBeReadIsToldWithTheReason) {
  const test::TemporaryFolder folder;
  test::expect_failure<IoError>([&] { read_text(folder / "none.txt"); },
                                {"none.txt", "No such file"});
  test::expect_failure<IoError>([&] { read_text(folder / "."); }, {"directory"});
}

TEST(TextFile, ThatIsLongerThanAnyOfItsKindIsRefused) {
  const test::TemporaryFolder folder;
  folder.write("a.txt", std::string(100, 'x'));
  EXPECT_EQ(std::ssize(read_text(folder / "a.txt", 100)), 100);
  test::expect_failure<InvalidInput>([&] { read_text(folder / "a.txt", 99); },
                                     {"a.txt", "longer than"});
  // This one never ends
  test::expect_failure<InvalidInput>([&] { read_text("/dev/zero"); }, {"longer than 1 MiB"});
}

TEST(TextFile, OfLinesThatFailsIsNotTakenForItsEnd) {
  const test::TemporaryFolder folder;
  folder.write("a.txt", "one line\n");
  std::ifstream file{folder / "a.txt"};
  for (std::string line; std::getline(file, line);) {
  }
  EXPECT_NO_THROW(require_read(file, folder / "a.txt"));
  file.setstate(std::ios::badbit);
  test::expect_failure<IoError>([&] { require_read(file, folder / "a.txt"); }, {"a.txt"});
}

}  // namespace
}  // namespace synthoscope::imageio
