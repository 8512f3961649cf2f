// SPDX-License-Identifier: MIT
// The newest preview wins, its voxels can be fetched, and failures are events.
#include "studio/session/live_preview.hpp"
#include <gtest/gtest.h>
#include <chrono>
#include <cstring>
#include <string>
#include <thread>
#include <utility>
#include "core/base/json.hpp"
#include "fftconv/host/executor.hpp"
#include "simulator/scene/file/scene_file.hpp"
#include "tests/support/machine_with.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::studio {
namespace {

using namespace std::chrono_literals;

constexpr const char* kScene = R"(
seed = 3
[grid]
size = [12, 48, 40]
[nuclei]
count = 2
radius_um = 1.0
)";

class LivePreviews : public testing::Test {
 protected:
  LivePreviews() { live_ = std::make_unique<LivePreview>(*blur_, events_, test_.context); }

  static PreviewRequest scene(const std::string& more = "") {
    return {simulator::parse_scene(kScene + more, "a scene")};
  }

  /// Returns the event that ends a preview: "preview" or "failed".
  Json end_of(std::int64_t id) {
    const auto patience = std::chrono::steady_clock::now() + 60s;
    while (std::chrono::steady_clock::now() < patience) {
      read_ += events_.wait_after(last_, 100ms);
      for (std::size_t at = 0; (at = read_.find("data: ", at)) != std::string::npos;) {
        const std::size_t end = read_.find('\n', at);
        const Json event = parse_json(read_.substr(at + 6, end - at - 6));
        if (event["id"] == id && event["type"] != "progress") return event;
        at = end;
      }
    }
    ADD_FAILURE() << "preview " << id << " does not end";
    return nullptr;
  }

  test::TestContext test_;
  std::unique_ptr<fftconv::Executor> blur_ =
      fftconv::make_host_executor(test::machine_with(std::int64_t{1} << 30));
  EventStream events_;
  std::unique_ptr<LivePreview> live_;
  std::uint64_t last_ = 0;
  std::string read_;
};

TEST_F(LivePreviews, ShowTheStacksThatTheyPublish) {
  const std::int64_t id = live_->request(scene());
  const Json event = end_of(id);
  ASSERT_EQ(event["type"], "preview") << text_of(event);
  EXPECT_EQ(event["region"]["extent"], Json({12, 48, 40}));
  ASSERT_EQ(event["stacks"].size(), 5u);
  for (const Json& row : event["stacks"]) {
    const auto stack = live_->stack(id, row["name"].get<std::string>(), 0);
    ASSERT_TRUE(stack) << text_of(row);
    const Extent3& e = stack->extent;
    EXPECT_EQ(row["extent"], Json({e.z, e.y, e.x}));
    EXPECT_EQ(row["type"], std::string{name_of(stack->type)});
  }
  EXPECT_FALSE(live_->stack(id, "image", 1));
  EXPECT_FALSE(live_->stack(id, "nothing", 0));
  EXPECT_FALSE(live_->stack(id + 1, "image", 0));
}

TEST_F(LivePreviews, PublishTheNumbersOfEachChannel) {
  PreviewRequest two = scene(
      "[[channel]]\nname = \"a\"\nlight.nuclei = 1\n[[channel]]\nname = \"b\"\n"
      "light.nuclei = 1\noptics.wavelength_nm = 700\noptics.collection = \"aperture\"\n"
      "optics.pixel_integration = true\nillumination.snr = 3\n");
  const Json event = end_of(live_->request(two));
  ASSERT_EQ(event["type"], "preview") << text_of(event);
  EXPECT_EQ(event["seed"], 3);
  EXPECT_EQ(event["is_seed_drawn"], false);
  ASSERT_EQ(event["images"].size(), 2u);
  const Json &a = event["images"][0], &b = event["images"][1];
  EXPECT_EQ(a["channel"], "a");
  EXPECT_EQ(event["objects"], (Json{{"count", 2}, {"touching", 0}}));
  EXPECT_EQ(a["collects_all"], true);
  EXPECT_EQ(b["collects_all"], false);
  EXPECT_EQ(a["psf_includes_pixel"], false);
  EXPECT_EQ(b["psf_includes_pixel"], true);
  EXPECT_EQ(a["found_dose"], nullptr);
  EXPECT_GT(b["found_dose"].get<double>(), 0);
  EXPECT_NEAR(b["snr"].get<double>(), 3, 0.2);
  EXPECT_EQ(a["saturated"], 0);
  EXPECT_GT(a["median_counts"].get<double>(), 0);
  EXPECT_LT(a["psf_widths_um"][2].get<double>(), b["psf_widths_um"][2].get<double>());
  const Json& light = a["light_ledger"];
  ASSERT_TRUE(light.is_object());
  EXPECT_NEAR(light["image"].get<double>() + light["lost_by_window"].get<double>() +
                  light["lost_by_field"].get<double>(),
              light["unbounded"].get<double>(), 1e-6 * light["unbounded"].get<double>());
  two.region = Box3{{0, 0, 0}, {12, 24, 24}};
  EXPECT_EQ(end_of(live_->request(two))["images"][0]["light_ledger"], nullptr);
}

TEST_F(LivePreviews, KnowTheVoxelsOfTheirStacks) {
  const std::int64_t id =
      live_->request(scene("[optics]\nwavelength_nm = 509\n"
                           "[camera]\nbinning = 2\n"));
  ASSERT_EQ(end_of(id)["type"], "preview");
  const VoxelSize grid = live_->published(id, "labels", 0)->voxel;
  EXPECT_FALSE(live_->published(id, "labels", 0)->emission_nm);
  const VoxelSize binned{grid.z_um, 2 * grid.y_um, 2 * grid.x_um};
  for (const auto& [name, voxel] : {std::pair{"light", grid}, std::pair{"photons", grid},
                                    std::pair{"image", binned}, std::pair{"psf", grid}}) {
    const auto stack = live_->published(id, name, 0);
    ASSERT_TRUE(stack) << name;
    EXPECT_EQ(stack->voxel, voxel) << name;
    EXPECT_EQ(stack->emission_nm, 509) << name;
  }
  EXPECT_FALSE(live_->published(id, "image", 1));
}

TEST_F(LivePreviews, PublishTheSeedThatTheyDraw) {
  const PreviewRequest without{
      simulator::parse_scene("[grid]\nsize = [4, 16, 16]\n[beads]\ncount = 1\n", "a scene")};
  const Json event = end_of(live_->request(without));
  ASSERT_EQ(event["type"], "preview") << text_of(event);
  EXPECT_EQ(event["is_seed_drawn"], true);
  EXPECT_EQ(end_of(live_->request(without))["seed"], event["seed"]) << "one is drawn once";
}

TEST_F(LivePreviews, AreReplacedByNewerOnes) {
  std::int64_t id = 0;
  for (int i = 0; i < 20; ++i)
    id = live_->request(scene("[camera]\nbinning = " + std::to_string(1 + i % 2) + "\n"));
  EXPECT_EQ(id, 20);
  const Json event = end_of(id);
  EXPECT_EQ(event["type"], "preview") << text_of(event);
  EXPECT_TRUE(live_->stack(id, "labels", 0));
  const std::int64_t next = live_->request(scene());
  end_of(next);
  EXPECT_FALSE(live_->stack(id, "labels", 0));
}

TEST_F(LivePreviews, TellWhatIsWrong) {
  PreviewRequest wrong = scene();
  wrong.frame = 7;
  const Json event = end_of(live_->request(wrong));
  EXPECT_EQ(event["type"], "failed");
  EXPECT_NE(event["error"].get<std::string>().find("frame 7"), std::string::npos);
  EXPECT_EQ(end_of(live_->request(scene()))["type"], "preview");
}

TEST_F(LivePreviews, EndWhileOneIsAtWork) {
  live_->request(scene());
  live_.reset();
  SUCCEED();
}

}  // namespace
}  // namespace synthoscope::studio
