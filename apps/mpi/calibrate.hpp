// `cairn calibrate`: measuring the machine, and telling about it.
#pragma once
#include <string>

#include "cairn/comm.hpp"
#include "runtime/measure/fit.hpp"

namespace cairn::app {

struct CalibrateArguments {
  std::string output, name;
  double seconds = 50;
  int ranks = 0;  ///< 0: not said
  bool json = false;
};

struct Calibration {
  Measurements measured;
  Machine machine;
  double seconds = 0;  ///< that it took
  std::string advice;  ///< of rank 0: the line to set for faster kernels, or empty
};

/// Collective; throws the same cairn::Error on all ranks.
Calibration calibrate(const Comm& world, const CalibrateArguments& arguments);

std::string as_text(const Calibration& calibration, const CalibrateArguments& arguments);

}  // namespace cairn::app
