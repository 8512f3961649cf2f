// SPDX-License-Identifier: MIT
// simulator/data_set/simulate_options.hpp — options of a simulation that are not part of its scene.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>
#include "core/cuda/runtime/device.hpp"
#include "fftconv/executor.hpp"
#include "imageio/create.hpp"
#include "imageio/run/input_identity.hpp"
#include "simulator/base/frames.hpp"
#include "simulator/data_set/layout.hpp"

namespace synthoscope::simulator {

class PsfMemory;

/// Where a data set goes and how its files are written; nothing here changes a voxel.
struct SimulateOptions {
  std::filesystem::path directory;
  bool overwrite = false;
  imageio::TiffFlavor flavor = imageio::TiffFlavor::ome;
  imageio::FileFormat format = imageio::FileFormat::tiff;
  imageio::Compression compression = imageio::Compression::none;
  std::optional<Extent3> chunks = {};        ///< of HDF5 files
  TruthLayout layout = TruthLayout::native;  ///< images and masks are plain TIFF in others
  bool keep_photons = true;                  ///< noise-free photons are a part of the finished set
  bool join_channels = false;  ///< one TIFF file for all channels of a frame; always for cellpose
  /// Frames to make if not all, as one of several machines. They have the same bytes and names as
  /// in the whole set. Tables hold only these frames, except pattern.csv and, for a movie, its
  /// tracks and world.h5, which hold all.
  std::optional<FrameRange> frames = {};
  std::optional<std::string> channel = {};  ///< of a scene with channels: images of this one only
  std::vector<fftconv::Plan> plans = {};    ///< plans to run, one per channel; empty: make them
  fftconv::Strategy strategy = fftconv::Strategy::automatic;  ///< for plans that are made
  std::int64_t parts = 0;                                     ///< for strategy parts; 0: chosen
  std::optional<fftconv::FftLibrary> fft = {};  ///< of plans that are made; empty: chosen
  std::filesystem::path scratch =
      {};                  ///< for data that do not fit in memory; empty: the set's folder
  bool any_place = false;  ///< accept an existing set that another device blurred
  std::optional<cuda::DeviceInfo> device = {};  ///< runs plans for a GPU, and makes labels
  /// Everything that the run reads, noted before it is read and compared before a set gets its
  /// name. Null: the files that the scene names, noted at the beginning.
  const imageio::InputsAsRead* inputs = nullptr;
  /// Folder with the finished photons and counts of the only frame, which get a second name in the
  /// set; empty: they are made.
  std::filesystem::path recorded = {};
  PsfMemory* psfs = nullptr;  ///< keeps the PSF for the next data set; null: it is not kept
};

}  // namespace synthoscope::simulator
