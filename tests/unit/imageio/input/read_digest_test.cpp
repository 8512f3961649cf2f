// SPDX-License-Identifier: MIT
// Hashes that are computed while a file is read are those of the file, in whatever order.
#include "imageio/input/read_digest.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <functional>
#include <numeric>
#include <random>
#include <thread>
#include "core/run/task_pool.hpp"
#include "imageio/input/file.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/temporary_folder.hpp"

namespace synthoscope::imageio {
namespace {

constexpr std::int64_t kBytes = 200000;  // three blocks and a part of one

std::string content() {
  std::string bytes(kBytes, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 7 + i / 251);
  return bytes;
}

/// A file, and an InputFile that passes its bytes to a digest.
struct Read {
  void read(std::int64_t from, std::int64_t count) {
    std::vector<std::byte> room(static_cast<std::size_t>(count));
    file.read_at(from, room);
  }
  ContentDigests finished(TaskPool* pool = nullptr) {
    return digests.of(folder / "a", kBytes)->finish(InputFile{folder / "a"}, pool, nullptr);
  }
  test::TemporaryFolder folder;
  ReadDigests digests;
  InputFile file{folder.write("a", content()), &digests};
};

struct OrderCase {
  const char* name;
  std::function<void(Read&)> read;
  friend std::ostream& operator<<(std::ostream& out, const OrderCase& c) { return out << c.name; }
};

void read_pieces(Read& r, std::int64_t piece, bool backwards) {
  const std::int64_t count = (kBytes + piece - 1) / piece;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t at = (backwards ? count - 1 - i : i) * piece;
    r.read(at, std::min(piece, kBytes - at));
  }
}

const OrderCase kOrders[] = {
    {"nothing", [](Read&) {}},
    {"at_once", [](Read& r) { r.read(0, kBytes); }},
    {"in_order", [](Read& r) { read_pieces(r, 3000, false); }},
    {"backwards", [](Read& r) { read_pieces(r, 3000, true); }},
    {"blocks_backwards", [](Read& r) { read_pieces(r, 65536, true); }},
    {"overlapping",
     [](Read& r) {
       for (std::int64_t at = 0; at + 50000 <= kBytes; at += 10000) r.read(at, 50000);
     }},
    {"only_the_middle", [](Read& r) { r.read(70000, 100000); }},
    {"random",
     [](Read& r) {
       std::mt19937 random{5};
       for (int i = 0; i < 200; ++i) {
         const auto at = static_cast<std::int64_t>(random() % kBytes);
         r.read(at,
                std::min<std::int64_t>(static_cast<std::int64_t>(random() % 9000), kBytes - at));
       }
     }},
    {"by_four_threads",
     [](Read& r) {
       std::vector<std::thread> threads;
       for (std::int64_t i = 0; i < 4; ++i)
         threads.emplace_back([&r, i] {
           for (std::int64_t at = i * 5000; at < kBytes; at += 20000) r.read(at, 5000);
         });
       for (auto& thread : threads) thread.join();
     }},
};

class ReadDigestOf : public testing::TestWithParam<OrderCase> {};

TEST_P(ReadDigestOf, AFileIsThatOfItsBytes) {
  TaskPool pool{4};
  for (TaskPool* const given : {static_cast<TaskPool*>(nullptr), &pool}) {
    Read r;
    GetParam().read(r);
    const ContentDigests found = r.finished(given);
    // What Python's xxhash makes of the same bytes, in blocks of 65536
    EXPECT_EQ(found.xxh3_tree, "1b47c00f9260098d");
    EXPECT_EQ(found.xxh64, "5edb940c14e6d320");
  }
}

INSTANTIATE_TEST_SUITE_P(Orders, ReadDigestOf, testing::ValuesIn(kOrders), test::kCaseName);

TEST(ReadDigest, ReadsNothingTwice) {
  Read r;
  read_pieces(r, 3000, false);
  r.folder.write("a", std::string(kBytes, 'x'));  // would change the hash if it was read
  EXPECT_EQ(r.finished().xxh3_tree, "1b47c00f9260098d");
}

TEST(ReadDigest, OfALargeFileThatWasNotReadIsTheSameWithThreads) {
  const test::TemporaryFolder folder;
  const auto path = folder.write("a", content());
  std::filesystem::resize_file(path, (std::int64_t{256} << 20) + 1);
  const InputFile file{path};
  TaskPool pool{4};
  const ContentDigests alone = ReadDigest{file.size()}.finish(file, nullptr, nullptr);
  const ContentDigests together = ReadDigest{file.size()}.finish(file, &pool, nullptr);
  EXPECT_EQ(together.xxh3_tree, alone.xxh3_tree);
  EXPECT_EQ(together.xxh64, "");  // it takes one thread
}

TEST(ReadDigest, HasBlocksThatGrowWithTheFile) {
  EXPECT_EQ(ReadDigest::block_bytes(0), 65536);
  EXPECT_EQ(ReadDigest::block_bytes(std::int64_t{4} << 30), 65536);
  EXPECT_EQ(ReadDigest::block_bytes((std::int64_t{4} << 30) + 1), 131072);
  EXPECT_EQ(ReadDigest::block_bytes(std::int64_t{1} << 40), std::int64_t{16} << 20);
}

TEST(ReadDigest, OfNothingIsThatOfNoBlocks) {
  const test::TemporaryFolder folder;
  folder.write("a", "");
  ReadDigest digest{0};
  const ContentDigests found = digest.finish(InputFile{folder / "a"}, nullptr, nullptr);
  EXPECT_EQ(found.xxh3_tree, "2d06800538d394c2");
  EXPECT_EQ(found.xxh64, "ef46db3751d8e999");
}

}  // namespace
}  // namespace synthoscope::imageio
