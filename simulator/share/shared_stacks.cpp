// SPDX-License-Identifier: MIT
#include "simulator/share/shared_stacks.hpp"
#include <fmt/format.h>
#include <utility>
#include "core/base/error.hpp"
#include "imageio/create.hpp"
#include "imageio/image/file.hpp"
#include "imageio/image/name.hpp"
#include "imageio/output/lock_file.hpp"
#include "imageio/output/partial_file.hpp"
#include "imageio/run/shared_image.hpp"
#include "simulator/share/shared_work.hpp"

namespace synthoscope::simulator {
namespace {

namespace fs = std::filesystem;

/// A file that several processes write. `close` does not finish it; it notes what this process
/// wrote.
class PartOfStack final : public Sink {
 public:
  PartOfStack(std::unique_ptr<imageio::ImageFile> file, SharedStack stack,
              std::vector<SharedStack>& written)
      : file_{std::move(file)}, stack_{std::move(stack)}, written_{written} {}
  [[nodiscard]] Extent3 extent() const override { return file_->extent(); }
  [[nodiscard]] PixelType pixel_type() const override { return file_->pixel_type(); }
  [[nodiscard]] BoxOrder accepts() const override { return file_->accepts(); }
  void write(const Box3& box, ConstVoxelView voxels) override { file_->write(box, voxels); }
  void close() override {
    stack_.state = file_->checkpoint();
    file_->sync();
    written_.push_back(stack_);
  }

 private:
  std::unique_ptr<imageio::ImageFile> file_;
  SharedStack stack_;
  std::vector<SharedStack>& written_;
};

fs::path path_of(const StackFiles& files, const fs::path& folder, const SharedStack& stack) {
  return folder / files.file(stack.name, 0, stack.channel);
}

imageio::ImageSpec shared_spec(const StackFiles& files, const SharedStack& stack) {
  auto spec = files.spec(stack.name, stack.type, stack.channel);
  spec.shared = true;
  return spec;
}

bool is_finished(const fs::path& path) {
  return fs::exists(imageio::file_of(path));
}

/// Returns the state of an empty file, which is created by the process that is the first to ask.
std::string begun_state(const StackFiles& files, const fs::path& path, const SharedStack& stack,
                        const fs::path& lock_path) {
  imageio::LockFile lock{lock_path};
  auto begun = begun_at(lock);
  if (!begun)
    throw IoError(
        fmt::format("share {}: what was begun was removed meanwhile; run the command of every "
                    "shard again",
                    path.string()));
  const std::string name = path.filename().string();
  if (begun->contains("stacks") && begun->at("stacks").contains(name))
    return read_begun(lock_path, [&] { return begun->at("stacks").at(name).get<std::string>(); });
  fs::create_directories(path.parent_path());
  const auto file = imageio::create_image(path, files.spec(stack.name, stack.type, stack.channel));
  const std::string state = file->checkpoint();
  (*begun)["stacks"][name] = state;
  lock.write(text_of(*begun));
  file->keep(true);
  return state;
}

}  // namespace

Json to_json(const SharedStack& stack) {
  return {{"name", stack.name},
          {"channel", stack.channel},
          {"type", name_of(stack.type)},
          {"state", stack.state}};
}

SharedStack shared_stack_of(const Json& json) {
  const auto type = pixel_type_named(json.at("type").get<std::string>());
  if (!type) throw InvalidSpec("share: the type of a stack is unknown");
  return {json.at("name").get<std::string>(), json.at("channel").get<std::size_t>(), *type,
          json.at("state").get<std::string>()};
}

std::unique_ptr<Sink> SharedStacks::create_stack(std::string_view name, std::int64_t frame,
                                                 PixelType type, std::size_t channel) const {
  SYNTHOSCOPE_ASSERT(frame, ==, 0);
  SharedStack stack{std::string{name}, channel, type, {}};
  const fs::path path = path_of(shared_, folder_, stack);
  const std::string state = begun_state(shared_, path, stack, lock_);
  return std::make_unique<PartOfStack>(
      imageio::resume_image(path, shared_spec(shared_, stack), state), std::move(stack), written_);
}

void finish_shared_stack(const StackFiles& files, const fs::path& folder,
                         const std::vector<SharedStack>& parts) {
  const fs::path path = path_of(files, folder, parts.front());
  if (is_finished(path)) return;
  std::vector<std::string> states;
  for (const SharedStack& part : parts) states.push_back(part.state);
  imageio::resume_image(path, shared_spec(files, parts.front()),
                        imageio::joined_states(path, states))
      ->close();
}

bool is_as_written(const StackFiles& files, const fs::path& folder, const SharedStack& part) try {
  const fs::path path = path_of(files, folder, part);
  if (!is_finished(path))
    static_cast<void>(imageio::resume_image(path, shared_spec(files, part), part.state));
  return true;
} catch (const imageio::LeftoverChanged&) {
  return false;
}

}  // namespace synthoscope::simulator
