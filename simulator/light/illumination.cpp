// SPDX-License-Identifier: MIT
#include "simulator/light/illumination.hpp"
#include <fmt/format.h>
#include "core/base/error.hpp"
#include "simulator/base/field_map.hpp"
#include "simulator/base/range_check.hpp"
#include "simulator/light/light_keys.hpp"

namespace synthoscope::simulator {
void require_valid(const IlluminationSpec& spec) {
  RangeCheck check{"illumination", spec};
  list_illumination_keys(check);
  if (spec.snr && spec.dose != 1)
    throw InvalidSpec(fmt::format(
        "check the values: illumination.snr is {} and illumination.dose is {}, but snr chooses the "
        "dose; leave one of them out",
        *spec.snr, spec.dose));
}

Illumination::Illumination(const IlluminationSpec& spec, const Extent3& field, double level)
    : falloff_{spec.falloff}, level_{level}, height_{field.y}, width_{field.x} {
  require_valid(spec);
  if (spec.flat_field)
    flat_field_ = read_field_map("the flat field", *spec.flat_field, field.y, field.x);
}

std::int64_t Illumination::bytes(const IlluminationSpec& spec, const Extent3& field) {
  constexpr std::int64_t kKept = sizeof(float);
  return spec.flat_field ? field.y * field.x * (kKept + kMapReadingBytes) : 0;
}

Illumination Illumination::times(double dose) const {
  Illumination other = *this;
  other.level_ *= dose;
  return other;
}

double Illumination::at(std::int64_t y, std::int64_t x) const {
  // Twice the distances, which are whole numbers
  const auto down = static_cast<double>(2 * y + 1 - height_);
  const auto right = static_cast<double>(2 * x + 1 - width_);
  const auto corner = static_cast<double>(height_ * height_ + width_ * width_);
  const double lit = level_ * (1 - falloff_ * (down * down + right * right) / corner);
  return flat_field_.empty()
             ? lit
             : lit * static_cast<double>(flat_field_[static_cast<std::size_t>(y * width_ + x)]);
}

}  // namespace synthoscope::simulator
