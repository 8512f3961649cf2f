// SPDX-License-Identifier: MIT
// A PSF is computed once for data sets that share it, and its memory can be taken back.
#include "simulator/imaging/psf_memory.hpp"
#include <gtest/gtest.h>
#include "core/run/memory_budget.hpp"
#include "simulator/imaging/lens.hpp"
#include "simulator/scene/blur_setup.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::simulator {
namespace {

TEST(PsfMemory, ComputesOnceForAKey) {
  PsfMemory memory;
  int computed = 0;
  const auto compute = [&] {
    Psf psf;
    psf.focus_um = ++computed;
    return psf;
  };
  const auto first = memory.get("a", compute);
  EXPECT_EQ(memory.get("a", compute), first);
  EXPECT_EQ(computed, 1);
  EXPECT_EQ(memory.get("b", compute)->focus_um, 2);
  EXPECT_EQ(memory.get("a", compute)->focus_um, 3) << "only the last one is kept";
}

TEST(PsfMemory, GivesItsMemoryBack) {
  MemoryBudget budget{1000};
  PsfMemory memory;
  EXPECT_FALSE(memory.forget());
  const auto compute = [&] {
    Psf psf;
    psf.counted = budget.reserve(600, "a PSF");
    return psf;
  };
  (void)memory.get("a", compute);
  EXPECT_EQ(budget.used(), 600);
  (void)memory.get("b", compute);  // the first one goes before, or both would not fit
  EXPECT_EQ(budget.used(), 600);
  EXPECT_TRUE(memory.forget());
  EXPECT_EQ(budget.used(), 0);
}

/// The key of a scene's PSF.
std::string key_of(const SceneSpec& scene) {
  test::TestContext machine{1};
  const References references = references_of(scene, machine.pool);
  return ReferencePsfs{scene, references, {}}.key();
}

TEST(PsfMemory, HasAnotherKeyForEverythingThatChangesAPsf) {
  const SceneSpec scene;
  SceneSpec other = scene;
  other.nuclei.count = 3;
  other.camera.gain_dn_per_electron = 3;
  EXPECT_EQ(key_of(other), key_of(scene)) << "objects and camera do not";
  using Change = void (*)(SceneSpec&);
  for (const Change change : {
           Change{[](SceneSpec& s) { s.optics.na *= 0.9; }},
           Change{[](SceneSpec& s) { s.optics.wavelength_nm += 1; }},
           Change{[](SceneSpec& s) { s.optics.shift.x_um = 0.05; }},
           Change{[](SceneSpec& s) { s.optics.normalization = PsfNormalization::sum; }},
           Change{[](SceneSpec& s) { s.grid.pitch.z_um *= 2; }},
           Change{[](SceneSpec& s) { s.grid.extent.z += 8; }},
           Change{[](SceneSpec& s) { s.oversample = 3; }},
       }) {
    other = scene;
    change(other);
    EXPECT_NE(key_of(other), key_of(scene));
  }
}

}  // namespace
}  // namespace synthoscope::simulator
