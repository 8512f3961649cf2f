// SPDX-License-Identifier: MIT
#include "core/run/memory_budget.hpp"
#include <gtest/gtest.h>
#include <thread>
#include <vector>
#include "core/base/error.hpp"
#include "core/run/host_buffer.hpp"
#include "tests/support/case_name.hpp"

namespace synthoscope {
namespace {

constexpr std::int64_t kKi = 1024, kMi = kKi * kKi, kGi = kKi * kMi, kTi = kKi * kGi;

struct SizeCase {
  const char* name;
  const char* text;
  std::int64_t bytes;
};

constexpr SizeCase kSizeCases[] = {
    {"plain_number", "4096", 4096},
    {"bytes", "17B", 17},
    {"kilo", "3K", 3 * kKi},
    {"kilo_small", "3k", 3 * kKi},
    {"kibi", "3KiB", 3 * kKi},
    {"mega", "512M", 512 * kMi},
    {"mebi", "512MiB", 512 * kMi},
    {"giga", "2G", 2 * kGi},
    {"gibi", "2GiB", 2 * kGi},
    {"fraction", "1.5G", 3 * kGi / 2},
    {"tera", "1T", kTi},
    {"tebi", "1TiB", kTi},
    {"one", "1", 1},
    {"any_case", "2gIb", 2 * kGi},
    {"decimal_kilo", "3kB", 3000},
    {"decimal_mega", "1.5MB", 1500000},
    {"decimal_giga", "4GB", 4000000000},
    {"decimal_tera", "1TB", 1000000000000},
    {"large", "3145728T", 3 * kMi* kTi},
};

class Size : public testing::TestWithParam<SizeCase> {};

TEST_P(Size, IsReadAsPeopleWriteIt) {
  EXPECT_EQ(parse_bytes(GetParam().text), GetParam().bytes);
}

INSTANTIATE_TEST_SUITE_P(Table, Size, testing::ValuesIn(kSizeCases), test::kCaseName);

struct NoSizeCase {
  const char* name;
  const char* text;
};

constexpr NoSizeCase kNoSizeCases[] = {
    {"empty", ""},           {"word", "plenty"},     {"unit_alone", "G"},
    {"zero", "0"},           {"zero_giga", "0G"},    {"negative", "-1G"},
    {"unknown_unit", "2X"},  {"two_units", "2GM"},   {"space_before", " 2G"},
    {"space_within", "2 G"}, {"two_numbers", "2G3"}, {"nan", "nan"},
    {"infinity", "inf"},     {"huge", "1e30"},       {"less_than_one_byte", "0.4"},
};

class NoSize : public testing::TestWithParam<NoSizeCase> {};

TEST_P(NoSize, IsRefusedWithAnExample) {
  try {
    const auto bytes = parse_bytes(GetParam().text);
    FAIL() << "it was read as " << bytes;
  } catch (const InvalidSpec& failure) {
    EXPECT_EQ(std::string{failure.what()},
              "read a size: '" + std::string{GetParam().text} +
                  "' is not one; write a positive number with K, M, G or T, such as 8G or 8GiB "
                  "(8 x 2^30 bytes) or 8GB (8 x 10^9 bytes)");
  }
}

INSTANTIATE_TEST_SUITE_P(Table, NoSize, testing::ValuesIn(kNoSizeCases), test::kCaseName);

TEST(ParseBytes, RefusesMoreThanAnyMachineHas) {
  try {
    (void)parse_bytes("4194304T");
    FAIL();
  } catch (const InvalidSpec& failure) {
    EXPECT_STREQ(failure.what(), "read a size: '4194304T' is more than any machine has");
  }
}

constexpr SizeCase kPrintCases[] = {
    {"none", "0 bytes", 0},
    {"bytes", "1023 bytes", 1023},
    {"one_kibi", "1.00 KiB", kKi},
    {"one_and_a_half", "1.50 GiB", 3 * kGi / 2},
    {"tens", "12.5 MiB", 25 * kMi / 2},
    {"hundreds", "512 MiB", 512 * kMi},
    {"tebi", "3.00 TiB", 3 * kTi},
    {"pebi", "2.00 PiB", 2048 * kTi},
    {"rounded_to_ten", "10.0 KiB", 10 * kKi - 1},
    {"rounded_to_a_hundred", "100 KiB", 100 * kKi - 1},
    {"rounded_to_the_next_unit", "1.00 MiB", kMi - 1},
};

class Printed : public testing::TestWithParam<SizeCase> {};

TEST_P(Printed, HasThreeDigitsAndAUnit) {
  EXPECT_EQ(print_bytes(GetParam().bytes), GetParam().text);
}

INSTANTIATE_TEST_SUITE_P(Table, Printed, testing::ValuesIn(kPrintCases), test::kCaseName);

TEST(SizeOfAtLeast, IsShortAndAtMostAHundredthMore) {
  EXPECT_EQ(size_of_at_least(1), "1");
  EXPECT_EQ(size_of_at_least(1025), "1.01K");
  EXPECT_EQ(size_of_at_least(681 * kMi), "681M");
  EXPECT_EQ(size_of_at_least(4678768824), "4.36G");
  for (std::int64_t bytes = 1; bytes < std::int64_t{1} << 50; bytes += bytes / 7 + 1) {
    const std::int64_t read = parse_bytes(size_of_at_least(bytes));
    EXPECT_GE(read, bytes);
    EXPECT_LE(read, bytes + bytes / 100);
    EXPECT_LE(size_of_at_least(bytes).size(), 5U);
  }
}

TEST(MemoryBudget, CountsWhatIsHeldAndRemembersTheMost) {
  MemoryBudget budget{1000};
  {
    const auto a = budget.reserve(600, "a");
    EXPECT_EQ(a.bytes(), 600);
    EXPECT_EQ(budget.used(), 600);
    { const auto b = budget.reserve(400, "b"); }
    EXPECT_EQ(budget.used(), 600);
  }
  EXPECT_EQ(budget.used(), 0);
  EXPECT_EQ(budget.peak(), 1000);
  EXPECT_EQ(budget.limit(), 1000);
}

TEST(MemoryBudget, RefusesOneByteTooMuchAndCountsNothingOfIt) {
  MemoryBudget budget{1000};
  const auto held = budget.reserve(600, "a");
  try {
    (void)budget.reserve(401, "plane spectra");
    FAIL() << "it was given";
  } catch (const PlanError& failure) {
    EXPECT_STREQ(failure.what(),
                 "allocate memory for plane spectra: 401 bytes more are needed, 600 bytes of 1000 "
                 "bytes are in use; raise --memory or use a smaller request");
  }
  EXPECT_EQ(budget.used(), 600);
  EXPECT_EQ(budget.peak(), 600);
}

TEST(MemoryBudget, RefusesSumsBeyond63Bits) {
  MemoryBudget budget{INT64_MAX};
  const auto held = budget.reserve(INT64_MAX - 10, "almost all");
  EXPECT_THROW((void)budget.reserve(INT64_MAX - 10, "as much again"), PlanError);
  EXPECT_EQ(budget.used(), INT64_MAX - 10);
}

TEST(Reservation, MovesWithoutBeingCountedTwice) {
  MemoryBudget budget{1000};
  Reservation kept;
  EXPECT_EQ(kept.bytes(), 0);
  {
    auto first = budget.reserve(300, "first");
    Reservation second{std::move(first)};
    EXPECT_EQ(second.bytes(), 300);
    kept = std::move(second);
  }
  EXPECT_EQ(kept.bytes(), 300);
  EXPECT_EQ(budget.used(), 300);
  kept = Reservation{};
  EXPECT_EQ(budget.used(), 0);
}

TEST(MemoryBudget, NeverRefusesWhatFitsBecauseOfOthersWhoAreRefused) {
  // One thread keeps asking for too much while others take what is theirs
  MemoryBudget budget{400};
  std::atomic<bool> done{false};
  std::atomic<int> refused{0};
  std::thread greedy{[&] {
    while (!done) EXPECT_THROW((void)budget.reserve(401, "too much"), PlanError);
  }};
  std::vector<std::thread> modest;
  for (int t = 0; t < 4; ++t)
    modest.emplace_back([&] {
      for (int i = 0; i < 5000; ++i) try {
          const auto held = budget.reserve(100, "a share");
        } catch (const PlanError&) {
          ++refused;
        }
    });
  for (auto& thread : modest) thread.join();
  done = true;
  greedy.join();
  EXPECT_EQ(refused, 0);
  EXPECT_EQ(budget.used(), 0);
  EXPECT_LE(budget.peak(), 400);
  EXPECT_GE(budget.peak(), 100);
}

TEST(MemoryBudget, OfAShareTakesNoMoreThanThatOfTheWhole) {
  MemoryBudget whole{100, 10};
  MemoryBudget share{whole, 60}, other{whole, 60};
  {
    const Reservation some = share.reserve(50, "planes");
    EXPECT_EQ(share.used(), 50);
    EXPECT_EQ(whole.used(), 60);
    EXPECT_THROW((void)share.reserve(11, "more"), PlanError);
    EXPECT_THROW((void)other.reserve(41, "more than the whole has left"), PlanError);
    EXPECT_EQ(other.used(), 0);
    EXPECT_EQ(other.peak(), 0);
    EXPECT_EQ(whole.used(), 60);
  }
  EXPECT_EQ(share.used(), 0);
  EXPECT_EQ(whole.used(), 10);
  EXPECT_EQ(whole.peak(), 60);
}

TEST(HostBuffer, IsAlignedToACacheLineAndCounted) {
  MemoryBudget budget{64 * kMi};
  for (const std::int64_t count : {1, 7, 1000, 5000000}) {
    const HostBuffer<float> buffer{budget, count, "voxels"};
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % 64, 0u);
    EXPECT_EQ(buffer.count(), count);
    EXPECT_EQ(buffer.bytes(), 4 * count);
    EXPECT_EQ(budget.used(), 4 * count);
    buffer.data()[0] = buffer.data()[count - 1] = 1;
  }
  EXPECT_EQ(budget.used(), 0);
}

TEST(Machine, HasMemoryLeftAndHasUsedSome) {
  EXPECT_GT(available_memory_bytes(), kMi);
  EXPECT_GT(peak_resident_bytes(), kMi);
}

}  // namespace
}  // namespace synthoscope
