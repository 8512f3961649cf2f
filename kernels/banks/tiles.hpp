// SPDX-License-Identifier: MIT
// kernels/banks/tiles.hpp — all responses of a bank of filters to a tile of an image, made by one
// thread in its caches.
#pragma once
#include <memory>
#include <vector>
#include "kernels/banks/fields.hpp"

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
    std::vector<float> mean_shares;  ///< as in FieldGroup
    std::int64_t first = 0;          ///< of its responses
  };

  /// @throws InvalidSpec  as make_filter and field_groups.
  BankTiles(const NeighbourhoodSetting& setting, const FilterBankSpec& spec);

  [[nodiscard]] const Extent3& image() const { return setting_.image; }
  [[nodiscard]] std::int64_t responses() const { return responses_; }
  [[nodiscard]] const std::vector<Group>& groups() const { return groups_; }
  /// Computes the mean whose shares are subtracted from fields; null if none is.
  [[nodiscard]] TiledOperation* mean() const { return mean_.get(); }
  /// Returns the seconds that a thread needs for a voxel.
  [[nodiscard]] double host_seconds() const { return host_seconds_; }
  /// Returns whether responses to a plane depend on other planes.
  [[nodiscard]] bool reaches_along_z() const { return reaches_along_z_; }

  /// Returns the box of the image that responses to the planes and rows of `box` need.
  [[nodiscard]] Box3 needs(const Box3& box) const;

  /// Returns the largest tile that boxes of this extent are cut into.
  [[nodiscard]] Extent3 tile_of(const Extent3& box) const;
  /// Returns the floats from one response to the next: the voxels of a tile, rounded up to cache
  /// lines.
  [[nodiscard]] static std::int64_t pitch(const Extent3& tile);
  /// Returns the working memory for a tile, without its responses.
  [[nodiscard]] std::int64_t scratch_floats(const Extent3& tile) const;

  /// Makes responses to `tile` of the image: response r begins at to + (r - wanted.first) * pitch,
  /// its voxels in z, y, x order without gaps. Several threads may call it, each with its own
  /// scratch.
  /// @param wanted  whole groups
  void make(const Window& in, const Box3& tile, const ResponseRange& wanted, float* to,
            float* scratch) const;

 private:
  /// @param mean  null if none is needed
  void make_group(const Group& group, const Window& in, const Box3& tile, const float* mean,
                  float* to, float* scratch) const;

  NeighbourhoodSetting setting_;
  std::vector<Group> groups_;
  std::unique_ptr<TiledOperation> mean_;
  std::int64_t responses_ = 0;
  double host_seconds_ = 0;
  bool reaches_along_z_ = false;
};

// In a volume of responses, plane p * N + n is response n of N to plane p of the image.

/// Returns the planes of the image that `box` has responses to, with the rows of `box`.
Box3 planes_of_responses(const BankTiles& bank, const Box3& box);
/// Returns the most planes of the image that a box of this many planes of responses belongs to.
std::int64_t most_planes(const BankTiles& bank, std::int64_t responses);
/// Returns whether the mean is subtracted in a group that begins in `wanted`.
bool needs_mean(const BankTiles& bank, const ResponseRange& wanted);
/// Returns the groups of responses to `planes` of the image that `box` holds at least partly.
ResponseRange responses_wanted(const BankTiles& bank, const Box3& planes, const Box3& box);

}  // namespace synthoscope::kernels
