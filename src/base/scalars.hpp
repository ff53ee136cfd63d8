// The element types that templates are instantiated for, named in one place.
#pragma once
#include <complex>

/// INSTANTIATE(T) for every element type.
#define CAIRN_FOR_EACH_SCALAR(INSTANTIATE) \
  INSTANTIATE(float)                       \
  INSTANTIATE(double)                      \
  INSTANTIATE(std::complex<float>)         \
  INSTANTIATE(std::complex<double>)
