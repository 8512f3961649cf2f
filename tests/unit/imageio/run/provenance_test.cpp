// SPDX-License-Identifier: MIT
#include "imageio/run/provenance.hpp"
#include <gtest/gtest.h>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/temporary_folder.hpp"

namespace synthoscope::imageio {
namespace {

TEST(RunRecord, SaysWhatRanOnWhatAndHowLong) {
  const test::TemporaryFolder folder;
  RunRecord record;
  record.command_line = {"synthoscope", "convolve", "a.tif", "b \"c\".tif"};
  record.inputs = {{folder / "a.tif", 3, "44bc2cf5ad770999", "Y=2, X=3, named by its tags"},
                   {folder / "b.tif", 3, "44bc2cf5ad770999"}};
  record.plan_json = R"({"strategy":"in-core"})";
  record.seconds = 1.5;
  record.stage_seconds = {{"read", 0.5}, {"blur", 1.0}};
  record.libraries = {{"FFTW", "3.3.10"}};
  record.warnings = {"the kernel's border carries 90 % of its sum"};
  write_record(folder / "out.ome.tif", record, false);

  const auto json = parse_json(test::content_of(folder / "out.ome.tif.json"));
  EXPECT_EQ(json["program"], "synthoscope");
  EXPECT_FALSE(json["version"].get<std::string>().empty());
  EXPECT_EQ(json["command_line"].get<std::vector<std::string>>(), record.command_line);
  EXPECT_EQ(json["inputs"][0]["bytes"], 3);
  EXPECT_EQ(json["inputs"][0]["xxh64"], "44bc2cf5ad770999");
  EXPECT_EQ(json["inputs"][0]["axes"], "Y=2, X=3, named by its tags");
  EXPECT_FALSE(json["inputs"][1].contains("axes"));
  EXPECT_EQ(json["plan"]["strategy"], "in-core");
  EXPECT_EQ(json["seconds"], 1.5);
  EXPECT_EQ(json["stages"]["blur"], 1.0);
  EXPECT_EQ(json["libraries"]["FFTW"], "3.3.10");
  EXPECT_TRUE(json["libraries"]["libtiff"].get<std::string>().starts_with("4."));
  EXPECT_EQ(json["warnings"].size(), 1u);
  EXPECT_FALSE(json.contains("request"));
}

TEST(RunRecord, RefusesAPlanThatIsNoJson) {
  RunRecord record;
  record.plan_json = "{strategy";
  test::expect_failure<InvalidSpec>([&] { print_record(record); }, {"plan is not JSON"});
}

}  // namespace
}  // namespace synthoscope::imageio
