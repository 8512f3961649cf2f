// SPDX-License-Identifier: MIT
// simulator/phantom/mitosis/condensed_chromatin.hpp — how mitosis changes the stain of a nucleus;
// compiled for host and devices.
#pragma once

namespace synthoscope::simulator {

/// How mitosis changes the stain of a nucleus. Plain data.
struct CondensedChromatin {
  double density = 1;    ///< stain per volume relative to interphase
  double condensed = 0;  ///< 0: the stain of interphase; 1: that of condensed chromatin
  double threads = 0;    ///< contrast of the threads of condensed chromatin, 0 ... 1
  double arms = 0;       ///< 0: a smooth surface; 1: arms of chromosomes reach out of it
};

}  // namespace synthoscope::simulator
