// SPDX-License-Identifier: MIT
// tests/unit/studio/preview/preview_case.hpp — small scenes of different kinds, and all voxels of a
// preview.
#pragma once
#include <cstddef>
#include <string>
#include <vector>
#include "simulator/scene/file/scene_file.hpp"
#include "studio/preview/preview.hpp"

namespace synthoscope::studio {

struct PreviewCase {
  const char* name;
  std::string scene;
  std::int64_t frame = 0;
};

inline const std::string kSmallGrid =
    "seed = 5\n[grid]\nsize = [6, 24, 28]\npitch_nm = [400, 200, 200]\n";
inline const std::string kSmallOptics =
    "[optics]\nmodel = \"born-wolf\"\nna = 0.8\nimmersion_index = 1.33\nsize = [5, 7, 7]\n";
inline const std::string kTwoNuclei =
    "[nuclei]\ncount = 2\nradius_um = 0.9\ngap_um = 0.1\nphotons_per_um3 = 3000\n";
inline const std::string kBeads = "[beads]\ncount = 5\ndiameter_um = 0.3\nphotons = 20000\n";

inline const PreviewCase kPreviewCases[] = {
    {"nuclei", kSmallGrid + kSmallOptics + kTwoNuclei},
    {"binned_beads",
     kSmallGrid + kSmallOptics + kBeads + "[camera]\nkind = \"ccd\"\nbinning = 2\n"},
    {"two_channels",
     kSmallGrid + kSmallOptics + kTwoNuclei + kBeads +
         "[[channel]]\nname = \"red\"\noptics.wavelength_nm = 610\nlight.nuclei = 1\n"
         "[[channel]]\nname = \"green\"\nlight.beads = 0.5\nillumination.dose = 3\n"},
    {"a_frame_of_a_movie",
     "frames = 3\n" + kSmallGrid + kSmallOptics + kTwoNuclei +
         "[time]\ninterval_seconds = 60\ndiffusion_um2_per_second = 0.001\n"
         "focus_drift_um_per_second = 0.001\nbleaching_seconds = 200\n",
     2},
    {"an_uneven_field_and_a_finer_blur",
     "frames = 2\n" + kSmallGrid + "margin_um = [0.8, 0.4, 0.4]\n" + kSmallOptics +
         "oversample = 3\n" + kBeads +
         "[illumination]\nfalloff = 0.4\ndose = 2\n[background]\ngradient = 0.5\n",
     1},
    {"a_psf_that_varies_and_stripes",
     kSmallGrid + kTwoNuclei +
         "[optics]\nna = 0.8\nimmersion_index = 1.33\nsize = [5, 9, 9]\nsample_index = 1.4\n"
         "depth_varying = true\n[pattern]\nkind = \"two-beam\"\nperiod_nm = 700\n"},
    {"a_dose_for_a_ratio", kSmallGrid + kSmallOptics + kTwoNuclei + "[illumination]\nsnr = 4\n"},
};

inline simulator::SceneSpec scene_of(const PreviewCase& one) {
  return simulator::parse_scene(one.scene, one.name);
}

inline std::vector<std::byte> bytes_of(const SharedStack& stack) {
  const ConstVoxelView view = std::as_const(*stack).view();
  return {view.data(), view.data() + view.bytes()};
}

/// Everything that a preview computed, for comparison.
struct AllOf {
  explicit AllOf(const Shown& shown) : region{shown.region}, voxels{bytes_of(shown.labels)} {
    numbers = {static_cast<double>(shown.objects.count),
               static_cast<double>(shown.objects.touching)};
    for (const ShownImage& image : shown.images) {
      for (const SharedStack& stack : {image.light, image.photons, image.counts, image.psf}) {
        const auto bytes = bytes_of(stack);
        voxels.insert(voxels.end(), bytes.begin(), bytes.end());
      }
      numbers.push_back(image.numbers.median_snr.value_or(-1));
      for (const auto& width : image.numbers.psf_widths_um) numbers.push_back(width.value_or(-1));
      if (image.numbers.light_ledger) numbers.push_back(image.numbers.light_ledger->image);
    }
    warnings = shown.warnings;
  }
  friend bool operator==(const AllOf&, const AllOf&) = default;

  Box3 region;
  std::vector<std::byte> voxels;
  std::vector<double> numbers;
  std::vector<std::string> warnings;
};

}  // namespace synthoscope::studio
