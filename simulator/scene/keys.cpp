// SPDX-License-Identifier: MIT
#include "simulator/scene/keys.hpp"
#include "simulator/scene/key_rows.hpp"
#include "simulator/scene/kind_rows.hpp"

namespace synthoscope::simulator {
namespace {

void add_grid_keys(std::vector<SceneKey>& keys) {
  keys.push_back(absent_means(
      "drawn, and recorded in scene.json",
      key("seed", "", Range{0, kUnbounded}, "decides all that is random: equal seeds, equal data",
          SYNTHOSCOPE_MEMBER(seed))));
  keys.push_back(key("frames", "", Range{1, 10000},
                     "images to simulate, independent of each other unless there is a "
                     "time.interval_seconds: each has objects and noise of its own, all have the "
                     "camera's maps; phantom makes the one that --frame says",
                     SYNTHOSCOPE_MEMBER(frames)));
  keys.push_back(key("grid.size", "voxels", Range{1, 0x1p20}, "voxels along z, y and x",
                     SYNTHOSCOPE_MEMBER(grid.extent)));
  keys.push_back(key("grid.pitch_nm", "nm", Range{0, 1e9, true},
                     "distance between voxels along z, y and x", SYNTHOSCOPE_MEMBER(grid.pitch)));
}

void add_phantom_keys(std::vector<SceneKey>& keys) {
  Kinds::for_each([&]<class Kind>(Kind) {
    KindRows<Kind> rows{keys};
    Kind::list_keys(rows);
  });
}

void add_light_keys(std::vector<SceneKey>& keys) {
  for (const LightKind& kind : kLightKinds)
    keys.push_back(key(
        fmt::format("light.{}", kind.name), "", Range{0, 1e6},
        fmt::format("what the light of {} is multiplied by; 0 is dark", kind.what),
        [weight = kind.weight](auto& scene) -> auto& { return scene.light.*weight; }));
}

void add_background_keys(std::vector<SceneKey>& keys) {
  keys.push_back(key("background.photons_per_pixel", "photons per pixel and exposure",
                     Range{0, 1e9}, "stray light, added after the blur",
                     SYNTHOSCOPE_MEMBER(background_photons)));
}

void add_illumination_keys(std::vector<SceneKey>& keys) {
  keys.push_back(key("illumination.falloff", "", Range{0, 1},
                     "part of the light that is missing in the corners; it falls with the square "
                     "of the distance from the middle",
                     SYNTHOSCOPE_MEMBER(illumination.falloff)));
  keys.push_back(
      absent_means("none", key("illumination.flat_field", "", kAny,
                               "image file of the grid's size along y and x that multiplies the "
                               "light, such as a measured flat field over its mean",
                               SYNTHOSCOPE_MEMBER(illumination.flat_field))));
  keys.push_back(key("illumination.dose", "", Range{0, 1e6, true},
                     "what all light, of objects and background, is multiplied with: the power of "
                     "the lamp",
                     SYNTHOSCOPE_MEMBER(illumination.dose)));
  keys.push_back(
      key("illumination.photons_per", "", kAny,
          "what the photons of objects and background are counted in: exposure, those of one, "
          "however long it is; second, those of a second of camera.exposure_seconds",
          SYNTHOSCOPE_MEMBER(illumination.photons_per)));
}

void add_pattern_keys(std::vector<SceneKey>& keys) {
  const auto add = [&](auto... row) { keys.push_back(key(row...)); };
  add("pattern.kind", "", kAny,
      "stripes of the light that excites: none; two-beam, of one period at all depths; three-beam, "
      "of one period and of twice that, which fades and returns along z. Frame 0 is the first raw "
      "image of a set, frame 1 has the next phase, and angles change after all phases; with "
      "time.interval_seconds they are raw images of one world",
      SYNTHOSCOPE_MEMBER(pattern.kind));
  keys.push_back(absent_means(
      "excitation_nm / (1.8 na)",
      key("pattern.period_nm", "nm", Range{0, 1e9, true}, "of the finest stripes, in the sample",
          SYNTHOSCOPE_MEMBER(pattern.period_nm))));
  add("pattern.angles", "", Range{1, 32}, "directions of stripes, evenly over half a turn",
      SYNTHOSCOPE_MEMBER(pattern.angles));
  add("pattern.first_angle_degrees", "degrees", Range{-360, 360},
      "of the first direction, across the stripes: from x towards y",
      SYNTHOSCOPE_MEMBER(pattern.first_angle_degrees));
  keys.push_back(
      absent_means("3 of two beams, 5 of three",
                   key("pattern.phases", "", Range{1, 32},
                       "places of the stripes in each direction, evenly over the longest period",
                       SYNTHOSCOPE_MEMBER(pattern.phases))));
  add("pattern.first_phase_degrees", "degrees", Range{-360, 360},
      "of the longest period, in the middle of the field; at 0 it is brightest there",
      SYNTHOSCOPE_MEMBER(pattern.first_phase_degrees));
  add("pattern.contrast", "", Range{0, 1}, "part of the light that takes part in the stripes",
      SYNTHOSCOPE_MEMBER(pattern.contrast));
}

void add_optics_keys(std::vector<SceneKey>& keys) {
  const auto add = [&](auto... row) { keys.push_back(key(row...)); };
  const auto add_design = [&](std::string_view actual, auto... row) {
    keys.push_back(absent_means(fmt::format("as {}", actual), key(row...)));
  };
  const Range index{1, 4}, length{0, 20000};
  add("optics.model", "", kAny,
      "how the point spread function is made. gibson-lanni looks through sample, cover glass and "
      "immersion; richards-wolf does so with the polarisation of light, which counts above an "
      "aperture of 1; gaussian and born-wolf, a lens without aberrations, leave out sample, cover "
      "glass, working distance, depth and design; confocal (spinning disks too), two-photon, "
      "light-sheet and sted multiply the light that excites with the light that is seen; file is a "
      "measured one",
      SYNTHOSCOPE_MEMBER(optics.model));
  add("optics.na", "", Range{0.01, 4}, "numerical aperture, below immersion_index",
      SYNTHOSCOPE_MEMBER(optics.na));
  add("optics.collection", "", kAny,
      "which photons the keys of light (photons, photons_per_um3 and others) count. all: those "
      "that "
      "the objective collects, as many at any na; aperture: those that are emitted in all "
      "directions, of which a cone of the half angle asin(na / sample_index) is collected, the "
      "part "
      "(1 - sqrt(1 - (min(na, sample_index) / sample_index)^2)) / 2. na is that of the objective "
      "through which the light is seen, of light-sheet too; background is not changed",
      SYNTHOSCOPE_MEMBER(optics.collection));
  add("optics.wavelength_nm", "nm", Range{100, 10000}, "of the emitted light, in vacuum",
      SYNTHOSCOPE_MEMBER(optics.wavelength_nm));
  add("optics.immersion_index", "", index, "refractive index of the immersion",
      SYNTHOSCOPE_MEMBER(optics.immersion_index));
  add("optics.sample_index", "", index, "refractive index of the sample",
      SYNTHOSCOPE_MEMBER(optics.sample_index));
  add("optics.coverslip_index", "", index, "refractive index of the cover glass",
      SYNTHOSCOPE_MEMBER(optics.coverslip_index));
  add_design("immersion_index", "optics.design_immersion_index", "", index,
             "the immersion that the objective was made for",
             SYNTHOSCOPE_MEMBER(optics.design_immersion_index));
  add_design("coverslip_index", "optics.design_coverslip_index", "", index,
             "the cover glass that the objective was made for",
             SYNTHOSCOPE_MEMBER(optics.design_coverslip_index));
  add("optics.coverslip_um", "um", length, "thickness of the cover glass",
      SYNTHOSCOPE_MEMBER(optics.coverslip_um));
  add_design("coverslip_um", "optics.design_coverslip_um", "um", length,
             "thickness that the objective was made for",
             SYNTHOSCOPE_MEMBER(optics.design_coverslip_um));
  add("optics.working_distance_um", "um", length, "thickness of the immersion, by design",
      SYNTHOSCOPE_MEMBER(optics.working_distance_um));
  add("optics.depth_um", "um", Range{0, 1000}, "depth of the emitter below the cover glass",
      SYNTHOSCOPE_MEMBER(optics.depth_um));
  add("optics.depth_varying", "", kAny,
      "whether the PSF follows the depth of what emits, through layers whose indices differ; "
      "depth_um is then that of the face of the grid nearest to the cover glass. Several PSFs are "
      "computed, as many as reference_error asks for, each a blur of its own",
      SYNTHOSCOPE_MEMBER(optics.depth_varying));
  add("optics.cover_glass", "", kAny,
      "where the glass lies: above, beyond the last plane, and depth falls from plane to plane; "
      "below, before the first, as in a stack that begins at the glass: the PSF is mirrored along "
      "z",
      SYNTHOSCOPE_MEMBER(optics.cover_glass));
  add("optics.reference_error", "of the peak", Range{0.0005, 0.5},
      "of depth_varying and sheet_along: by how much a PSF that is interpolated between two "
      "computed ones may be wrong; a smaller one takes more of them, and more time",
      SYNTHOSCOPE_MEMBER(optics.reference_error));
  add("optics.diffraction", "", kAny,
      "of the lens of confocal, two-photon, light-sheet and sted: scalar, as gibson-lanni, or "
      "vectorial, as richards-wolf",
      SYNTHOSCOPE_MEMBER(optics.diffraction));
  add("optics.excitation_nm", "nm", Range{100, 10000},
      "of the light that excites, in vacuum, of confocal, two-photon (above wavelength_nm, up to "
      "twice it), sted, [pattern], and of light-sheet where the sheet widens",
      SYNTHOSCOPE_MEMBER(optics.excitation_nm));
  add("optics.pinhole_au", "Airy units", Range{0.01, 100},
      "diameter of the pinhole of confocal and sted; a unit is 1.22 wavelength_nm / na",
      SYNTHOSCOPE_MEMBER(optics.pinhole_au));
  add("optics.sheet_waist_um", "um", Range{0.1, 1000},
      "1/e^2 radius of the sheet of light-sheet, where it is thinnest",
      SYNTHOSCOPE_MEMBER(optics.sheet_waist_um));
  add("optics.sheet_along", "", kAny,
      "the way of the sheet of light-sheet through the field: along it the sheet widens from its "
      "waist, by diffraction of excitation_nm in sample_index, and dims as it does; none: it is as "
      "thick all over the field",
      SYNTHOSCOPE_MEMBER(optics.sheet_along));
  add("optics.sheet_focus_um", "um", Range{-20000, 20000},
      "of sheet_along: where the waist lies, from the middle of the field",
      SYNTHOSCOPE_MEMBER(optics.sheet_focus_um));
  add("optics.depletion_nm", "nm", Range{100, 10000},
      "of the ring of sted that depletes, in vacuum", SYNTHOSCOPE_MEMBER(optics.depletion_nm));
  add("optics.saturation", "", Range{0, 10000},
      "of sted: how often the light at the ring's crest is halved. The spot is 0.79, 0.58, 0.35 "
      "and 0.12 of the confocal one at 1, 3, 10 and 100, wider than 1 / sqrt(1 + saturation)",
      SYNTHOSCOPE_MEMBER(optics.saturation));
  add("optics.zernike", "waves rms", kAny,
      "aberrations of born-wolf, gibson-lanni and richards-wolf: Noll's index, 1 to 66, and waves, "
      "-2 to 2, of each term; 2 and 3 are tilt (along x, y), 4 defocus, 5 and 6 astigmatism, 7 and "
      "8 coma, 9 and 10 trefoil, 11 spherical aberration. Positive tilt and defocus move the image "
      "to larger x, y and z",
      SYNTHOSCOPE_MEMBER(optics.zernike));
  add("optics.axial_origin", "um", Range{-20000, 20000},
      "what the centre plane of the PSF shows: \"focus\", the brightest plane; \"nominal\", the "
      "focus by design; or a position",
      SYNTHOSCOPE_MEMBER(optics.axial_origin));
  add("optics.shift_nm", "nm", Range{-1000 * kMostShiftUm, 1000 * kMostShiftUm},
      "how far the image of a point lies from the point along z, y and x, exact to any part of a "
      "voxel: chromatic shift, a camera out of line. Labels stay where they are",
      SYNTHOSCOPE_MEMBER(optics.shift));
  keys.push_back(absent_means(
      "on for points alone, and where pixels are too coarse for samples",
      key("optics.pixel_integration", "", kAny,
          "average the PSF over the pixel: right for points, while bodies are averaged over voxels "
          "already. Of model file, bring the file's pixels to the size of the grid's, where those "
          "are larger",
          SYNTHOSCOPE_MEMBER(optics.pixel_integration))));
  add("optics.oversample", "", Range{1, kMostOversampling},
      "render and blur on a grid so many times finer along y and x, and add photons up over the "
      "pixels of grid; right for points beside bodies, and for pixels coarser than the light; odd "
      "where there are points",
      SYNTHOSCOPE_MEMBER(oversample));
  add("optics.normalization", "", kAny, "what the PSF adds up to",
      SYNTHOSCOPE_MEMBER(optics.normalization));
  keys.push_back(absent_means(
      "none", key("optics.file", "", kAny,
                  "of model file: TIFF, HDF5 or ICS file with a measured PSF, as stack.tif or "
                  "stack.h5:/path/to/dataset",
                  SYNTHOSCOPE_MEMBER(optics.file))));
  add("optics.file_background", "as the file's voxels", Range{-1e12, 1e12},
      "taken off each voxel of the file: \"none\"; \"auto\", the median of its border or of all of "
      "it, whichever is smaller; or a number",
      SYNTHOSCOPE_MEMBER(optics.file_background));
  add("optics.file_center", "", kAny,
      "what of the file lies in the middle, to a part of a voxel. peak: the top of a Gaussian "
      "through the largest voxel, or plateau, and its neighbours; centroid: the centre of mass of "
      "voxels above a tenth of the peak; middle: the file's own",
      SYNTHOSCOPE_MEMBER(optics.file_center));
  keys.push_back(
      absent_means("what the file says", key("optics.file_pitch_nm", "nm", Range{0, 1e9, true},
                                             "distance between the file's voxels along z, y and x",
                                             SYNTHOSCOPE_MEMBER(optics.file_pitch))));
  keys.push_back(
      absent_means("chosen to hold the light",
                   key("optics.size", "voxels", Range{1, 0x1p20},
                       "of the PSF along z, y and x, odd; with oversample those of the finer grid",
                       SYNTHOSCOPE_MEMBER(optics.size))));
}

std::vector<SceneKey> make_keys() {
  std::vector<SceneKey> keys;
  add_grid_keys(keys);
  add_phantom_keys(keys);
  add_time_keys(keys);
  add_light_keys(keys);
  add_background_keys(keys);
  add_illumination_keys(keys);
  add_pattern_keys(keys);
  add_optics_keys(keys);
  add_camera_keys(keys);
  return keys;
}

}  // namespace

const std::vector<SceneKey>& scene_keys() {
  static const auto kKeys = make_keys();
  return kKeys;
}

const SceneKey* find_key(std::string_view full_name) {
  for (const SceneKey& key : scene_keys())
    if (key.full_name() == full_name) return &key;
  return nullptr;
}

void give(SceneSpec& scene, const SceneKey& key, const SceneValue& value) {
  const SceneSpec before = scene;
  key.set(scene, value);
  if (key.chooses_defaults)
    for (const SceneKey& other : scene_keys())
      if (other.table == key.table && !other.chooses_defaults &&
          before.given.contains(other.full_name()))
        if (const auto its = other.get(before); !std::holds_alternative<std::monostate>(its))
          other.set(scene, its);
  scene.given.insert(key.full_name());
}

std::vector<std::string> keys_not_given(const SceneSpec& scene, std::string_view table) {
  std::vector<std::string> names;
  for (const SceneKey& key : scene_keys())
    if (key.table == table && !key.chooses_defaults && !scene.given.contains(key.full_name()))
      names.push_back(key.full_name());
  return names;
}

void require_in_range(const SceneKey& key, const SceneValue& value) {
  if (!key.range) return;
  const auto check = [&](double number) {
    if (!key.range->holds(number))
      throw InvalidSpec(fmt::format("is {}; give {}", number, key.range->words()));
  };
  if (const auto* number = std::get_if<double>(&value)) check(*number);
  if (const auto* integer = std::get_if<std::int64_t>(&value)) check(static_cast<double>(*integer));
  if (const auto* three = std::get_if<ThreeNumbers>(&value))
    for (const double number : *three) check(number);
  if (const auto* three = std::get_if<ThreeIntegers>(&value))
    for (const auto number : *three) check(static_cast<double>(number));
}

}  // namespace synthoscope::simulator
