// SPDX-License-Identifier: MIT
// simulator/share/shared_stacks.hpp — photons and counts of the only frame of a scene, in files
// that several processes write together.
#pragma once
#include <filesystem>
#include <memory>
#include <string>
#include <vector>
#include "core/base/json.hpp"
#include "simulator/data_set/data_set.hpp"
#include "simulator/imaging/stacks.hpp"

namespace synthoscope::simulator {

/// What a process wrote of a shared stack.
struct SharedStack {
  std::string name;         ///< "photons" or "image"
  std::size_t channel = 0;  ///< counts those that are imaged
  PixelType type{};
  std::string state;  ///< of ImageFile::checkpoint
};
Json to_json(const SharedStack& stack);
/// @throws Json::exception, InvalidSpec  it is not what to_json makes.
SharedStack shared_stack_of(const Json& json);

/// Where a process of several puts what it images: photons and counts into files that all of them
/// write, anything else into its own data set. The first that needs a file creates it, and says so
/// in the lock file of the work.
class SharedStacks final : public Stacks {
 public:
  /// All references must outlive this.
  /// @param folder  of the shared files
  SharedStacks(const DataSet& own, const StackFiles& shared, const std::filesystem::path& folder,
               const std::filesystem::path& lock)
      : own_{own}, shared_{shared}, folder_{folder}, lock_{lock} {}

  /// Makes "photons" or "image" of the only frame. `close` of it leaves the file to the others.
  [[nodiscard]] std::unique_ptr<Sink> create_stack(std::string_view name, std::int64_t frame,
                                                   PixelType type,
                                                   std::size_t channel = 0) const override;
  [[nodiscard]] std::unique_ptr<Source> open_stack(std::string_view name, std::int64_t frame,
                                                   std::size_t channel = 0) const override {
    return own_.open_stack(name, frame, channel);
  }
  [[nodiscard]] std::unique_ptr<Sink> create_psf(const Extent3& extent, const Index3& centre,
                                                 std::size_t channel = 0,
                                                 std::size_t reference = 0) const override {
    return own_.create_psf(extent, centre, channel, reference);
  }
  [[nodiscard]] std::unique_ptr<Source> open_psf(std::size_t channel,
                                                 std::size_t reference) const override {
    return own_.open_psf(channel, reference);
  }
  [[nodiscard]] std::filesystem::path scratch_folder() const override {
    return own_.scratch_folder();
  }

  /// Returns the stacks that were closed.
  [[nodiscard]] const std::vector<SharedStack>& written() const { return written_; }

 private:
  const DataSet& own_;
  const StackFiles& shared_;
  const std::filesystem::path &folder_, &lock_;
  mutable std::vector<SharedStack> written_;
};

/// Finishes the file of a stack that several processes wrote, unless an earlier call did.
/// @param parts  the same stack, as each process wrote it
/// @throws imageio::LeftoverChanged  what one of them wrote was changed.  @throws IoError
void finish_shared_stack(const StackFiles& files, const std::filesystem::path& folder,
                         const std::vector<SharedStack>& parts);

/// Returns whether a process's part of the file is as it was written, or the file is finished.
bool is_as_written(const StackFiles& files, const std::filesystem::path& folder,
                   const SharedStack& part);

}  // namespace synthoscope::simulator
