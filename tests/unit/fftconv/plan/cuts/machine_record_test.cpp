// SPDX-License-Identifier: MIT
#include "fftconv/plan/cuts/machine_record.hpp"
#include <gtest/gtest.h>
#include <string>
#include "core/base/error.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::fftconv {
namespace {

MachineRecord sample() {
  MachineRecord record;
  record.processor = "A processor with 64 cores";
  record.rates.cores = 64;
  record.rates.memory_bytes_per_second = 1.23456789e11;
  record.rates.line_factor = {0.1, 0.2, 0.3, 0.4};
  return record;
}

TEST(MachineRecord, IsReadBackAsItWasWritten) {
  EXPECT_EQ(record_from_json(to_json(sample())), sample());
}

struct BrokenCase {
  const char* name;
  const char* from;
  const char* to;
};

constexpr BrokenCase kBrokenCases[] = {
    {"no_json", "{", "["},
    {"other_format", "\"format\": 2", "\"format\": 1"},
    {"missing_rate", "memory_bytes_per_second", "memory"},
    {"rate_of_zero", "\"cores\": 64", "\"cores\": 0"},
    {"part_of_a_core", "\"cores\": 64", "\"cores\": 0.5"},
    {"negative_rate", "0.2", "-0.2"},
    {"words", "0.3", "\"fast\""},
};

class BrokenRecord : public testing::TestWithParam<BrokenCase> {};

TEST_P(BrokenRecord, CountsAsNone) {
  std::string text = to_json(sample());
  const auto at = text.find(GetParam().from);
  ASSERT_NE(at, std::string::npos) << text;
  text.replace(at, std::string{GetParam().from}.size(), GetParam().to);
  EXPECT_EQ(record_from_json(text), std::nullopt) << text;
}

INSTANTIATE_TEST_SUITE_P(Table, BrokenRecord, testing::ValuesIn(kBrokenCases), test::kCaseName);

TEST(MeasureProcessor, FindsRatesThatAMachineCanHave) {
  test::TestContext machine{1, std::int64_t{1} << 30};
  MachineRates rates;
  rates.disk_read_bytes_per_second = 7;
  measure_processor(rates, machine.context);
  EXPECT_EQ(rates.cores, 1);
  EXPECT_GT(rates.memory_bytes_per_second, 1e7);
  EXPECT_LT(rates.memory_bytes_per_second, 1e13);
  for (const double factor : rates.line_factor) {
    EXPECT_GT(factor, 0.01);
    EXPECT_LT(factor, 1e4);
  }
  EXPECT_EQ(rates.disk_read_bytes_per_second, 7) << "the disk is not its affair";
  EXPECT_EQ(machine.memory.used(), 0);
}

TEST(MeasureProcessor, AsksTheBudgetBeforeItTakesMemory) {
  test::TestContext machine{1, kMeasuringBytes - 1};
  MachineRates rates;
  EXPECT_THROW(measure_processor(rates, machine.context), PlanError);
}

}  // namespace
}  // namespace synthoscope::fftconv
