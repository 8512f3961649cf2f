// SPDX-License-Identifier: MIT
#include "fftconv/plan/cuts/ring_turns.hpp"
#include <gtest/gtest.h>
#include "fftconv/plan/cuts/candidates.hpp"

namespace synthoscope::fftconv {
namespace {

Problem tall(std::int64_t image, std::int64_t kernel, std::int64_t center, Boundary boundary) {
  Problem p;
  p.image = {image, 4, 4};
  p.kernel = {kernel, 1, 1};
  p.center = {center, 0, 0};
  p.boundary = boundary;
  return p;
}

TEST(Turns, LoadEveryPositionOnceAndGiveEveryResultOnceInOrder) {
  for (const auto boundary : {Boundary::zero, Boundary::reflect})
    for (const std::int64_t kernel : {1, 2, 5, 8})
      for (const std::int64_t center : {std::int64_t{0}, kernel / 2, kernel - 1}) {
        const Problem work = tall(30, kernel, center, boundary);
        for (const Candidate& ring : ring_candidates(work)) {
          const Layout layout = make_layout(work, ring.transform, ring.cut);
          std::int64_t loaded = 0, given = 0;
          for (const RingTurn& turn : ring_turns_of(layout)) {
            EXPECT_TRUE(turn.load.count == 0 || turn.load.first == loaded);
            loaded = std::max(loaded, turn.load.end());
            EXPECT_EQ(turn.result.first, given);
            given = turn.result.end();
            EXPECT_LE(turn.window.count, layout.ring_planes);
            EXPECT_LE(turn.window.end(), loaded) << "a plane is used before it comes";
          }
          EXPECT_EQ(loaded, layout.z.loaded);
          EXPECT_EQ(given, layout.z.wanted);
        }
      }
}

TEST(Turns, GatherThePlanesOfTheirWindowAndNoOther) {
  const Problem work = tall(50, 5, 2, Boundary::zero);
  for (const Candidate& ring : ring_candidates(work)) {
    const Layout layout = make_layout(work, ring.transform, ring.cut);
    if (layout.direct_z) continue;
    for (const RingTurn& turn : ring_turns_of(layout)) {
      std::int64_t gathered = 0, scattered = 0;
      for (const std::int64_t offset : ring_offsets(layout, turn)) gathered += offset >= 0;
      for (const std::int64_t offset : result_offsets(layout, turn)) scattered += offset >= 0;
      EXPECT_EQ(gathered, turn.window.count);
      EXPECT_EQ(scattered, turn.result.count);
    }
  }
}

TEST(Turns, GiveEveryResultOfAThinKernelItsPartnersInTheRing) {
  const Problem work = tall(50, 5, 2, Boundary::zero);
  Cut cut{wanted_extent(work)};
  cut.result.z = 7;
  cut.direct_z = true;
  const Layout layout = make_layout(work, {1, 4, 4}, cut);
  EXPECT_EQ(layout.ring_planes, 7 + 5 - 1);
  for (const RingTurn& turn : ring_turns_of(layout)) {
    const auto partners = partner_offsets(layout, turn);
    for (std::int64_t v = 0; v < turn.result.count; ++v)
      for (std::int64_t k = 0; k < 5; ++k) {
        // h[v] = sum over k of f[v + 2 - k] g[k]
        const std::int64_t p = turn.result.first + v + 2 - k;
        const bool exists = p >= 0 && p < 50;
        EXPECT_EQ(partners[static_cast<std::size_t>(v * 5 + k)],
                  exists ? p % 11 * layout.plane_reals : kOutside);
      }
  }
}

TEST(Turns, AreOneInCore) {
  const Problem work = tall(30, 7, 3, Boundary::zero);
  const auto turns = ring_turns_of(make_layout(work, {40, 4, 4}));
  ASSERT_EQ(turns.size(), 1U);
  EXPECT_EQ(turns[0].load, (Interval{0, 30}));
  EXPECT_EQ(turns[0].result, (Interval{0, 30}));
}

}  // namespace
}  // namespace synthoscope::fftconv
