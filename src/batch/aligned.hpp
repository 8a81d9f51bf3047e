/// @file
/// Arrays of doubles at the beginning of a cache line.
#pragma once

#include <memory>
#include <new>

namespace spacedyn::batch {

struct AlignedDelete {
  void operator()(double* data) const { ::operator delete (data, std::align_val_t{64}); }
};
using AlignedArray = std::unique_ptr<double[], AlignedDelete>;

/// Zeros.
inline AlignedArray aligned_array(std::size_t size) {
  AlignedArray array(
      static_cast<double*>(::operator new (size * sizeof(double), std::align_val_t{64})));
  std::uninitialized_fill_n(array.get(), size, 0.0);
  return array;
}

}  // namespace spacedyn::batch
