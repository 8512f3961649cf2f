// SPDX-License-Identifier: MIT
#include "simulator/phantom/object_lights.hpp"
#include <algorithm>
#include <cmath>
#include "core/math/elementary.hpp"
#include "simulator/base/normal_quantile.hpp"
#include "simulator/phantom/phantom.hpp"

namespace synthoscope::simulator {
namespace {

/// Returns the logarithm of the mean of e^(t s), where s is a number of bell(). A bell is the sum
/// of four uniform numbers u from -sqrt 3 / 2 to sqrt 3 / 2, so this is four times ln(mean of e^(t
/// u)).
double log_mean_of_bell(double t) {
  const double half = std::abs(t) * std::sqrt(3.0) / 2, square = half * half;
  constexpr double kSmall = 0.01;  // below which the difference of exponentials loses digits
  const double of_uniform =
      half < kSmall ? square / 6 - square * square / 180
                    : half + portable::log((1 - portable::exp_negative(-2 * half)) / (2 * half));
  return 4 * of_uniform;
}

}  // namespace

bool has_uneven_light(const PhantomSpec& all) {
  return Kinds::any([&]<class Kind>(Kind) { return has_uneven_light<Kind>(all); });
}

double brightness_of(const BrightnessSpread& as, double size, double normal) {
  const double c = as.size_correlation, with_size = as.spread * c,
               alone = as.spread * std::sqrt(std::max(0.0, 1 - c * c));
  return portable::exp(with_size * size - log_mean_of_bell(with_size) + alone * normal -
                       alone * alone / 2);
}

double inherited_deviate(const RandomStream& stream, int first_draw,
                         std::span<const std::int64_t> ancestry) {
  double deviate = 0;
  for (std::size_t i = 0; i < ancestry.size(); ++i) {
    const auto words = stream.block(static_cast<std::uint64_t>(ancestry[i]),
                                    static_cast<std::uint16_t>(first_draw));
    const double own = normal_quantile(uniform52(words[0], words[1]));
    deviate = i == 0 ? own : (deviate + own) / std::sqrt(2.0);
  }
  return deviate;
}

Vector3 stain_slope(const Nucleus& outline, const Vector3& direction) {
  const Vector3 towards = unit_vector(transposed(outline.own_axes()) * direction);
  const double middle = dot(towards, outline.centroid() - outline.centre());
  double reach = 0;  // of the ellipsoids; surfaces that are rough end a little before or after it
  for (const Lobe& lobe : outline.lobes()) {
    const LobeForm& form = lobe.form();
    const Vector3 along = form.turn * towards;
    double square = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double part = form.semi_axes_um[axis] * along[axis];
      square += part * part;
    }
    const double offset = dot(towards, form.offset_um) - middle;
    reach = std::max(reach, std::abs(offset) + std::sqrt(square));
  }
  return (1 / reach) * towards;
}

void draw_lights(Phantom& phantom, std::uint64_t seed, const AncestryOf& ancestry_of) {
  phantom.lights.clear();
  if (!has_uneven_light(phantom.spec)) return;
  phantom.lights.reserve(static_cast<std::size_t>(phantom.count()));
  for_each_kind(phantom, [&]<class Kind>(Kind, const auto& bodies) {
    std::int64_t place = 0;
    for (const Body auto& body : bodies)
      phantom.lights.push_back(
          light_of_object<Kind>(phantom.spec, body, seed, ancestry_of(Kind::kName, place++)));
  });
}

void draw_lights(Phantom& phantom, std::uint64_t seed) {
  draw_lights(phantom, seed, [](std::string_view, std::int64_t place) { return Ancestry{place}; });
}

std::int64_t lights_bytes(const PhantomSpec& spec, std::int64_t objects) {
  return has_uneven_light(spec) ? objects * std::int64_t{sizeof(ObjectLight)} : 0;
}

}  // namespace synthoscope::simulator
