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
};

/// Collective; throws the same cairn::Error on all ranks.
Calibration calibrate(const Comm& world, const CalibrateArguments& arguments);

std::string as_text(const Calibration& calibration, const CalibrateArguments& arguments);

}  // namespace cairn::app
