// SPDX-License-Identifier: MIT
#include "tools/machine/visible_gpus.hpp"
#include <gtest/gtest.h>
#include <string>

namespace synthoscope::tools {
namespace {

struct Visible {
  const char* name;
  const char* gpus;     ///< of --gpus
  const char* before;   ///< CUDA_VISIBLE_DEVICES; null: not set
  const char* visible;  ///< afterwards; null: not changed
};

class VisibleGpus : public testing::TestWithParam<Visible> {};

TEST_P(VisibleGpus, AreTheFirstOnesThatAreRequested) {
  const auto visible = visible_gpus(GetParam().gpus, GetParam().before);
  const char* const expected = GetParam().visible;
  EXPECT_EQ(visible, expected ? std::optional<std::string>{expected} : std::nullopt);
}

INSTANTIATE_TEST_SUITE_P(
    Table, VisibleGpus,
    testing::Values(
        Visible{"the_first", "0", nullptr, "0"}, Visible{"the_first_two", "0,1", nullptr, "0,1"},
        Visible{"another_would_get_a_new_number", "1", nullptr, nullptr},
        Visible{"another_order_too", "1,0", nullptr, nullptr},
        Visible{"a_gap_too", "0,2", nullptr, nullptr}, Visible{"all", "all", nullptr, nullptr},
        Visible{"not_given", "", nullptr, nullptr}, Visible{"a_uuid", "GPU-5c2", nullptr, nullptr},
        Visible{"no_number", "0x", nullptr, nullptr},
        Visible{"the_first_of_those_of_a_job", "0", "3,5", "3"},
        Visible{"uuids_of_a_job", "0,1", "GPU-a,GPU-b,GPU-c", "GPU-a,GPU-b"},
        Visible{"more_than_a_job_has", "0,1", "3", nullptr}),
    [](const auto& row) { return std::string{row.param.name}; });

}  // namespace
}  // namespace synthoscope::tools
