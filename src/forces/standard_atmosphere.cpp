#include "spacedyn/forces/standard_atmosphere.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace spacedyn {
namespace {

// lengths are in km, as in the standard

/// R*, J/(kmol K); g_0, m/s²; r_0 for geopotential altitudes; Avogadro's number, 1/kmol; M_0.
constexpr double kGas = 8314.32, kGravity = 9.80665, kEarth = 6356.766, kAvogadro = 6.022169e26;
constexpr double kMeanMass = 28.9644;
/// Where diffusion begins and where the standard ends.
constexpr double kDiffusion = 86.0, kTop = 1000.0;

/// Below 86 km: geopotential altitudes of the layers and their gradients, K/km.
struct Layer {
  double base, gradient;
};
constexpr std::array<Layer, 7> kLayers = {
    {{0.0, -6.5}, {11.0, 0.0}, {20.0, 1.0}, {32.0, 2.8}, {47.0, 0.0}, {51.0, -2.8}, {71.0, -2.0}}};

/// Part of the pressure that is left at the end of a layer.
double pressure_ratio(double temperature, double gradient, double height) {
  const double rate = 1000.0 * kGravity * kMeanMass / kGas;
  if (gradient == 0.0) return std::exp(-rate * height / temperature);
  return std::pow(temperature / (temperature + gradient * height), rate / gradient);
}

double lower_density(double altitude) {
  const double height = kEarth * altitude / (kEarth + altitude);
  double temperature = 288.15, pressure = 101325.0;
  for (std::size_t i = 0; i < kLayers.size(); ++i) {
    const bool is_last = i + 1 == kLayers.size() || height < kLayers[i + 1].base;
    const double top = is_last ? height : kLayers[i + 1].base;
    const double gradient = kLayers[i].gradient, thickness = top - kLayers[i].base;
    pressure *= pressure_ratio(temperature, gradient, thickness);
    temperature += gradient * thickness;
    if (is_last) break;
  }
  return pressure * kMeanMass / (kGas * temperature);
}

/// A gas above 86 km [NOAA 1976, tables 3, 6, 7 and 9]; fluxes are in 1/km³, km and 1/km³.
struct Gas {
  double mass, density;               ///< M, kg/kmol; n at 86 km, 1/m³
  double diffusion, exponent, alpha;  ///< a, 1/(m s); b; α
  double Q, U, W;
};
enum GasIndex { N2, O, O2, Ar, He, kGases };
constexpr std::array<Gas, kGases> kAir = {{
    {28.0134, 1.129794e20, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0},
    {15.9994, 8.6e16, 6.986e20, 0.75, 0.0, -5.809644e-4, 56.90311, 2.706240e-5},
    {31.9988, 3.030898e19, 4.863e20, 0.75, 0.0, 1.366212e-4, 86.0, 8.333333e-5},
    {39.948, 1.351400e18, 4.487e20, 0.87, 0.0, 9.434079e-5, 86.0, 8.333333e-5},
    {4.0026, 7.5817e14, 1.700e21, 0.691, -0.40, -2.457369e-4, 86.0, 6.666667e-4},
}};

struct Temperature {
  double value, slope;  // K, K/km
};

Temperature temperature_at(double z) {
  if (z <= 91.0) return {186.8673, 0.0};
  if (z <= 110.0) {
    constexpr double kCenter = 263.1905, kHeight = -76.3232, kWidth = -19.9429;
    const double x = (z - 91.0) / kWidth, root = std::sqrt(1.0 - x * x);
    return {kCenter + kHeight * root, -kHeight * x / (kWidth * root)};
  }
  if (z <= 120.0) return {240.0 + 12.0 * (z - 110.0), 12.0};
  constexpr double kEnd = 1000.0, kRange = 640.0;
  const double part = (kEarth + 120.0) / (kEarth + z);
  const double rest = kRange * std::exp(-12.0 / kRange * (z - 120.0) * part);
  return {kEnd - rest, 12.0 / kRange * rest * part * part};
}

double gravity_at(double z) {
  const double part = kEarth / (kEarth + z);
  return kGravity * part * part;
}

/// Eddy diffusion K, m²/s.
double mixing_at(double z) {
  if (z <= 95.0) return 120.0;
  if (z >= 115.0) return 0.0;
  return 120.0 * std::exp(1.0 - 400.0 / (400.0 - (z - 95.0) * (z - 95.0)));
}

double flux(GasIndex gas, double z) {
  const Gas& air = kAir[gas];
  const double x = z - air.U;
  double sum = air.Q * x * x * std::exp(-air.W * x * x * x);
  if (gas == O && z < 97.0) {
    const double y = 97.0 - z;
    sum -= 3.416248e-3 * y * y * std::exp(-5.008765e-4 * y * y * y);
  }
  return sum;
}

/// ln ρ at all whole kilometres from 86 to 1,000, by the trapezoidal rule with steps of 0.1 km,
/// whose error is below 1e-5.
class UpperAtmosphere {
 public:
  UpperAtmosphere() {
    integrate();
    integrate_hydrogen();
    for (std::size_t i = 0; i < columns_.size(); i += kPerKilometre) {
      double density = hydrogen_[i] * kHydrogenMass;
      for (std::size_t gas = 0; gas < kGases; ++gas) density += columns_[i][gas] * kAir[gas].mass;
      logarithms_.push_back(std::log(density / kAvogadro));
    }
  }

  double density(double z) const {
    const auto last = static_cast<std::size_t>(kTop - kDiffusion);
    if (z >= kTop) {
      const double slope = logarithms_[last] - logarithms_[last - 1];
      return std::exp(logarithms_[last] + slope * (z - kTop));
    }
    // cubic with the slopes of central differences
    const auto i = std::min(last - 1, static_cast<std::size_t>(std::max(0.0, z - kDiffusion)));
    const double x = z - kDiffusion - static_cast<double>(i);
    const double a = logarithms_[i], b = logarithms_[i + 1];
    const double left = slope(i), right = slope(i + 1), bend = left + right - 2.0 * (b - a);
    return std::exp(a + x * (left + x * (3.0 * (b - a) - 2.0 * left - right + x * bend)));
  }

 private:
  static constexpr int kPerKilometre = 10;
  static constexpr double kStep = 1.0 / kPerKilometre;
  static constexpr double kHydrogenMass = 1.00797;
  using Column = std::array<double, kGases>;

  static double altitude(std::size_t i) { return kDiffusion + kStep * static_cast<double>(i); }

  double slope(std::size_t i) const {
    const std::size_t before = i > 0 ? i - 1 : i, after = std::min(i + 1, logarithms_.size() - 1);
    return (logarithms_[after] - logarithms_[before]) / static_cast<double>(after - before);
  }

  void integrate() {
    const auto count = static_cast<std::size_t>((kTop - kDiffusion) * kPerKilometre) + 1;
    Column integral{}, before{};
    for (std::size_t i = 0; i < count; ++i) {
      const double z = altitude(i), K = mixing_at(z), g = gravity_at(z);
      const Temperature T = temperature_at(z);
      const double rate = 1000.0 * g / (kGas * T.value);
      const double cooling = temperature_at(kDiffusion).value / T.value;
      Column now{}, n{};
      const auto add = [&](GasIndex gas, double integrand) {
        now[gas] = integrand;
        if (i > 0) integral[gas] += 0.5 * kStep * (integrand + before[gas]);
        n[gas] = kAir[gas].density * cooling * std::exp(-integral[gas]);
      };
      const auto diffuse = [&](GasIndex gas, double through, double mean_mass) {
        const Gas& air = kAir[gas];
        const double D = air.diffusion / through * std::pow(T.value / 273.15, air.exponent);
        const double mass =
            air.mass + mean_mass * K / D + air.alpha * kGas / (1000.0 * g) * T.slope;
        add(gas, rate * D / (D + K) * mass + flux(gas, z));
      };
      const bool is_mixed = z <= 100.0;
      const double mass = is_mixed ? kMeanMass : kAir[N2].mass;
      add(N2, rate * mass);
      for (const GasIndex gas : {O, O2}) diffuse(gas, n[N2], mass);
      const double sum = n[N2] + n[O] + n[O2];
      const double weighed = n[N2] * kAir[N2].mass + n[O] * kAir[O].mass + n[O2] * kAir[O2].mass;
      for (const GasIndex gas : {Ar, He}) diffuse(gas, sum, is_mixed ? kMeanMass : weighed / sum);
      before = now;
      columns_.push_back(n);
    }
    hydrogen_.assign(columns_.size(), 0.0);
  }

  /// From its density at 500 km upward and down to 150 km, below which it does not matter.
  void integrate_hydrogen() {
    constexpr double kStart = 500.0, kEnd = 150.0, kDensity = 8.0e10, kFlux = 7.2e11,
                     kAlpha = -0.25;
    const auto index = [](double z) {
      return static_cast<std::size_t>((z - kDiffusion) * kPerKilometre + 0.5);
    };
    const double T_start = temperature_at(kStart).value;
    for (const int direction : {1, -1}) {
      double tau = 0.0, integral = 0.0, fall = 0.0, flow = 0.0;
      for (std::size_t i = index(kStart); i < columns_.size() && i >= index(kEnd);
           i += static_cast<std::size_t>(direction)) {
        const double z = altitude(i), T = temperature_at(z).value, step = 0.5 * direction * kStep;
        const bool is_first = i == index(kStart);
        const double fall_now = 1000.0 * gravity_at(z) * kHydrogenMass / (kGas * T);
        if (!is_first) tau += step * (fall + fall_now);
        double through = 0.0;
        for (const double n : columns_[i]) through += n;
        const double D = 3.305e21 / through * std::sqrt(T / 273.15);
        const double warmth = std::pow(T / T_start, 1.0 + kAlpha);
        const double flow_now = 1000.0 * kFlux / D * warmth * std::exp(tau);
        if (!is_first) integral += step * (flow + flow_now);
        hydrogen_[i] = (kDensity - integral) / warmth * std::exp(-tau);
        fall = fall_now;
        flow = flow_now;
      }
    }
  }

  std::vector<Column> columns_;  // 1/m³
  std::vector<double> hydrogen_, logarithms_;
};

}  // namespace

double us_1976_density(double altitude) {
  static const UpperAtmosphere kUpper;
  const double z = 1e-3 * altitude;
  return z < kDiffusion ? lower_density(z) : kUpper.density(z);
}

}  // namespace spacedyn
