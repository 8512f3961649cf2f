// SPDX-License-Identifier: MIT
#include "studio/form/same_data_set.hpp"
#include <gtest/gtest.h>
#include <string>
#include "core/base/error.hpp"

namespace synthoscope::studio {
namespace {

TEST(SameDataSet, CommandLinesQuoteWhatShellsWouldChange) {
  EXPECT_EQ(command_line_of({.file = "scene.toml"}), "synthoscope simulate scene.toml -o data");
  EXPECT_EQ(command_line_of({.file = "scene.toml", .seed = 7}),
            "synthoscope simulate scene.toml -o data --seed 7");
  EXPECT_EQ(command_line_of({.file = "my scene.toml"}),
            "synthoscope simulate 'my scene.toml' -o data");
  EXPECT_EQ(command_line_of({.file = "it's.toml"}), "synthoscope simulate 'it'\\''s.toml' -o data");
  EXPECT_EQ(command_line_of({.file = "-o.toml"}), "synthoscope simulate ./-o.toml -o data");
}

TEST(SameDataSet, PythonSimulatesScenes) {
  EXPECT_EQ(python_lines_of("seed = 1", {.file = "a=\"b\".toml"}),
            "import pathlib\nimport synthoscope\n\n"
            "data = synthoscope.simulate(pathlib.Path(\"a=\\\"b\\\".toml\"), \"data\")\n");
  EXPECT_EQ(python_lines_of("", {.file = "scene.toml", .seed = 5}),
            "import pathlib\nimport synthoscope\n\n"
            "data = synthoscope.simulate(pathlib.Path(\"scene.toml\"), \"data\", seed=5)\n");
}

TEST(SameDataSet, HasTheOptionsThatAreChosen) {
  const DataSetCommand chosen{.file = "scene.toml",
                              .output = "my set",
                              .format = "zarr",
                              .truth_layout = "ctc",
                              .overwrite = true};
  EXPECT_EQ(command_line_of(chosen),
            "synthoscope simulate scene.toml -o 'my set' --format zarr --truth-layout ctc "
            "--overwrite");
  EXPECT_EQ(python_lines_of("", chosen),
            "import pathlib\nimport synthoscope\n\n"
            "data = synthoscope.simulate(pathlib.Path(\"scene.toml\"), \"my set\", "
            "format=\"zarr\", truth_layout=\"ctc\", overwrite=True)\n");
}

TEST(SameDataSet, PythonCallsTheProgramForSweeps) {
  EXPECT_EQ(python_lines_of("[sweep]\nrepeats = 2\n", {.file = "scene.toml"}),
            "import subprocess\n\nsubprocess.run([\"synthoscope\", \"simulate\", \"scene.toml\", "
            "\"-o\", \"data\"], check=True)\n");
  EXPECT_THROW(static_cast<void>(python_lines_of("[sweep]\n", {.file = "scene.toml"})),
               InvalidSpec);
}

}  // namespace
}  // namespace synthoscope::studio
