// SPDX-License-Identifier: MIT
// What tests/python/simulate/cli_annotations.py cannot see of the tables for other programs.
#include "simulator/data_set/annotations.hpp"
#include <gtest/gtest.h>
#include "simulator/scene/file/scene_file.hpp"

namespace synthoscope::simulator {
namespace {

using Names = std::vector<std::string>;

SceneSpec scene_of(const std::string& keys) {
  return parse_scene("[grid]\nsize = [1, 64, 80]\npitch_nm = [800, 250, 250]\n" + keys, "scene");
}

struct ClassesCase {
  std::string keys;
  Names classes;
};

TEST(ObjectClasses, AreThoseThatTheSceneHasInTheOrderOfKinds) {
  const ClassesCase kCases[] = {
      {"[nuclei]\ncount = 0\n", {}},
      {"[beads]\ncount = 3\n[nuclei]\ncount = 2\n", {"nucleus", "bead"}},
      {"[cells]\ncount = 1\n[tissue]\ncount = 2\n[nuclei]\ncount = 0\n", {"cell"}},
      {"[target]\nkind = \"points\"\n[nuclei]\ncount = 0\n", {"point"}},
      {"[target]\nkind = \"lines\"\n[nuclei]\ncount = 0\n", {"line"}},
      {"[target]\nkind = \"shells\"\nspacing_um = [0.7, 4, 4]\ndiameter_um = 0.7\n"
       "thickness_um = 0.2\n[nuclei]\ncount = 0\n",
       {"shell"}},
      {"[target]\nkind = \"star\"\n[nuclei]\ncount = 0\n", {"star"}},
  };
  for (const auto& [keys, classes] : kCases)
    EXPECT_EQ(object_classes(scene_of(keys)), classes) << keys;
}

TEST(AnnotationBytes, CountThePlaneOfMasksIfBoxesAreMade) {
  const SceneSpec scene = scene_of("[nuclei]\ncount = 2\n");
  EXPECT_EQ(annotation_bytes(scene, TruthLayout::stardist), 0);
  EXPECT_GT(annotation_bytes(scene, TruthLayout::napari), 0);
  for (const TruthLayout layout : {TruthLayout::coco, TruthLayout::yolo})
    EXPECT_GT(annotation_bytes(scene, layout),
              annotation_bytes(scene, TruthLayout::napari) + 64 * 80 * 2);
}

}  // namespace
}  // namespace synthoscope::simulator
