// SPDX-License-Identifier: MIT
// Writes an image in another format or type, or a part of it.
#include <fmt/format.h>
#include <array>
#include "core/base/json.hpp"
#include "core/volume/interval.hpp"
#include "kernels/conversion/conversion.hpp"
#include "tools/commands/commands.hpp"
#include "tools/jobs/kernel_job.hpp"
#include "tools/options/rows.hpp"

namespace synthoscope::tools {
namespace {

/// A part of an axis: its first voxel, and the one after its last.
struct AxisPart {
  std::int64_t first = 0;
  std::optional<std::int64_t> end;  ///< none: to the end of the axis
};

/// Takes "10:20", "10:", ":20" or ":", as in Python. @param axis  "z"
AxisPart parse_part(std::string_view text, char axis) {
  const auto refuse = [&](std::string_view what) -> InvalidSpec {
    return InvalidSpec(fmt::format(
        "'{}' {} along {}; write FIRST:END with END above FIRST, such as 10:20 for ten voxels, 10: "
        "for all from 10 on, or : for all",
        text, what, axis));
  };
  const auto colon = text.find(':');
  if (colon == text.npos) throw refuse("is not a range");
  AxisPart part;
  try {
    if (colon > 0) part.first = parse_whole(text.substr(0, colon), 0);
    if (colon + 1 < text.size()) part.end = parse_whole(text.substr(colon + 1), 0);
  } catch (const InvalidSpec&) {
    throw refuse("has something else than whole numbers from 0 up");
  }
  if (part.end && *part.end <= part.first) throw refuse("has no voxel");
  return part;
}

/// @throws InvalidSpec  a part ends beyond the `size` voxels of its axis.
Interval interval_of(const AxisPart& part, std::int64_t size, char axis) {
  const std::int64_t end = part.end.value_or(size);
  if (end > size || part.first >= size)
    throw InvalidSpec(fmt::format(
        "convert: --crop asks for {}:{} along {}, and the image has {} voxels there; give FIRST "
        "from 0 to {} and END up to {}",
        part.first, part.end ? fmt::format("{}", *part.end) : "", axis, size, size - 1, size));
  return {part.first, end - part.first};
}

class Convert final : public Command {
 public:
  [[nodiscard]] std::string_view name() const override { return "convert"; }
  [[nodiscard]] std::string_view summary() const override {
    return "Writes an image in another format or type, or a part of it. Values are never rescaled; "
           "voxel size and channel are kept.";
  }
  void describe(OptionTable& table) override {
    job_.type_option = "--type";
    job_.input.without_choice = "all";
    job_.describe_files(table, "image or stack to convert");
    table.add(
        choice_row("type", type_,
                   {PixelType::int8, PixelType::uint8, PixelType::int16, PixelType::uint16,
                    PixelType::int32, PixelType::uint32, PixelType::float32, PixelType::float64},
                   "that of the image",
                   "type of the result's voxels; integers are rounded and clipped, and the "
                   "clipped voxels are counted"));
    table.add({"crop", "Z,Y,X", ":,:,:", "voxels",
               "part to take, as FIRST:END for each axis, from 0 and without END, as in Python: "
               "10:20,:,100:400",
               [this](std::string_view text) { take_crop(text); }});
    job_.describe_rest(table);
  }

 private:
  void run(const Invocation& invocation) override;
  void name_files(imageio::RunFiles& files) const override {
    job_.name_files(files, {job_.output});
  }
  void take_crop(std::string_view text);
  [[nodiscard]] Box3 part_of(const Extent3& image) const;

  KernelJobOptions job_;
  std::optional<PixelType> type_;
  std::array<AxisPart, 3> crop_;  ///< z, y, x
};

void Convert::take_crop(std::string_view text) {
  const auto parts = split_at_commas(text);
  if (parts.size() != crop_.size())
    throw InvalidSpec(
        fmt::format("'{}' has {} parts; write one for each of z, y and x, with "
                    "commas between them, such as :,100:400,100:400",
                    text, parts.size()));
  for (std::size_t axis = 0; axis < crop_.size(); ++axis)
    crop_[axis] = parse_part(parts[axis], "zyx"[axis]);
}

Box3 Convert::part_of(const Extent3& image) const {
  const Interval z = interval_of(crop_[0], image.z, 'z'), y = interval_of(crop_[1], image.y, 'y'),
                 x = interval_of(crop_[2], image.x, 'x');
  return {{z.first, y.first, x.first}, {z.count, y.count, x.count}};
}

void Convert::run(const Invocation& invocation) {
  // Open the first stack; the others follow when it is written
  std::shared_ptr<const TakenStacks> stacks;
  const auto open_first = [&](const std::filesystem::path& path,
                              const imageio::OpenOptions& options, const RunContext& context) {
    stacks = std::make_shared<const TakenStacks>(path, options, context);
    return stacks->open(0, context);
  };
  KernelJob job{name(), job_, {job_.output}, files_, invocation, open_first};
  job.set_stacks(stacks);

  const Box3 part = part_of(job.image().extent);
  const PixelType type = type_.value_or(job.image().type);
  const auto operation = kernels::conversion(part, type, job.image().extent);
  const Index3& from = part.origin;
  Json asked{{"crop", {from.z, from.y, from.x, part.size.z, part.size.y, part.size.x}},
             {"type", name_of(type)}};
  if (stacks->count() > 1) {
    asked["channels"] = stacks->channels();
    asked["frames"] = stacks->frames();
  }
  job.run(*operation, asked);
}

}  // namespace

std::unique_ptr<Command> make_convert() {
  return std::make_unique<Convert>();
}

}  // namespace synthoscope::tools
