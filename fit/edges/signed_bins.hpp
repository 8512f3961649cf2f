// SPDX-License-Identifier: MIT
// fit/edges/signed_bins.hpp — mean grey levels at distances from a border, on both sides of it.
#pragma once
#include <array>
#include <optional>
#include <vector>

namespace synthoscope::fit {

/// Number of samples of an edge on each side of its middle.
inline constexpr int kEdgeSamples = 4;

/// Levels across an edge at k / kEdgeSamples times a reach, k from -kEdgeSamples (inside) to
/// kEdgeSamples (outside), from the place where the level is half: 1 is the level inside, 0
/// outside.
using EdgeProfile = std::array<double, 2 * kEdgeSamples + 1>;

/// An edge whose levels are not scaled yet, so that several edges can be added.
struct UnscaledEdge {
  EdgeProfile above_outside{};  ///< levels less the level outside
  double step = 0;              ///< level inside less the level outside
  double outset = 0;            ///< distance of its middle from the border, above 0 outside
};

/// The mean edge of an object.
struct ObjectEdge {
  EdgeProfile levels{};
  double outset = 0;  ///< how far outside of the border the level is half, in the unit of bins
};

/// Collects grey values by their signed distance from a border: below 0 inside, above 0 outside.
/// Bins are one unit apart; a value counts in its two neighbours.
class SignedBins {
 public:
  /// @param reach  distances up to kOutsideReaches times this are kept; in bins
  explicit SignedBins(double reach);

  static constexpr double kOutsideReaches = 3;  ///< so far from the border levels are constant

  void add(double distance, double value);

  /// Returns the mean level at a distance, linear between bins; nothing where no value was added.
  [[nodiscard]] std::optional<double> level(double distance) const;

  /// Returns the edge around the place where the level is half way between inside and outside: a
  /// border that is drawn too far out or in gives the same edge. The level outside is the mean from
  /// `outside_from` to kOutsideReaches reaches; inside it is the mean of all that lies at least
  /// half as deep as the deepest value, or two reaches deep. Nothing if there is no such place, if
  /// samples are missing, or if noise hides the step.
  [[nodiscard]] std::optional<UnscaledEdge> edge(double outside_from) const;

 private:
  struct Bin {
    double weight = 0, sum = 0, squares = 0;
  };
  [[nodiscard]] Bin between(double from, double to) const;
  [[nodiscard]] std::optional<double> crossing(double level) const;
  [[nodiscard]] const Bin* bin_at(long place) const;

  double reach_;
  long first_;
  std::vector<Bin> bins_;
};

/// Returns the mean of edges, each with the weight of its step; nothing without edges.
std::optional<ObjectEdge> mean_edge(const std::vector<UnscaledEdge>& edges);

/// Returns how far apart the levels 0.9 and 0.1 are, in the unit of `reach`; the whole length of
/// the profile at most.
double rise_of(const EdgeProfile& profile, double reach);

}  // namespace synthoscope::fit
