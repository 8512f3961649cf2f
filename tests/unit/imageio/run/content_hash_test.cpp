// SPDX-License-Identifier: MIT
#include "imageio/run/content_hash.hpp"
#include <gtest/gtest.h>
#include "core/base/error.hpp"
#include "core/run/stop.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/temporary_folder.hpp"

namespace synthoscope::imageio {
namespace {

TEST(HashFile, IsThatOfItsBytes) {
  const test::TemporaryFolder folder;
  EXPECT_EQ(hash_file(folder.write("abc.txt", "abc")), "44bc2cf5ad770999");
  test::expect_failure<IoError>([&] { hash_file(folder / "none"); }, {"no such file"});
  StopFlag stop;
  EXPECT_EQ(hash_file(folder / "abc.txt", &stop), "44bc2cf5ad770999");
  stop.request();
  EXPECT_THROW(hash_file(folder / "abc.txt", &stop), Interrupted);
}

}  // namespace
}  // namespace synthoscope::imageio
