// SPDX-License-Identifier: MIT
// simulator/phantom/neurons/neuron.hpp — a nerve cell: connected tubes, evenly stained.
#pragma once
#include <string_view>
#include <utility>
#include "simulator/phantom/strands/strand.hpp"

namespace synthoscope::simulator {

/// Soma, dendrites and axon as one strand.
class Neuron {
 public:
  static constexpr std::string_view kClass = "neuron";
  static constexpr bool kIsStrands = true;

  Neuron(Strand strand, double photons_per_um3)
      : strand_{std::move(strand), photons_per_um3, Structure::other, true},
        bounds_{strand_.strand.bounds()},
        moments_{strand_.strand.moments()} {}

  void move_by(const Vector3& way) {
    strand_.strand.place_points([&](const Vector3& p) { return p + way; });
    bounds_ = {bounds_.low + way, bounds_.high + way};
    moments_.centroid_um = moments_.centroid_um + way;
  }

  [[nodiscard]] std::span<const StainedStrand> strands() const { return {&strand_, 1}; }
  [[nodiscard]] Bounds bounds() const { return bounds_; }
  [[nodiscard]] bool contains(const Vector3& point) const { return strand_.strand.contains(point); }
  [[nodiscard]] Vector3 centroid() const { return moments_.centroid_um; }
  [[nodiscard]] double volume_um3() const { return moments_.volume_um3; }

 private:
  StainedStrand strand_;
  Bounds bounds_;
  Strand::Moments moments_;
};

}  // namespace synthoscope::simulator
