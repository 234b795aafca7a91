/* Steps of an adaptive Taylor method with compiled coefficients: what an integrator does around the kernel. */

#include <math.h>
#include <stdint.h>

typedef void (*taylor_t)(double *y, double *p, double *table, double *scratch);

/* Calls of the kernel alone, at one state. */
void loop_taylor(taylor_t taylor, double *y, double *table, double *scratch, int64_t count) {
    for (int64_t i = 0; i < count; ++i) taylor(y, y, table, scratch);
}

/* Steps after Jorba and Zou, chosen by the last two coefficients; returns the time that they take. */
double loop_steps(taylor_t taylor, double *y, int64_t n, int64_t order, int64_t stride, double *table,
                  double *scratch, int64_t count) {
    const double safety = -2.0 - 0.7 / (double)(order - 1);
    const double first = 1.0 / (double)(order - 1), second = 1.0 / (double)order;
    double t = 0.0;
    for (int64_t step = 0; step < count; ++step) {
        taylor(y, y, table, scratch);
        double scale = 1.0, before = 0.0, last = 0.0;
        for (int64_t i = 0; i < n; ++i) {
            const double *row = table + i * stride;
            scale = fmax(scale, fabs(row[0]));
            before = fmax(before, fabs(row[order - 1]));
            last = fmax(last, fabs(row[order]));
        }
        const double h = exp(fmin(log(scale / before) * first, log(scale / last) * second) + safety);
        for (int64_t i = 0; i < n; ++i) {
            const double *row = table + i * stride;
            double sum = row[order];
            for (int64_t k = order - 1; k >= 0; --k) sum = sum * h + row[k];
            y[i] = sum;
        }
        t += h;
    }
    return t;
}
