#include "spacedyn/batch/tiled_vectors.hpp"

#include <algorithm>
#include <string>

#include "batch/aligned.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn {

void TiledVectors::AlignedDelete::operator()(double* data) const { batch::AlignedDelete()(data); }

TiledVectors::TiledVectors(int components, int count) : components_(components), count_(count) {
  if (components < 0 || count < 0) {
    throw DimensionError("a batch cannot have " + std::to_string(count) + " vectors of " +
                         std::to_string(components) + " components");
  }
  data_.reset(batch::aligned_array(size()).release());
}

TiledVectors::TiledVectors(const TiledVectors& other)
    : TiledVectors(other.components_, other.count_) {
  std::copy_n(other.data_.get(), size(), data_.get());
}

TiledVectors& TiledVectors::operator=(const TiledVectors& other) {
  if (this == &other) return *this;
  if (components_ != other.components_ || count_ != other.count_) {
    *this = TiledVectors(other.components_, other.count_);
  }
  std::copy_n(other.data_.get(), size(), data_.get());
  return *this;
}

void TiledVectors::set(int k, ConstVectorRef vector) {
  check(k);
  if (vector.size() != components_) {
    throw DimensionError("vectors of this batch have " + std::to_string(components_) +
                         " components, got " + std::to_string(vector.size()));
  }
  for (int i = 0; i < components_; ++i) (*this)(i, k) = vector(i);
}

VectorX TiledVectors::get(int k) const {
  check(k);
  VectorX vector(components_);
  for (int i = 0; i < components_; ++i) vector(i) = (*this)(i, k);
  return vector;
}

std::size_t TiledVectors::size() const {
  return static_cast<std::size_t>(tile_count()) * static_cast<std::size_t>(components_) * kTile;
}

void TiledVectors::check(int k) const {
  if (k >= 0 && k < count_) return;
  throw DimensionError("a batch of " + std::to_string(count_) + " has no element " +
                       std::to_string(k));
}

}  // namespace spacedyn
