// SPDX-License-Identifier: MIT
// tests/unit/studio/preview/preview_changes_test.cpp — every key of a scene: a preview after its
// change is the preview of the changed scene.
#include <gtest/gtest.h>
#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include "core/base/error.hpp"
#include "fftconv/host/executor.hpp"
#include "simulator/scene/keys.hpp"
#include "studio/preview/preview.hpp"
#include "tests/support/test_context.hpp"
#include "tests/unit/studio/preview/preview_case.hpp"

namespace synthoscope::studio {
namespace {

using simulator::SceneKey;
using simulator::SceneSpec;
using simulator::SceneValue;

/// Scenes that together use all tables.
const PreviewCase kChanged[] = {
    {"nuclei_and_beads", kSmallGrid + kSmallOptics + kTwoNuclei + kBeads},
    {"a_movie",
     "frames = 2\n" + kSmallGrid + kSmallOptics +
         "[nuclei]\ncount = 1\nradius_um = 0.7\n[time]\ninterval_seconds = 60\n"
         "speed_um_per_second = 0.001\n[illumination]\nphotons_per = \"second\"\n"
         "[camera]\nkind = \"emccd\"\n",
     1},
    {"cells", kSmallGrid + kSmallOptics +
                  "[cells]\ncount = 1\nradius_um = 1.0\nnucleus_radius_um = 0.3\ngap_um = 0\n"
                  "[camera]\nkind = \"counting\"\n"},
    {"a_sheet_and_a_dose_for_a_ratio",
     kSmallGrid + kTwoNuclei + "[illumination]\nsnr = 4\n" +
         "[optics]\nmodel = \"light-sheet\"\nna = 0.8\nimmersion_index = 1.33\n"
         "size = [5, 7, 7]\n"},
    {"one_plane_of_lobes",
     "seed = 5\n[grid]\nsize = [1, 24, 28]\npitch_nm = [400, 200, 200]\n"
     "margin_um = [1.2, 0.4, 0.4]\n" +
         kSmallOptics +
         "[nuclei]\ncount = 1\nradius_um = 0.7\nmost_lobes = 3\n[pattern]\nperiod_nm = 700\n"},
};

/// Returns values that may be other than the present one, and in the range of the key.
std::vector<SceneValue> other_values(const SceneKey& key, const SceneValue& now) {
  std::vector<SceneValue> all;
  if (const auto* flag = std::get_if<bool>(&now)) all.emplace_back(!*flag);
  if (const auto* whole = std::get_if<std::int64_t>(&now))
    for (const std::int64_t by : {1, -1, 2}) all.emplace_back(*whole + by);
  if (const auto* number = std::get_if<double>(&now))
    for (const double value : {*number * 1.25, *number * 0.8, *number + 0.01, *number + 1})
      all.emplace_back(value);
  if (const auto* three = std::get_if<simulator::ThreeNumbers>(&now))
    for (const double by : {1.25, 0.8})
      all.emplace_back(simulator::ThreeNumbers{(*three)[0] * by + 0.01, (*three)[1], (*three)[2]});
  if (const auto* three = std::get_if<simulator::ThreeIntegers>(&now))
    all.emplace_back(simulator::ThreeIntegers{(*three)[0] + 2, (*three)[1], (*three)[2]});
  for (const std::string& name : key.names) all.emplace_back(name);
  if (std::holds_alternative<std::monostate>(now)) {
    for (const double value : {0.5, 1.0, 3.0, 100.0, 400.0}) all.emplace_back(value);
    for (const std::int64_t value : {1, 3, 5}) all.emplace_back(value);
    all.emplace_back(true);
    all.emplace_back(false);
    all.emplace_back(simulator::ThreeIntegers{3, 5, 5});
    all.emplace_back(simulator::ThreeNumbers{1, 2, 3});
  }
  if (key.kind == simulator::ValueKind::terms) all.emplace_back(std::string{"5: 0.1"});
  if (key.kind == simulator::ValueKind::text_or_number) all.emplace_back(0.05);
  std::erase(all, now);
  return all;
}

/// A preview that is used for one change after another, and its scene.
class Changes {
 public:
  explicit Changes(const PreviewCase& one) : scene_{scene_of(one)}, frame_{one.frame} {
    kept_.make({scene_, {}, frame_}, run_.context);
  }

  /// Changes a key to the first value that gives a valid scene. Returns whether there is one.
  bool try_change(const SceneKey& key) {
    for (const SceneValue& value : other_values(key, key.get(scene_))) {
      SceneSpec changed = scene_;
      try {
        give(changed, key, value);
        if (key.get(changed) == key.get(scene_)) continue;
        require_valid(changed);
        const AllOf fresh{Preview{*blur_}.make({changed, {}, frame_}, run_.context)};
        EXPECT_EQ(AllOf{kept_.make({changed, {}, frame_}, run_.context)}, fresh)
            << key.full_name() << " = " << simulator::toml_of(value);
        return true;
      } catch (const Error&) {  // no scene: the next value
      } catch (const std::bad_variant_access&) {
      }
    }
    return false;
  }

 private:
  SceneSpec scene_;
  std::int64_t frame_;
  test::TestContext run_;
  std::unique_ptr<fftconv::Executor> blur_ = fftconv::make_host_executor({run_.memory.limit()});
  Preview kept_{*blur_};
};

/// Returns whether a key is of no use without the file that another key of its table names.
bool describes_a_file(const SceneKey& key) {
  return key.table == "volume" || key.table == "neuron";
}

TEST(PreviewAfterAChange, IsThatOfTheChangedSceneForEveryKey) {
  std::set<std::string> not_changed;
  for (const SceneKey& key : simulator::scene_keys())
    if (key.kind != simulator::ValueKind::text && !describes_a_file(key))
      not_changed.insert(key.full_name());
  for (const PreviewCase& one : kChanged) {
    SCOPED_TRACE(one.name);
    Changes changes{one};
    for (const SceneKey& key : simulator::scene_keys())
      if (changes.try_change(key)) not_changed.erase(key.full_name());
  }
  EXPECT_EQ(not_changed, std::set<std::string>{});
}

/// Returns a preview; nothing if the objects of the scene cannot be placed.
std::optional<AllOf> made_by(Preview& preview, const SceneSpec& scene, const RunContext& context) {
  try {
    return AllOf{preview.make({scene}, context)};
  } catch (const InvalidSpec&) {
    return std::nullopt;
  }
}

TEST(PreviewAfterAChange, KnowsThatGivenSizesAreNotFittedToTheGrid) {
  test::TestContext run;
  const auto blur = fftconv::make_host_executor({run.memory.limit()});
  const SceneSpec fitted =
      simulator::parse_scene("seed = 5\n[grid]\nsize = [16, 20, 20]\npitch_nm = [400, 400, 400]\n" +
                                 kSmallOptics + "[nuclei]\ncount = 1\n",
                             "scene");
  SceneSpec given = fitted;
  const SceneKey& radius = *simulator::find_key("nuclei.radius_um");
  give(given, radius, radius.get(given));
  Preview kept{*blur}, fresh{*blur};
  const auto before = made_by(kept, fitted, run.context);
  ASSERT_TRUE(before.has_value());
  const auto after = made_by(kept, given, run.context);
  EXPECT_EQ(after, made_by(fresh, given, run.context));
  EXPECT_NE(after, before);
}

/// What is the same stack as before the change: it was not made again.
struct KeptCase {
  const char* key;
  SceneValue value;
  bool labels, light, photons, counts, psf;
};
const KeptCase kKept[] = {
    {"camera.read_noise_electrons", 3.0, true, true, true, false, true},
    {"background.photons_per_pixel", 7.0, true, true, false, false, true},
    {"illumination.dose", 2.0, true, false, false, false, true},
    {"optics.na", 0.7, true, true, false, false, false},
    {"light.nuclei", 0.5, true, false, false, false, true},
    {"nuclei.count", std::int64_t{1}, false, false, false, false, true},
    {"output.light", true, true, true, true, true, true},
};

TEST(PreviewAfterAChange, MakesOnlyWhatTheKeyTouches) {
  test::TestContext run;
  const auto blur = fftconv::make_host_executor({run.memory.limit()});
  const SceneSpec scene = scene_of(kPreviewCases[0]);
  Preview preview{*blur};
  for (const auto& [key, value, labels, light, photons, counts, psf] : kKept) {
    SCOPED_TRACE(key);
    const Shown before = preview.make({scene}, run.context);
    SceneSpec changed = scene;
    give(changed, *simulator::find_key(key), value);
    const Shown after = preview.make({changed}, run.context);
    const ShownImage &a = before.images.front(), &b = after.images.front();
    EXPECT_EQ(before.labels == after.labels, labels);
    EXPECT_EQ(a.light == b.light, light);
    EXPECT_EQ(a.photons == b.photons, photons);
    EXPECT_EQ(a.counts == b.counts, counts);
    EXPECT_EQ(a.psf == b.psf, psf);
  }
}

/// Counts blurs.
class CountedBlur final : public fftconv::Executor {
 public:
  explicit CountedBlur(Executor& inner) : inner_{inner} {}
  [[nodiscard]] fftconv::Machine machine() const override { return inner_.machine(); }
  fftconv::RunReport run(const fftconv::Plan& plan, std::span<const fftconv::Term> terms,
                         Epilogue& epilogue, Sink& sink, const RunContext& context) override {
    ++runs;
    return inner_.run(plan, terms, epilogue, sink, context);
  }
  int runs = 0;

 private:
  Executor& inner_;
};

TEST(PreviewAfterAChange, BlursOnceForAllRatiosAndCameras) {
  test::TestContext run;
  const auto host = fftconv::make_host_executor({run.memory.limit()});
  CountedBlur blur{*host};
  SceneSpec scene = simulator::parse_scene(
      "frames = 3\n" + kSmallGrid + kSmallOptics + kTwoNuclei + "[illumination]\nsnr = 4\n",
      "scene");
  Preview preview{blur};
  const double dose = *preview.make({scene}, run.context).images[0].numbers.found_dose;
  EXPECT_EQ(blur.runs, 4) << "three frames for the dose, and the one that is shown";
  give(scene, *simulator::find_key("illumination.snr"), 5.0);
  const double more = *preview.make({scene}, run.context).images[0].numbers.found_dose;
  EXPECT_GT(more, dose);
  give(scene, *simulator::find_key("camera.read_noise_electrons"), 9.0);
  EXPECT_GT(*preview.make({scene}, run.context).images[0].numbers.found_dose, more);
  EXPECT_EQ(blur.runs, 4);
  preview.make({scene, {}, 1}, run.context);
  EXPECT_EQ(blur.runs, 5) << "another frame has the same dose";
  give(scene, *simulator::find_key("optics.na"), 0.7);
  preview.make({scene}, run.context);
  EXPECT_EQ(blur.runs, 9);
}

}  // namespace
}  // namespace synthoscope::studio
