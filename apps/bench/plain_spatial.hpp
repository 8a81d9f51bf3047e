/// @file
/// The same operations as the spatial layer, written by hand on plain arrays: what it is measured
/// against, by the instructions it compiles to and by time.
#pragma once

namespace plain {

struct Vector6 {
  double a[3], l[3];
};

struct Transform {
  double E[9];  // columns
  double r[3];
};

struct Inertia {
  double m, h[3], xx, xy, xz, yy, yz, zz;
};

inline void motion(const Transform& X, const Vector6& v, Vector6& out) {
  const double* E = X.E;
  const double* r = X.r;
  const double* w = v.a;
  const double x = v.l[0] - (r[1] * w[2] - r[2] * w[1]);
  const double y = v.l[1] - (r[2] * w[0] - r[0] * w[2]);
  const double z = v.l[2] - (r[0] * w[1] - r[1] * w[0]);
  for (int i = 0; i < 3; ++i) {
    out.a[i] = E[i] * w[0] + E[i + 3] * w[1] + E[i + 6] * w[2];
    out.l[i] = E[i] * x + E[i + 3] * y + E[i + 6] * z;
  }
}

inline void force_back(const Transform& X, const Vector6& f, Vector6& out) {
  const double* E = X.E;
  const double* r = X.r;
  double t[3], n[3];
  for (int i = 0; i < 3; ++i) {
    const double* e = E + 3 * i;
    t[i] = e[0] * f.l[0] + e[1] * f.l[1] + e[2] * f.l[2];
    n[i] = e[0] * f.a[0] + e[1] * f.a[1] + e[2] * f.a[2];
  }
  out.a[0] = n[0] + (r[1] * t[2] - r[2] * t[1]);
  out.a[1] = n[1] + (r[2] * t[0] - r[0] * t[2]);
  out.a[2] = n[2] + (r[0] * t[1] - r[1] * t[0]);
  for (int i = 0; i < 3; ++i) out.l[i] = t[i];
}

inline void momentum(const Inertia& I, const Vector6& v, Vector6& out) {
  const double *w = v.a, *l = v.l, *h = I.h;
  out.a[0] = I.xx * w[0] + I.xy * w[1] + I.xz * w[2] + (h[1] * l[2] - h[2] * l[1]);
  out.a[1] = I.xy * w[0] + I.yy * w[1] + I.yz * w[2] + (h[2] * l[0] - h[0] * l[2]);
  out.a[2] = I.xz * w[0] + I.yz * w[1] + I.zz * w[2] + (h[0] * l[1] - h[1] * l[0]);
  out.l[0] = I.m * l[0] - (h[1] * w[2] - h[2] * w[1]);
  out.l[1] = I.m * l[1] - (h[2] * w[0] - h[0] * w[2]);
  out.l[2] = I.m * l[2] - (h[0] * w[1] - h[1] * w[0]);
}

inline void inertia_back(const Transform& X, const Inertia& I, Inertia& out) {
  const double* E = X.E;
  const double* r = X.r;
  double h[3], T[9];
  for (int i = 0; i < 3; ++i) {
    const double* e = E + 3 * i;  // row i of Eᵀ
    h[i] = e[0] * I.h[0] + e[1] * I.h[1] + e[2] * I.h[2];
    T[i] = e[0] * I.xx + e[1] * I.xy + e[2] * I.xz;
    T[i + 3] = e[0] * I.xy + e[1] * I.yy + e[2] * I.yz;
    T[i + 6] = e[0] * I.xz + e[1] * I.yz + e[2] * I.zz;
  }
  double g[3];
  for (int i = 0; i < 3; ++i) g[i] = h[i] + 0.5 * I.m * r[i];
  const double d = 2 * (g[0] * r[0] + g[1] * r[1] + g[2] * r[2]);
  const auto element = [&](int i, int j) {
    const double* e = E + 3 * j;
    return T[i] * e[0] + T[i + 3] * e[1] + T[i + 6] * e[2];
  };
  out.m = I.m;
  for (int i = 0; i < 3; ++i) out.h[i] = h[i] + I.m * r[i];
  out.xx = element(0, 0) - (2 * g[0] * r[0] - d);
  out.xy = element(0, 1) - (g[0] * r[1] + g[1] * r[0]);
  out.xz = element(0, 2) - (g[0] * r[2] + g[2] * r[0]);
  out.yy = element(1, 1) - (2 * g[1] * r[1] - d);
  out.yz = element(1, 2) - (g[1] * r[2] + g[2] * r[1]);
  out.zz = element(2, 2) - (2 * g[2] * r[2] - d);
}

}  // namespace plain
