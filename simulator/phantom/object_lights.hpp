// SPDX-License-Identifier: MIT
// simulator/phantom/object_lights.hpp — how much the objects of a phantom differ in their light.
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>
#include "simulator/phantom/geometry/draws.hpp"
#include "simulator/phantom/kind/object_light.hpp"
#include "simulator/phantom/kinds.hpp"

namespace synthoscope::simulator {

/// The number of an object in its kind, from 0, after the numbers of its mother, grandmother and so
/// on, the oldest first.
using Ancestry = std::vector<std::int64_t>;

/// Returns the ancestry of an object. Places count the objects of one kind, from 0.
using AncestryOf = std::function<Ancestry(std::string_view kind, std::int64_t place)>;

/// Returns whether objects of a kind differ in their light, or are stained unevenly.
template <class Kind>
bool has_uneven_light(const PhantomSpec& all) {
  const auto& spec = Kind::part(all);
  if constexpr (requires { spec.uneven_stain; })
    if (spec.uneven_stain > 0) return true;
  if constexpr (requires { spec.intensity_spread; }) return spec.intensity_spread > 0;
  return false;
}

/// Returns whether this is so for any kind.
bool has_uneven_light(const PhantomSpec& all);

/// How the logarithms of factors are distributed.
struct BrightnessSpread {
  double spread = 0;            ///< standard deviation, 0 ... 2
  double size_correlation = 0;  ///< with the size, -1 ... 1
};

/// Returns the factor of an object, of mean 1 over all objects:
///
///     ln factor = spread (c s + sqrt(1 - c^2) n) - ln(mean)
///
/// with the size correlation c, the draw s of the size (a bell of mean 0 and standard deviation 1)
/// and a normal deviate n.
double brightness_of(const BrightnessSpread& as, double size, double normal);

/// Returns n of brightness_of: for an object without a mother its own normal deviate, for others
/// (n of the mother + its own deviate) / sqrt 2, so that half of the variance is inherited.
/// @param draws  of one kind; see DrawsOfLight
double inherited_deviate(const RandomStream& stream, int first_draw,
                         std::span<const std::int64_t> ancestry);

/// Returns the body whose ends uneven stain refers to.
inline const Nucleus& outline_of(const Nucleus& nucleus) {
  return nucleus;
}
inline const Nucleus& outline_of(const Cell& cell) {
  return cell.surface();
}

/// Returns ObjectLight::slope. @param direction  of the larger stain, in the own frame of
/// `outline`, |direction| = 1
Vector3 stain_slope(const Nucleus& outline, const Vector3& direction);

/// Returns the light of one object. The random draws are fixed and must not change: stage
/// `object_light`, index = number of the object in its kind; with k the place of the kind in the
/// list of kinds, draw 64 k gives the deviate by words 0 and 1, draws 64 k + 2 to 64 k + 33 the
/// direction of the stain in the body's own frame. Sizes are those of the object's own draws.
template <class Kind, class Body>
ObjectLight light_of_object(const PhantomSpec& all, const Body& body, std::uint64_t seed,
                            std::span<const std::int64_t> ancestry) {
  ObjectLight light;
  if (!has_uneven_light<Kind>(all)) return light;
  if constexpr (requires { Kind::part(all).intensity_spread; }) {
    const auto& spec = Kind::part(all);
    const RandomStream stream{seed, RandomStage::object_light};
    const int first_draw = 64 * Kinds::place_of<Kind>();
    const auto number = static_cast<std::uint64_t>(ancestry.back());
    BrightnessSpread as{spec.intensity_spread, 0};
    double size = 0;
    if constexpr (requires { spec.intensity_size_correlation; }) {
      as.size_correlation = spec.intensity_size_correlation;
      size = bell(RandomStream{seed, Kind::kSizeStage}.block(number, Kind::kSizeDraw));
    }
    light.factor = brightness_of(as, size, inherited_deviate(stream, first_draw, ancestry));
    if constexpr (requires { spec.uneven_stain; }) {
      light.uneven = spec.uneven_stain;
      light.middle = body.centroid();
      light.slope = stain_slope(outline_of(body), random_turn({stream, number}, first_draw + 2)[0]);
    }
  }
  return light;
}

/// Sets the lights of a phantom whose objects are at their places; none if all are equal.
void draw_lights(Phantom& phantom, std::uint64_t seed, const AncestryOf& ancestry_of);

/// The same for objects without mothers, which are numbered by their places.
void draw_lights(Phantom& phantom, std::uint64_t seed);

/// Returns the bytes of the lights of a phantom.
std::int64_t lights_bytes(const PhantomSpec& spec, std::int64_t objects);

}  // namespace synthoscope::simulator
