// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include "core/base/json.hpp"
#include "jobs/machine/machine_cache.hpp"

namespace synthoscope::jobs {
namespace {

const std::vector<MeasuredGpu> kMeasured{{"GPU-a", {1e9, 2e9, 3e9, 4e9, 5e9, 6e9}},
                                         {"GPU-b", {1.5, 2, 3, 4, 5, 6}}};

cuda::DeviceList two_devices() {
  return {{{.id = {0}, .name = "First", .uuid = "GPU-b", .capability = 90},
           {.id = {1}, .name = "Second", .uuid = "GPU-c", .capability = 75}},
          ""};
}

TEST(GpusFrom, ReadsBackWhatWasWritten) {
  EXPECT_EQ(gpus_from(parse_json(text_of(json_of(kMeasured)))), kMeasured);
  EXPECT_TRUE(gpus_from(Json::array()).empty());
}

TEST(GpusFrom, TakesNothingOfABrokenRecord) {
  for (const char* text : {"null", "7", "\"words\"", "[7]", "[{\"uuid\": \"GPU-a\"}]"})
    EXPECT_TRUE(gpus_from(parse_json(text)).empty()) << text;
  Json negative = json_of(kMeasured);
  negative[1]["rates"]["copy_bytes_per_second"] = -1;
  EXPECT_TRUE(gpus_from(negative).empty());
}

TEST(DevicesJson, GivesRatesToTheDeviceThatWasMeasured) {
  const Json json = devices_json(two_devices(), kMeasured);
  ASSERT_EQ(json.size(), 2u);
  EXPECT_EQ(json[0].at("name"), "First");
  EXPECT_EQ(json[0].at("rates").at("pinned_up_bytes_per_second"), 1.5);
  EXPECT_TRUE(json[1].at("rates").is_null());
}

TEST(DevicesText, SaysWhatThereIsOrWhyNot) {
  const std::string text = devices_text(two_devices(), {{"GPU-b", {1e9, 2e9, 3e9, 4e9, 5e9, 6e9}}});
  EXPECT_NE(text.find("First"), std::string::npos) << text;
  EXPECT_NE(text.find("1.0 GB/s up, 2.0 down, 3.0 both"), std::string::npos) << text;
  EXPECT_NE(text.find("not measured yet"), std::string::npos) << text;
  EXPECT_NE(devices_text({{}, "the cupboard is bare"}, {}).find("none: the cupboard is bare"),
            std::string::npos);
}

}  // namespace
}  // namespace synthoscope::jobs
