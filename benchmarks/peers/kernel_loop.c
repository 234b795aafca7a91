/* Calls of a kernel, timed where a C program would make them: one row a call, or all rows in one call. */

#define _POSIX_C_SOURCE 199309L
#include <stdint.h>
#include <time.h>

typedef void (*Kernel)(int64_t begin, int64_t end, const void *arguments);

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Seconds a row, `step` rows a call. */
double loop_rows(Kernel kernel, const void *arguments, int64_t rows, int64_t step, int64_t passes)
{
    const double start = now();
    for (int64_t pass = 0; pass < passes; ++pass)
        for (int64_t row = 0; row < rows; row += step)
            kernel(row, row + step, arguments);
    return (now() - start) / (double)(rows * passes);
}
