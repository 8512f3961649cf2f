// SPDX-License-Identifier: MIT
// core/stream/finite_source.hpp — what happens to NaN and infinity while an image is read.
#pragma once
#include <atomic>
#include <cstdint>
#include <string>
#include "core/base/names.hpp"
#include "core/stream/stream.hpp"

namespace synthoscope {

/// What NaN and infinity become: `refuse` fails at the first one, `zero` replaces them by 0,
/// `propagate` keeps them.
enum class NonFinite { refuse, zero, propagate };
inline constexpr NameTable<NonFinite, 3> kNonFiniteNames{{
    {NonFinite::refuse, "refuse"},
    {NonFinite::zero, "zero"},
    {NonFinite::propagate, "propagate"},
}};

/// Voxels of `source` that are NaN or infinite; reads all of it unless its type has none.
std::int64_t count_non_finite(Source& source);

/// Reads another source and applies a rule to what is not finite. Thread-safe as that one is.
class FiniteSource final : public Source {
 public:
  /// @param name    the image, in messages
  /// @param source  must outlive this object
  FiniteSource(Source& source, NonFinite rule, std::string name)
      : source_{source}, rule_{rule}, name_{std::move(name)} {}
  [[nodiscard]] Extent3 extent() const override { return source_.extent(); }
  [[nodiscard]] PixelType pixel_type() const override { return source_.pixel_type(); }

  /// @throws InvalidInput  rule `refuse` met a NaN or an infinity: says how many there are in all.
  void read(const Box3& box, VoxelView out) override;

  void expect(const Box3& box) override { source_.expect(box); }

  /// True once `read` met one.
  [[nodiscard]] bool met_any() const { return met_any_.load(); }

 private:
  template <class T>
  void apply_rule(const Box3& box, HostView3<T> voxels);

  Source& source_;
  NonFinite rule_;
  std::string name_;
  std::atomic<bool> met_any_{false};
};

}  // namespace synthoscope
