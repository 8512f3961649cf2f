// SPDX-License-Identifier: MIT
// Pieces of a file arrive as they lie there, in few calls, whatever lies between them.
#include "core/system/row_reader.hpp"
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <vector>
#include "tests/support/temporary_folder.hpp"

namespace {

int calls = 0;
bool short_calls = false;

}  // namespace

// This program's preadv comes before the C library's: it counts, and may move a part only
extern "C" ssize_t preadv(int file, const iovec* parts, int count, off_t at) {
  ++calls;
  if (!short_calls) return ::syscall(SYS_preadv, file, parts, count, at, 0);
  if (calls % 3 == 0) {
    errno = EINTR;
    return -1;
  }
  return ::pread(file, parts->iov_base, std::min<std::size_t>(parts->iov_len, 7), at);
}

namespace synthoscope {
namespace {

constexpr std::int64_t kFileBytes = 200'000;

std::byte byte_at(std::int64_t offset) {
  return static_cast<std::byte>(offset * 37 % 251);
}

class RowReaderOfAFile : public testing::Test {
 protected:
  void SetUp() override {
    descriptor_ = ::open((folder_ / "rows").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
    std::vector<std::byte> bytes;
    for (std::int64_t i = 0; i < kFileBytes; ++i) bytes.push_back(byte_at(i));
    ASSERT_EQ(::write(descriptor_, bytes.data(), bytes.size()), kFileBytes);
    calls = 0;
    short_calls = false;
  }
  void TearDown() override { ::close(descriptor_); }

  /// Reads `rows` pieces of `bytes`, `pitch` apart; returns errno's value.
  int read(std::int64_t rows, std::int64_t bytes, std::int64_t pitch) {
    got_.assign(static_cast<std::size_t>(rows * bytes), std::byte{255});
    RowReader reader{descriptor_};
    for (std::int64_t row = 0; row < rows; ++row)
      if (const int failure =
              reader.add(row * pitch, std::span{got_}.subspan(static_cast<std::size_t>(row * bytes),
                                                              static_cast<std::size_t>(bytes)));
          failure != 0)
        return failure;
    return reader.finish();
  }

  void expect_rows(std::int64_t rows, std::int64_t bytes, std::int64_t pitch) {
    ASSERT_EQ(read(rows, bytes, pitch), 0);
    for (std::int64_t row = 0; row < rows; ++row)
      for (std::int64_t i = 0; i < bytes; ++i)
        ASSERT_EQ(got_[static_cast<std::size_t>(row * bytes + i)], byte_at(row * pitch + i))
            << row << ' ' << i;
  }

  test::TemporaryFolder folder_;
  int descriptor_ = -1;
  std::vector<std::byte> got_;
};

TEST_F(RowReaderOfAFile, ReadsNearRowsInOneCallAndOthersInTheirOwn) {
  expect_rows(100, 300, 400);
  EXPECT_EQ(calls, 1);
  calls = 0;
  expect_rows(10, 300, 300);
  EXPECT_EQ(calls, 1);
  calls = 0;
  expect_rows(10, 300, 10'000);
  EXPECT_EQ(calls, 10);
  calls = 0;
  expect_rows(1000, 100, 200);  // more parts than a call takes
  EXPECT_LT(calls, 10);
}

TEST_F(RowReaderOfAFile, ContinuesAfterShortCallsAndSignals) {
  short_calls = true;
  expect_rows(40, 30, 50);
}

TEST_F(RowReaderOfAFile, SaysWhereTheFileEndsOrCannotBeRead) {
  EXPECT_EQ(read(101, 1000, 2000), EIO);
  ::close(descriptor_);
  EXPECT_EQ(read(3, 10, 20), EBADF);
}

TEST_F(RowReaderOfAFile, ReadsNothingWithoutACall) {
  EXPECT_EQ(read(0, 10, 20), 0);
  EXPECT_EQ(calls, 0);
}

}  // namespace
}  // namespace synthoscope
