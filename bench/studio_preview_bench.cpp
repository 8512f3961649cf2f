// SPDX-License-Identifier: MIT
// bench/studio_preview_bench.cpp — how soon does a preview show the change of a key, and how soon
// after a fresh start?
//
//   studio_preview_bench SCENE.toml [KEY=VALUE ...]
#include <fmt/format.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>
#include "bench/bench_host.hpp"
#include "fftconv/host/executor.hpp"
#include "simulator/scene/file/scene_file.hpp"
#include "studio/preview/preview.hpp"

namespace synthoscope {
namespace {

/// The median time of some rounds, with the stages of the last.
struct Timed {
  double seconds = 0;
  Stages stages;
};

double total(const Stages& stages) {
  double seconds = 0;
  for (const auto& [name, wall] : stages) seconds += wall;
  return seconds;
}

class Bench {
 public:
  Timed fresh(const simulator::SceneSpec& scene) const {
    return median([&] { return studio::Preview{*blur_}.make({scene}, host_.context).seconds; });
  }

  /// Times the change from `before` to `after`.
  Timed change(const simulator::SceneSpec& before, const simulator::SceneSpec& after) const {
    studio::Preview preview{*blur_};
    return median([&] {
      preview.make({before}, host_.context);
      return preview.make({after}, host_.context).seconds;
    });
  }

 private:
  template <class Round>
  static Timed median(Round&& round) {
    constexpr std::size_t kRounds = 5;
    std::vector<Timed> all;
    for (std::size_t i = 0; i < kRounds; ++i) {
      const Stages stages = round();
      all.push_back({total(stages), stages});
    }
    std::sort(all.begin(), all.end(),
              [](const Timed& a, const Timed& b) { return a.seconds < b.seconds; });
    return all[kRounds / 2];
  }

  bench::BenchHost host_;
  std::unique_ptr<fftconv::Executor> blur_ = fftconv::make_host_executor({host_.host.limit()});
};

void print(const std::string& what, const Timed& one, double fresh) {
  fmt::print("{:36} {:6.3f} s  {:4.0f} %  ", what, one.seconds, 100 * one.seconds / fresh);
  for (const auto& [stage, wall] : one.stages)
    if (wall >= 0.0005) fmt::print(" {} {:.3f}", stage, wall);
  fmt::print("\n");
}

int run(int count, char** arguments) {
  if (count < 2) {
    fmt::print(stderr, "usage: studio_preview_bench SCENE.toml [KEY=VALUE ...]\n");
    return EXIT_FAILURE;
  }
  const Bench bench;
  const auto scene = simulator::read_scene(arguments[1]);
  const Timed fresh = bench.fresh(scene);
  print("a fresh start", fresh, fresh.seconds);
  for (int i = 2; i < count; ++i) {
    simulator::SceneSpec changed = scene;
    simulator::apply_override(changed, arguments[i]);
    print(arguments[i], bench.change(scene, changed), fresh.seconds);
  }
  return EXIT_SUCCESS;
}

}  // namespace
}  // namespace synthoscope

int main(int count, char** arguments) try {
  return synthoscope::run(count, arguments);
} catch (const std::exception& error) {
  fmt::print(stderr, "studio_preview_bench: {}\n", error.what());
  return EXIT_FAILURE;
}
