// SPDX-License-Identifier: MIT
// tests/unit/simulator/run/pipeline_case.hpp — a small scene, and a folder to simulate it into.
#pragma once
#include <gtest/gtest.h>
#include <unistd.h>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>
#include "core/stream/memory_stream.hpp"
#include "fftconv/host/executor.hpp"
#include "imageio/open.hpp"
#include "simulator/run/pipeline.hpp"
#include "simulator/scene/file/scene_file.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::simulator {

namespace fs = std::filesystem;

inline SceneSpec tiny_scene() {
  return parse_scene(
      "seed = 5\n[grid]\nsize = [12, 40, 44]\npitch_nm = [400, 200, 200]\n"
      "[nuclei]\ncount = 3\nradius_um = 1.3\ngap_um = 0.1\nphotons_per_um3 = 3000\n"
      "[optics]\nna = 0.8\nimmersion_index = 1.33\nsize = [9, 21, 21]\n",
      "tiny");
}

class Pipeline : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::temp_directory_path() /
              ("synthoscope_" + std::to_string(::getpid()) + "_" + test->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  SimulationReport run(const SceneSpec& scene, const SimulateOptions& options, int threads = 2) {
    test::TestContext run{threads};
    const auto executor = fftconv::make_host_executor({run.memory.limit()});
    return simulate(scene, options, *executor, run.context);
  }
  SimulationReport run(const SceneSpec& scene, const char* name, int threads = 2) {
    return run(scene, {.directory = folder_ / name, .plans = {}}, threads);
  }

  static std::string bytes_of(const fs::path& path) {
    std::ifstream file{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
  }
  template <class T>
  static Volume<T> read(const fs::path& path) {
    const auto image = imageio::open_image(path);
    Volume<T> voxels{image.info.extent};
    image.source->read(whole(image.info.extent), VoxelView{voxels.view()});
    return voxels;
  }
  [[nodiscard]] std::vector<std::string> entries() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator{folder_})
      names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }

  fs::path folder_;
};

}  // namespace synthoscope::simulator
