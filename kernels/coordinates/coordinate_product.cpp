// SPDX-License-Identifier: MIT
#include "kernels/coordinates/coordinate_product.hpp"
#include "core/base/names.hpp"

namespace synthoscope::kernels {
namespace {

constexpr NameTable<CoordinateProduct, 4> kCoordinateProductNames{
    {{CoordinateProduct::fused, "fused"},
     {CoordinateProduct::naive, "naive"},
     {CoordinateProduct::tiled, "tiled"},
     {CoordinateProduct::summa, "summa"}}};

}  // namespace

std::string_view name_of(CoordinateProduct product) {
  return name_in(kCoordinateProductNames, product);
}

std::optional<CoordinateProduct> coordinate_product_named(std::string_view name) {
  return named_in(kCoordinateProductNames, name);
}

}  // namespace synthoscope::kernels
