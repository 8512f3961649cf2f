// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <string>
#include <vector>
#include "core/base/error.hpp"
#include "core/cuda/runtime/device.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/expect_failure.hpp"

namespace synthoscope::cuda {
namespace {

DeviceList three_devices() {
  DeviceList list;
  const std::vector<std::string> uuids{"GPU-5c2a", "GPU-5c2b", "GPU-01ff"};
  for (int index = 0; index < 3; ++index)
    list.devices.push_back(
        {.id = {index}, .name = "A GPU", .uuid = uuids[static_cast<std::size_t>(index)]});
  return list;
}

struct ChoiceCase {
  const char* name;
  const char* choice;
  std::vector<int> chosen;
};

const ChoiceCase kChoices[] = {
    {"all", "all", {0, 1, 2}},
    {"none", "none", {}},
    {"one", "1", {1}},
    {"in_the_order_given", "2,0", {2, 0}},
    {"by_uuid", "GPU-5c2b", {1}},
    {"by_how_a_uuid_begins", "GPU-0", {2}},
    {"both_kinds", "GPU-01,0", {2, 0}},
};

class ChooseDevices : public testing::TestWithParam<ChoiceCase> {};

TEST_P(ChooseDevices, TakesWhatIsNamed) {
  std::vector<int> chosen;
  for (const DeviceInfo& device : choose_devices(three_devices(), GetParam().choice))
    chosen.push_back(device.id.index);
  EXPECT_EQ(chosen, GetParam().chosen);
}

INSTANTIATE_TEST_SUITE_P(Table, ChooseDevices, testing::ValuesIn(kChoices), test::kCaseName);

struct RefusedCase {
  const char* name;
  const char* choice;
  const char* word;
};

const RefusedCase kRefused[] = {
    {"not_there", "3", "'3' matches none of them"},
    {"negative", "-1", "'-1' matches none of them"},
    {"nothing", "", "'' matches none of them"},
    {"nothing_behind_a_comma", "0,", "'' matches none of them"},
    {"words", "fast", "'fast' matches none of them"},
    {"number_with_more", "1x", "'1x' matches none of them"},
    {"beginning_of_two", "GPU-5c", "'GPU-5c' matches several of them"},
    {"twice", "0,GPU-5c2a", "'GPU-5c2a' is named twice"},
};

class RefusedDevices : public testing::TestWithParam<RefusedCase> {};

TEST_P(RefusedDevices, AreSaidWithWhatThereIs) {
  test::expect_failure<InvalidSpec>(
      [] { (void)choose_devices(three_devices(), GetParam().choice); },
      {GetParam().word, "there are 0 (A GPU, GPU-5c2a), 1 (A GPU, GPU-5c2b)"});
}

INSTANTIATE_TEST_SUITE_P(Table, RefusedDevices, testing::ValuesIn(kRefused), test::kCaseName);

TEST(ChooseDevicesOfNone, SaysWhyThereIsNone) {
  const DeviceList none{{}, "the cupboard is bare"};
  EXPECT_TRUE(choose_devices(none, "all").empty());
  test::expect_failure<InvalidSpec>([&] { (void)choose_devices(none, "0"); },
                                    {"there is none here: the cupboard is bare"});
}

TEST(ListDevices, GivesDevicesOrTheReasonWhyNot) {
  const DeviceList list = list_devices();
  EXPECT_EQ(list.devices.empty(), !list.why_none.empty());
  for (std::size_t i = 0; i < list.devices.size(); ++i)
    EXPECT_EQ(list.devices[i].id.index, static_cast<int>(i));
}

}  // namespace
}  // namespace synthoscope::cuda
