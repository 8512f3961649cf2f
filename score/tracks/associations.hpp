// SPDX-License-Identifier: MIT
// score/tracks/associations.hpp — whether objects that belong together over time do so in a result:
// HOTA and CHOTA.
#pragma once
#include "score/tracks/vertex_matches.hpp"

namespace synthoscope::score {

/// Both measures are the square root of the mean association A of all detections. A detection is a
/// match, a true object without a match, or a result that matches nothing; the last two have A = 0.
/// A match belongs to a set of true objects and to a set of results. Its A is the number of matches
/// between the two sets, over the number of detections in one or both of them.
///
/// For HOTA these sets are the two tracks of the match; for CHOTA they also contain all ancestors
/// and all descendants of these tracks. A parent and its only child count as one track. HOTA was
/// published as a mean over thresholds of the overlap; here objects match by the detection test of
/// the challenge, as CHOTA prescribes. Both are 1 if there is no object and no result, and 0 if
/// only one of them is absent.
/// @source  HOTA: J. Luiten et al., Int. J. Computer Vision 129 (2021) 548-578,
///          doi:10.1007/s11263-020-01375-2. CHOTA: T. O. Kaiser et al., "CHOTA: a higher order
///          accuracy metric for cell tracking", arXiv:2408.11571 (2024).
struct Associations {
  double hota = 0, chota = 0;
};

Associations associations(const VertexMatches& matches);

}  // namespace synthoscope::score
