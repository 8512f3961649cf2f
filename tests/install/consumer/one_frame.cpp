// SPDX-License-Identifier: MIT
// Describes a scene, plans it and makes a frame of it in memory, as a project that found
// synthoscope would. It includes every header of the face of `simulator`, see
// docs/reference/cpp.md.
#include <algorithm>
#include <cstdio>
#include "core/stream/memory_stream.hpp"
#include "fftconv/host/executor.hpp"
#include "simulator/calibration/calibrate.hpp"
#include "simulator/calibration/calibration_page.hpp"
#include "simulator/calibration/camera_toml.hpp"
#include "simulator/detector/camera.hpp"
#include "simulator/detector/camera_presets.hpp"
#include "simulator/finalize.hpp"
#include "simulator/optics/psf.hpp"
#include "simulator/phantom/phantom.hpp"
#include "simulator/report/data_set_reader.hpp"
#include "simulator/report/report.hpp"
#include "simulator/run/frame_maker.hpp"
#include "simulator/run/pipeline.hpp"
#include "simulator/run/rehearsal.hpp"
#include "simulator/scene/blur_setup.hpp"
#include "simulator/scene/channels.hpp"
#include "simulator/scene/file/inputs.hpp"
#include "simulator/scene/file/scene_file.hpp"
#include "simulator/scene/file/sweep.hpp"
#include "simulator/scene/keys.hpp"
#include "simulator/scene/scene.hpp"
#include "simulator/share/scene_share.hpp"
#include "simulator/sweep/run.hpp"
#include "simulator/sweep/share.hpp"
#include "simulator/timelapse/timelapse.hpp"

using namespace synthoscope;
using namespace synthoscope::simulator;

int main() {
  SceneSpec scene;
  scene.seed = 5;
  scene.grid = {{8, 32, 36}, {0.4, 0.2, 0.2}};
  scene.nuclei.count = 2;
  apply_override(scene, "nuclei.radius_um=1.1");
  apply_override(scene, "nuclei.gap_um=0.1");
  scene.camera = preset_camera(CameraPreset::none);
  require_valid(scene);

  TaskPool pool{1};
  MemoryBudget memory{1 << 28};
  NoProgress progress;
  NoLog log;
  StopFlag stop;
  const RunContext context{pool, memory, progress, log, stop};
  const auto blur = fftconv::make_host_executor({memory.limit()});
  const auto plans = plan_simulation(scene, blur->machine(), context);

  FrameMaker maker{scene, {}, *blur, context};
  Volume<std::uint16_t> labels{scene.grid.extent}, counts{maker.images().front().extent};
  maker.make(0, {labels.view(), {}, {{counts.view(), {}}}}, context);

  const auto objects = Timelapse{scene, context}.phantom(0, context).count();
  const auto most = *std::max_element(labels.voxels.begin(), labels.voxels.end());
  const auto brightest = *std::max_element(counts.voxels.begin(), counts.voxels.end());
  std::printf("%zu plan, %d objects, labels up to %d, counts up to %d\n", plans.size(),
              static_cast<int>(objects), most, brightest);
  const bool is_placed = objects == 2 && most == 2;
  return plans.size() == 1 && is_placed && brightest > scene.camera.offset_dn ? 0 : 1;
}
