/* Functions that casadi_generate.cpp printed, over rows of states, timed where a C program would call them.
 *
 * GENERATED is the file with them. Each takes q, v and x (accelerations or forces), and writes one block of results. */

#define _POSIX_C_SOURCE 199309L
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include GENERATED

#define WAY(task) {#task, task, task##_sparsity_out, task##_work}
#define WAYS(task) WAY(task), WAY(task##_cse)

static const struct
{
    const char *name;
    int (*run)(const double **, double **, casadi_int *, double *, int);
    const casadi_int *(*sparsity)(casadi_int);
    int (*work)(casadi_int *, casadi_int *, casadi_int *, casadi_int *);
} TASKS[] = {
    WAYS(rnea),
    WAYS(crba_local),
    WAYS(crba_world),
    WAYS(aba_local),
    WAYS(aba_world),
    WAYS(cholesky_local),
    WAYS(cholesky_world),
};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* The robot is in the code: nothing is built. */
static const char ROBOT[] = "generated";

const void *race_new(const char *text) { return ROBOT; }
void race_delete(const void *robot) {}
int64_t race_nq(const void *robot) { return rnea_sparsity_in(0)[0]; }
int64_t race_nv(const void *robot) { return rnea_sparsity_in(1)[0]; }

/* The number of a task, -1 where there is none of that name. */
int64_t race_task(const char *name)
{
    for (size_t i = 0; i < sizeof TASKS / sizeof *TASKS; ++i)
        if (!strcmp(TASKS[i].name, name)) return (int64_t)i;
    return -1;
}

const char *race_version(void) { return ROBOT; }

/* Results as a row: a vector, or both halves of the matrix of which the upper one is there, column by column. */
static void spread(const casadi_int *sparsity, const double *found, double *out)
{
    const casadi_int rows = sparsity[0], columns = sparsity[1], *begin = sparsity + 2, *row = begin + columns + 1;
    memset(out, 0, sizeof(double) * (size_t)(rows * columns));
    if (columns == 1) {
        memcpy(out, found, sizeof(double) * (size_t)rows);
        return;
    }
    for (casadi_int j = 0; j < columns; ++j)
        for (casadi_int k = begin[j]; k < begin[j + 1]; ++k)
            out[row[k] * columns + j] = out[j * columns + row[k]] = found[k];
}

/* With `out`: compute and write the results, `width` numbers a row. Without: seconds a state over all passes. */
double race_run(const void *robot, int64_t task, int64_t count, const double *q, const double *v, const double *x,
                double *out, int64_t width, int64_t passes)
{
    const int64_t nq = race_nq(robot), nv = race_nv(robot);
    casadi_int sizes[4];
    TASKS[task].work(&sizes[0], &sizes[1], &sizes[2], &sizes[3]);
    const double **arguments = calloc((size_t)sizes[0] + 3, sizeof *arguments);
    double **results = calloc((size_t)sizes[1] + 1, sizeof *results);
    casadi_int *whole = calloc((size_t)sizes[2] + 1, sizeof *whole);
    double *work = calloc((size_t)sizes[3] + 1, sizeof *work);
    double *found = calloc((size_t)(nv * nv), sizeof *found);
    const double start = now();
    for (int64_t pass = 0; pass < passes; ++pass)
        for (int64_t i = 0; i < count; ++i) {
            arguments[0] = q + i * nq;
            arguments[1] = v + i * nv;
            arguments[2] = x + i * nv;
            results[0] = found;
            TASKS[task].run(arguments, results, whole, work, 0);
            if (out) spread(TASKS[task].sparsity(0), found, out + i * width);
        }
    const double seconds = (now() - start) / (double)(count * passes);
    free(arguments);
    free(results);
    free(whole);
    free(work);
    free(found);
    return seconds;
}
