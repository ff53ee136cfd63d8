// p?gemm twice: as the program is linked, so the drop-in's, and ScaLAPACK's own, found in its library.
#pragma once
#include <dlfcn.h>

#include <complex>
#include <cstdint>
#include <stdexcept>
#include <string>

extern "C" int cairn_handed_back();  // calls of p?gemm that reached ScaLAPACK through the drop-in, see handed_back.c

#define CAIRN_DECLARE(name)                                                                                    \
  extern "C" void name(const char*, const char*, const int*, const int*, const int*, const void*, const void*, \
                       const int*, const int*, const int*, const void*, const int*, const int*, const int*,    \
                       const void*, void*, const int*, const int*, const int*)
CAIRN_DECLARE(psgemm_);
CAIRN_DECLARE(pdgemm_);
CAIRN_DECLARE(pcgemm_);
CAIRN_DECLARE(pzgemm_);
#undef CAIRN_DECLARE

namespace cairn::testing {

using Gemm = decltype(pdgemm_);

inline void* scalapack_library() {
  static void* const library = dlopen(CAIRN_SCALAPACK_LIBRARY, RTLD_NOW | RTLD_NOLOAD);
  if (!library) throw std::runtime_error(std::string("ScaLAPACK is not loaded: ") + dlerror());
  return library;
}

/// A function of ScaLAPACK's own.
template <class F>
F* original(const std::string& name) {
  void* symbol = dlsym(scalapack_library(), name.c_str());
  if (!symbol) throw std::runtime_error(dlerror());
  return reinterpret_cast<F*>(reinterpret_cast<std::uintptr_t>(symbol));
}

/// Names and functions of an element type.
template <class T>
struct Routines;
template <>
struct Routines<float> {
  static constexpr char letter = 's';
  static constexpr Gemm* gemm = psgemm_;
};
template <>
struct Routines<double> {
  static constexpr char letter = 'd';
  static constexpr Gemm* gemm = pdgemm_;
};
template <>
struct Routines<std::complex<float>> {
  static constexpr char letter = 'c';
  static constexpr Gemm* gemm = pcgemm_;
};
template <>
struct Routines<std::complex<double>> {
  static constexpr char letter = 'z';
  static constexpr Gemm* gemm = pzgemm_;
};

template <class T>
Gemm* original_gemm() {
  static Gemm* const function = original<Gemm>(std::string("p") + Routines<T>::letter + "gemm_");
  return function;
}

}  // namespace cairn::testing
