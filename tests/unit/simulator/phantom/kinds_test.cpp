// SPDX-License-Identifier: MIT
// The list of kinds: its folds, its order in keys and in records, and the bits of bodies on
// devices.
#include "simulator/phantom/kinds.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <bit>
#include <concepts>
#include <set>
#include <string>
#include <vector>
#include "simulator/phantom/flat/plain_phantom.hpp"
#include "simulator/scene/keys.hpp"

namespace synthoscope::simulator {
namespace {

using Names = std::vector<std::string>;

Names names_of_kinds() {
  Names names;
  Kinds::for_each([&]<class Kind>(Kind) { names.emplace_back(Kind::kName); });
  return names;
}

struct Two {
  static constexpr std::int64_t kCount = 2;
};
struct Three {
  static constexpr std::int64_t kCount = 3;
};

TEST(KindList, FoldsOverAllKindsInTheirOrder) {
  using Both = KindList<Three, Two>;
  std::vector<std::int64_t> seen;
  Both::for_each([&]<class Kind>(Kind) { seen.push_back(Kind::kCount); });
  EXPECT_EQ(seen, (std::vector<std::int64_t>{3, 2}));
  EXPECT_EQ(Both::sum([]<class Kind>(Kind) { return Kind::kCount; }), 5);
  EXPECT_TRUE(Both::any([]<class Kind>(Kind) { return Kind::kCount == 2; }));
  EXPECT_FALSE(Both::any([]<class Kind>(Kind) { return Kind::kCount == 4; }));
}

TEST(Kinds, HaveTheTablesOfKeysInTheirOrder) {
  const Names kinds = names_of_kinds();
  Names tables;
  for (const SceneKey& key : scene_keys())
    if (std::find(kinds.begin(), kinds.end(), key.table) != kinds.end() &&
        (tables.empty() || tables.back() != key.table))
      tables.push_back(key.table);
  EXPECT_EQ(tables, kinds);
}

TEST(Kinds, AreRecordedInAnOrderThatIsFixedByContract) {
  Names names;
  for_each_in_records([&]<class Kind>(Kind) { names.emplace_back(Kind::kName); });
  EXPECT_EQ(names, (Names{"nuclei", "beads", "target", "volume", "cells", "tissue", "neuron",
                          "adherent"}));
}

TEST(Kinds, GiveNoLightWithoutLight) {
  Kinds::for_each([]<class Kind>(Kind) {
    EXPECT_EQ(Kind::weight(no_light()), 0) << Kind::kName;
    EXPECT_EQ(Kind::weight(LightSpec{}), 1) << Kind::kName;
  });
}

TEST(PlainBodies, HaveABitEach) {
  using namespace device;
  const std::set<int> bits{kStrand,
                           kLightOfNoObject,
                           PlainBodies::bit_of<NucleusBody>(),
                           PlainBodies::bit_of<CellBody>(),
                           PlainBodies::bit_of<BeadBody>(),
                           PlainBodies::bit_of<PointBody>(),
                           PlainBodies::bit_of<LineBody>(),
                           PlainBodies::bit_of<ShellBody>(),
                           PlainBodies::bit_of<StarBody>(),
                           PlainBodies::bit_of<RegionBody>(),
                           PlainBodies::bit_of<TissueCellBody>(),
                           PlainBodies::bit_of<AdherentBody>()};
  EXPECT_EQ(bits.size(), 12U);
  int all = 0;
  for (const int bit : bits) {
    EXPECT_TRUE(std::has_single_bit(static_cast<unsigned>(bit))) << bit;
    all |= bit;
  }
  EXPECT_EQ(all, PlainBodies::kEvery);
}

TEST(PlainBodies, LoadHarmonicsForBodiesWithLobesAlone) {
  using namespace device;
  EXPECT_TRUE(PlainBodies::have_lobes<PlainBodies::bit_of<TissueCellBody>()>());
  EXPECT_TRUE(PlainBodies::have_lobes<(kStrand | PlainBodies::bit_of<CellBody>())>());
  EXPECT_FALSE(PlainBodies::have_lobes<(kStrand | PlainBodies::bit_of<BeadBody>())>());
}

TEST(SceneSpec, IsNotComparedByItsObjectsAlone) {
  EXPECT_TRUE(std::equality_comparable<PhantomSpec>);
  EXPECT_FALSE(std::equality_comparable<SceneSpec>);
}

}  // namespace
}  // namespace synthoscope::simulator
