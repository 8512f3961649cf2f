// SPDX-License-Identifier: MIT
// fftconv/plan/cuts/turns.hpp — how a ring of planes moves along z: overlap-save on plane spectra.
#pragma once
#include <cstdint>
#include <vector>
#include "core/volume/interval.hpp"
#include "fftconv/plan/cuts/layout.hpp"

namespace synthoscope::fftconv {

/// One filling of the ring. Positions are those of the z axis; position p is in slot p mod
/// layout.ring_planes of the ring and at p mod T of the columns' transform, result v at v mod T.
struct Turn {
  Interval load;    ///< positions that come new
  Interval window;  ///< positions that the results need; all are in the ring once `load` is
  Interval result;
  friend bool operator==(const Turn&, const Turn&) = default;
};

/// Every result once, in order; every loaded position once, in order, unless no result needs it.
/// @source overlap-save: Oppenheim & Schafer, Discrete-Time Signal Processing, 3rd ed., 8.7.3.
std::vector<Turn> turns_of(const Layout& layout);

/// Where element e of a column's transform is gathered from in the ring, in Reals; kOutside where
/// the turn has no plane for it.
std::vector<std::int64_t> ring_offsets(const Layout& layout, const Turn& turn);

/// For every result of the turn, the positions (in Reals) of the image planes that kernel planes 0,
/// 1, ... are multiplied with; kOutside if there is none. Kernel_count of them a result.
std::vector<std::int64_t> partner_offsets(const Layout& layout, const Turn& turn);

/// Where element e of a column's transform goes among the turn's result planes; kOutside where it
/// is no result.
std::vector<std::int64_t> result_offsets(const Layout& layout, const Turn& turn);

}  // namespace synthoscope::fftconv
