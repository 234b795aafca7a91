// Two motions with everything written by hand: the equations, the recurrences of their Taylor series, the events.
//
// Steps follow the rule of Jorba and Zou (2005); series are kept, as dense output, and a strike is found on the series.
// Orders 4 to 20 are compiled each for itself. What a person who knows the answer would write for one system.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace {

template <int N> using Series = double[N + 1];

template <int N> inline double product(const double *a, const double *b, int k)
{
    double sum = 0.0;
    for (int j = 0; j <= k; ++j) sum += a[j] * b[k - j];
    return sum;
}

// Coefficient k of sine and cosine of an angle.
template <int N> inline void turn(const double *angle, double *s, double *c, int k)
{
    if (k == 0) {
        s[0] = std::sin(angle[0]);
        c[0] = std::cos(angle[0]);
        return;
    }
    double up = 0.0, down = 0.0;
    for (int j = 1; j <= k; ++j) {
        const double rate = j * angle[j];
        up += rate * c[k - j];
        down += rate * s[k - j];
    }
    s[k] = up / k;
    c[k] = -down / k;
}

// Coefficient k of a/b.
template <int N> inline double quotient(const double *a, const double *b, const double *q, double inverse, int k)
{
    double sum = a[k];
    for (int j = 1; j <= k; ++j) sum -= b[j] * q[k - j];
    return sum * inverse;
}

template <int N> struct CartPole {
    static constexpr int size = 4;
    static constexpr double M = 1.0, m = 0.1, l = 1.0, g = 9.81, h = l / 2, J = m * l * l / 3;
    Series<N> s, c, ww, top, det, f1, f2, hc;

    void series(double (*y)[N + 1])
    {
        double *x = y[0], *angle = y[1], *v = y[2], *w = y[3];
        double inverse = 0.0;
        for (int k = 0; k < N; ++k) {
            turn<N>(angle, s, c, k);
            ww[k] = product<N>(w, w, k);
            hc[k] = m * h * c[k];
            f1[k] = m * h * product<N>(s, ww, k); // force on the whole, along x
            f2[k] = m * g * h * s[k];
            det[k] = -product<N>(hc, hc, k) + (k == 0 ? (M + m) * J : 0.0);
            if (k == 0) inverse = 1.0 / det[0];
            top[k] = (M + m) * f2[k] - product<N>(hc, f1, k);
            x[k + 1] = v[k] / (k + 1);
            angle[k + 1] = w[k] / (k + 1);
            turned[k] = quotient<N>(top, det, turned, inverse, k);
            w[k + 1] = turned[k] / (k + 1);
            v[k + 1] = (f1[k] - product<N>(hc, turned, k)) / ((M + m) * (k + 1));
        }
    }
    Series<N> turned;

    static bool watches() { return false; }
    static double watched(const double (*)[N + 1], int) { return 1.0; }
    static bool ahead(const double (*)[N + 1]) { return false; }
    static void strike(double *) {}
};

template <int N> struct Compass {
    static constexpr int size = 4;
    static constexpr double m = 5.0, mH = 10.0, a = 0.5, b = 0.5, l = 1.0, g = 9.81, slope = 0.0525;
    static constexpr double A = m * a * a + mH * l * l + m * l * l, B = m * b * b, C = m * l * b;
    static constexpr double G1 = g * (m * a + mH * l + m * l), G2 = m * g * b;
    Series<N> p, u1, u2, sp, cp, s1, c1, s2, c2, w11, w22, r1, r2, cc, det, top1, top2, a1, a2;

    void series(double (*y)[N + 1])
    {
        double *stance = y[0], *swing = y[1], *w1 = y[2], *w2 = y[3];
        double inverse = 0.0;
        for (int k = 0; k < N; ++k) {
            p[k] = stance[k] - swing[k];
            u1[k] = stance[k] + (k == 0 ? slope : 0.0);
            u2[k] = swing[k] + (k == 0 ? slope : 0.0);
            turn<N>(p, sp, cp, k);
            turn<N>(u1, s1, c1, k);
            turn<N>(u2, s2, c2, k);
            w11[k] = product<N>(w1, w1, k);
            w22[k] = product<N>(w2, w2, k);
            r1[k] = C * product<N>(sp, w22, k) + G1 * s1[k];
            r2[k] = -C * product<N>(sp, w11, k) - G2 * s2[k];
            cc[k] = C * cp[k];
            det[k] = -product<N>(cc, cc, k) + (k == 0 ? A * B : 0.0);
            if (k == 0) inverse = 1.0 / det[0];
            top1[k] = B * r1[k] + product<N>(cc, r2, k);
            top2[k] = A * r2[k] + product<N>(cc, r1, k);
            a1[k] = quotient<N>(top1, det, a1, inverse, k);
            a2[k] = quotient<N>(top2, det, a2, inverse, k);
            stance[k + 1] = w1[k] / (k + 1);
            swing[k + 1] = w2[k] / (k + 1);
            w1[k + 1] = a1[k] / (k + 1);
            w2[k + 1] = a2[k] / (k + 1);
        }
    }

    // The swing foot is on the ground ahead when the legs lean alike to both sides.
    static bool watches() { return true; }
    static double watched(const double (*y)[N + 1], int k) { return -y[0][k] - y[1][k]; }
    static bool ahead(const double (*y)[N + 1]) { return y[0][0] > y[1][0]; }

    // Angular momentum about the new foot, and of the leg that leaves about the hip, are those before the strike.
    static void strike(double *y)
    {
        const double c = std::cos(y[0] - y[1]), w1 = y[2], w2 = y[3];
        const double whole = mH * l * l * c * w1 + m * a * (l * c * w1 - b * w2) + m * a * w1 * (l * c - b);
        const double left = -m * a * b * w1;
        const double stance = (whole - (B - C * c) * left / B) / (A - C * c + (B - C * c) * C * c / B);
        std::swap(y[0], y[1]);
        y[3] = (left + C * c * stance) / B;
        y[2] = stance;
    }
};

template <int N> inline double value(const double *a, double h)
{
    double sum = a[N];
    for (int k = N; k-- > 0;) sum = sum * h + a[k];
    return sum;
}

// Moves from y until a time or so many strikes; gives the number of steps.
template <template <int> class System, int N>
int64_t move(double *y, double until, int64_t count, double *times, double *begin, double *kept, int64_t room)
{
    constexpr int size = System<N>::size;
    System<N> system;
    double table[size][N + 1];
    const double part = std::exp(-2.0 - 0.7 / (N - 1));
    double now = 0.0;
    int64_t steps = 0, strikes = 0;
    while (now < until && steps < room) {
        double worst1 = 0.0, worst2 = 0.0;
        for (int i = 0; i < size; ++i) table[i][0] = y[i];
        system.series(table);
        for (int i = 0; i < size; ++i) {
            const double scale = std::max(1.0, std::fabs(y[i]));
            worst1 = std::max(worst1, std::fabs(table[i][N - 1]) / scale);
            worst2 = std::max(worst2, std::fabs(table[i][N]) / scale);
        }
        double h = part * std::min(std::pow(worst1, -1.0 / (N - 1)), std::pow(worst2, -1.0 / N));
        h = std::min(h, until - now);
        bool struck = false;
        if (System<N>::watches() && System<N>::ahead(table)) {
            double g[N + 1];
            for (int k = 0; k <= N; ++k) g[k] = System<N>::watched(table, k);
            if (value<N>(g, h) < 0.0) {
                double low = 0.0, high = h, t = h; // Newton, kept inside
                for (int i = 0; i < 60; ++i) {
                    double f = g[N], rate = 0.0;
                    for (int k = N; k-- > 0;) {
                        rate = rate * t + f;
                        f = f * t + g[k];
                    }
                    (f < 0.0 ? high : low) = t;
                    double next = t - f / rate;
                    if (!(next > low && next < high)) next = 0.5 * (low + high);
                    const bool still = std::fabs(next - t) <= 2e-16 * (now + h);
                    t = next;
                    if (still) break;
                }
                h = t;
                struck = true;
            }
        }
        begin[2 * steps] = now;
        begin[2 * steps + 1] = h;
        std::memcpy(kept + steps * size * (N + 1), table, sizeof table);
        ++steps;
        for (int i = 0; i < size; ++i) y[i] = value<N>(table[i], h);
        now += h;
        if (struck) {
            System<N>::strike(y);
            times[strikes++] = now;
            if (strikes == count) break;
        }
    }
    return steps;
}

using Move = int64_t (*)(double *, double, int64_t, double *, double *, double *, int64_t);
template <template <int> class System, int N> Move chosen(int order)
{
    if (order == N) return move<System, N>;
    if constexpr (N < 20) return chosen<System, N + 1>(order);
    return nullptr;
}

} // namespace

extern "C" int64_t hand_motion(int64_t system, int64_t order, double *y, double until, int64_t count, double *times,
                               double *begin, double *kept, int64_t room)
{
    const Move found = system == 0 ? chosen<CartPole, 4>((int)order) : chosen<Compass, 4>((int)order);
    return found ? found(y, until, count, times, begin, kept, room) : -1;
}
