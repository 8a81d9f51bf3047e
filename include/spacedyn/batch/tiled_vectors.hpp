/// @file
/// Many vectors of one size, laid out for vector registers.
#pragma once

#include <memory>

#include "spacedyn/export.hpp"
#include "spacedyn/math/types.hpp"

namespace spacedyn {

/// N vectors in tiles of eight: component i of the vectors 8t … 8t + 7 is one row of tile t, eight
/// adjacent doubles, aligned to 64 bytes. What is left of the last tile holds zeros or copies.
class SPACEDYN_EXPORT TiledVectors {
 public:
  static constexpr int kTile = 8;

  TiledVectors() = default;
  /// All zero. @throws DimensionError if a size is negative
  TiledVectors(int components, int count);
  TiledVectors(const TiledVectors& other);
  TiledVectors& operator=(const TiledVectors& other);
  TiledVectors(TiledVectors&&) noexcept = default;
  TiledVectors& operator=(TiledVectors&&) noexcept = default;

  int components() const { return components_; }
  int count() const { return count_; }
  int tile_count() const { return (count_ + kTile - 1) / kTile; }

  /// Component i of vector k.
  double& operator()(int i, int k) { return tile(k / kTile)[i * kTile + k % kTile]; }
  double operator()(int i, int k) const { return tile(k / kTile)[i * kTile + k % kTile]; }
  /// The rows of a tile: components() times kTile doubles.
  double* tile(int t) { return data_.get() + static_cast<std::ptrdiff_t>(t) * components_ * kTile; }
  const double* tile(int t) const {
    return data_.get() + static_cast<std::ptrdiff_t>(t) * components_ * kTile;
  }

  /// @throws DimensionError if the size is not components() or there is no vector k
  void set(int k, ConstVectorRef vector);
  /// @throws DimensionError if there is no vector k
  VectorX get(int k) const;

 private:
  struct AlignedDelete {
    void operator()(double* data) const;
  };
  std::size_t size() const;
  void check(int k) const;

  int components_ = 0, count_ = 0;
  std::unique_ptr<double[], AlignedDelete> data_;
};

}  // namespace spacedyn
