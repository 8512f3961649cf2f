// SPDX-License-Identifier: MIT
// deconvolution/device/field_parts.hpp — a field cut in parts, each for a GPU.
//
// A part of the field receives light from the places around it, as the whole field does. With F_g
// the part and H_g its rows of H,
//
//     (H u)_g = H_g u      needs u only where light reaches F_g: on F_g and K - 1 places beyond it
//     H^T r   = sum of H_g^T r_g
//
// so that two neighbours share the estimate on K - 1 places, where H^T r has a term from each. Both
// add the two, and then have the same estimate there: nothing else is exchanged in an iteration.
#pragma once
#include <vector>
#include "core/volume/interval.hpp"
#include "deconvolution/iteration/geometry.hpp"
#include "fftconv/axis.hpp"

namespace synthoscope::deconvolution {

/// A part of the field, and the places that it receives light from.
struct FieldPart {
  Geometry geometry;  ///< of the part alone
  Box3 field;         ///< in the whole field
  Box3 estimate;      ///< in the whole estimate
  Box3 own;           ///< of these places, those that no later part has: each place is owned once
};

/// Cuts a field along an axis in parts that differ by one voxel at most.
/// @param count  so many that a part is not shorter than what it shares with a neighbour:
///               see most_parts
std::vector<FieldPart> parts_of_field(const Geometry& geometry, const fftconv::VolumeAxis& axis,
                                      std::int64_t count);

/// Returns the most parts of two voxels or more in which a place belongs to two of them at most; 1
/// where edges wrap.
std::int64_t most_parts(const Geometry& geometry, const fftconv::VolumeAxis& axis);

/// Returns the places of `part` that it shares with `other`, relative to its own estimate; empty if
/// they are no neighbours.
Box3 shared_places(const FieldPart& part, const FieldPart& other);

}  // namespace synthoscope::deconvolution
