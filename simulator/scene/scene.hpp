// SPDX-License-Identifier: MIT
// simulator/scene/scene.hpp — everything that determines a simulated data set, in plain structs.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>
#include "simulator/base/background_spec.hpp"
#include "simulator/base/grid.hpp"
#include "simulator/detector/camera_spec.hpp"
#include "simulator/light/illumination.hpp"
#include "simulator/light/pattern_spec.hpp"
#include "simulator/optics/pupil/optics_spec.hpp"
#include "simulator/phantom/kind/light_spec.hpp"
#include "simulator/phantom/phantom_spec.hpp"
#include "simulator/scene/time_spec.hpp"

namespace synthoscope::simulator {

using ThreeNumbers = std::array<double, 3>;
using ThreeIntegers = std::array<std::int64_t, 3>;

/// A value of a scene file; std::monostate for a key that is absent.
using SceneValue = std::variant<std::monostate, bool, std::int64_t, double, std::string,
                                ThreeNumbers, ThreeIntegers>;

/// What a key holds, as its user writes it.
enum class ValueKind {
  number,
  integer,
  flag,
  choice,
  text,
  text_or_number,
  terms,
  three_numbers,
  three_integers
};

inline constexpr std::size_t kMaxChannels = 32, kLongestChannelName = 32;

/// A channel. Its keys, each with its table, have other values than in the scene and are in the
/// order of the reference. Kinds of objects whose light they do not name are dark in the channel.
struct ChannelSpec {
  std::string name;  ///< letters, digits, - and _; also used in file names
  std::vector<std::pair<std::string, SceneValue>> keys;
  friend bool operator==(const ChannelSpec&, const ChannelSpec&) = default;
};

inline constexpr std::int64_t kMaxOversampling = 16;

/// What masks show of an object: the plane through it that is recorded, or all that lies above and
/// below a pixel.
enum class MaskKind { section, footprint };
inline constexpr NameTable<MaskKind, 2> kMaskKindNames{
    {{MaskKind::section, "section"}, {MaskKind::footprint, "footprint"}}};

/// Files of a data set that are made only if they are asked for.
struct OutputSpec {
  bool light = false;  ///< the light of every frame and channel before the blur
};

/// What is imaged, through which optics, by which camera. Equal scenes with equal seeds give equal
/// data files. Light comes only from the sample, which is the grid and its margin. The objects of
/// every kind are members that PhantomSpec lists: scene.nuclei, scene.beads and so on.
struct SceneSpec : PhantomSpec {
  std::optional<std::int64_t> seed;  ///< >= 0; drawn by simulate when absent, and recorded
  /// 1 to 10000, each with its own noise: of independent objects, or of a moving world, see `time`.
  std::int64_t frames = 1;
  Grid grid{{64, 256, 256}, {0.25, 0.09, 0.09}};  ///< finer than Nyquist of the default optics
  /// The sample is larger than the grid by this on both sides of each axis, rounded up to voxels,
  /// >= 0: objects there give light, and are in no mask.
  Point3 margin_um{0, 0, 0};
  MaskKind masks = MaskKind::section;
  TimeSpec time;
  LightSpec light;  ///< for a scene without channels; each channel has its own
  /// Photons added to every pixel of every exposure after the blur: stray light, medium. >= 0.
  /// The illumination acts on them too.
  double background_photons = 4;
  BackgroundSpec background;  ///< how unevenly these lie over the field
  MediumSpec medium;          ///< that weakens light on its way
  IlluminationSpec illumination;
  PatternSpec pattern;  ///< of the excitation light, before the blur
  /// If pixel_integration is absent, blur_setup.hpp decides.
  OpticsSpec optics;
  /// Light is rendered and blurred on a grid this many times finer along y and x, and added up over
  /// the pixels of `grid`. 1 to kMaxOversampling.
  std::int64_t oversample = 1;
  CameraSpec camera;
  OutputSpec output;
  /// The images taken of each frame, in order; empty: one image. channels.hpp says how each is
  /// taken.
  std::vector<ChannelSpec> channels;
  /// Full names of the keys that a file or --set gave; see give() in keys.hpp.
  std::set<std::string> given;

  /// Not compared: PhantomSpec's would compare the objects alone.
  friend bool operator==(const SceneSpec&, const SceneSpec&) = delete;
};

/// Returns the factor that multiplies all light of the scene; photon numbers given by keys are for
/// a factor of 1.
inline double light_level(const SceneSpec& scene) {
  return scene.illumination.level(scene.camera.exposure_seconds);
}

/// Returns the voxels at each end of an axis that the sample has in addition to the grid.
Extent3 margin_of(const SceneSpec& scene);

/// Returns the grid of the sample, in which objects lie: the scene's, and its margin.
Grid sample_grid(const SceneSpec& scene);

/// Returns the position of the grid's corner in the sample, in micrometres along z, y and x.
std::array<double, 3> corner_in_sample(const SceneSpec& scene);

/// Returns the objects of a scene, with positions in the sample. The default number of nuclei
/// becomes 0 if there are objects of another kind.
PhantomSpec phantom_of(const SceneSpec& scene);

/// @throws InvalidSpec  a value is outside its range; the message names key, value and range.
void require_valid(const SceneSpec& scene);

}  // namespace synthoscope::simulator
