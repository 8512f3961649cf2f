// SPDX-License-Identifier: MIT
// kernels/bank_tiles.hpp — all responses of a bank of filters to a tile of an image, made by one
// thread in its caches.
#pragma once
#include <memory>
#include <vector>
#include "kernels/bank_fields.hpp"

namespace synthoscope::kernels {

/// Responses [first, last) of a bank.
struct ResponseRange {
  std::int64_t first = 0, last = 0;
};

class BankTiles {
 public:
  /// A group whose fields are operations.
  struct Group {
    BankAnswer answer = BankAnswer::itself;
    std::vector<std::unique_ptr<TiledOperation>> fields;
    std::vector<float> mean_shares;  ///< as FieldGroup has them
    std::int64_t first = 0;          ///< of its responses
  };

  /// @throws InvalidSpec  as make_filter and field_groups.
  BankTiles(const NeighbourhoodSetting& setting, const FilterBankSpec& spec);

  [[nodiscard]] const Extent3& image() const { return setting_.image; }
  [[nodiscard]] std::int64_t responses() const { return responses_; }
  [[nodiscard]] const std::vector<Group>& groups() const { return groups_; }
  /// What fields are freed of shares of; null where none is.
  [[nodiscard]] TiledOperation* mean() const { return mean_.get(); }
  /// That a thread takes for a voxel.
  [[nodiscard]] double host_seconds() const { return host_seconds_; }
  /// Whether responses to a plane are made of other planes, too.
  [[nodiscard]] bool reaches_along_z() const { return reaches_along_z_; }

  /// The box of the image that responses to the planes and rows of `box` need.
  [[nodiscard]] Box3 needs(const Box3& box) const;

  /// The largest tile that boxes of the image are cut into.
  [[nodiscard]] Extent3 tile_of(const Extent3& box) const;
  /// From response to response to a tile: its voxels, rounded up to cache lines.
  [[nodiscard]] static std::int64_t pitch(const Extent3& tile);
  /// What making a tile takes beside its responses.
  [[nodiscard]] std::int64_t scratch_floats(const Extent3& tile) const;

  /// Makes responses to `tile` of the image: that of number r at `to + (r - wanted.first) * pitch`,
  /// its voxels in z, y, x order without gaps. Several threads may, each with its scratch.
  /// @param wanted  groups are made whole: begins and ends with one
  void make(const Window& in, const Box3& tile, const ResponseRange& wanted, float* to,
            float* scratch) const;

 private:
  /// @param mean  null where none is needed
  void make_group(const Group& group, const Window& in, const Box3& tile, const float* mean,
                  float* to, float* scratch) const;

  NeighbourhoodSetting setting_;
  std::vector<Group> groups_;
  std::unique_ptr<TiledOperation> mean_;
  std::int64_t responses_ = 0;
  double host_seconds_ = 0;
  bool reaches_along_z_ = false;
};

// Where plane p * N + n of a volume of responses is response n of N to plane p of the image:

/// The planes of the image that `box` has responses to, with its rows.
Box3 planes_of_responses(const BankTiles& bank, const Box3& box);
/// No box of so many planes of responses has responses to more planes of the image.
std::int64_t most_planes(const BankTiles& bank, std::int64_t responses);
/// Whether a group that begins in `wanted` is freed of the mean.
bool needs_mean(const BankTiles& bank, const ResponseRange& wanted);
/// The groups of responses to `planes` of the image that `box` has some of.
ResponseRange responses_wanted(const BankTiles& bank, const Box3& planes, const Box3& box);

}  // namespace synthoscope::kernels
