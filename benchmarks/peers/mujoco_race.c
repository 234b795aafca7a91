/* MuJoCo's algorithms over rows of states, timed where they run.
 *
 * The shortest sequence of its functions that gives a result is raced beside the one call that people make (mj_inverse,
 * mj_forward); the model has neither contacts nor limits, and constraints are switched off.
 */

#define _POSIX_C_SOURCE 199309L
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <mujoco/mujoco.h>

typedef struct {
    mjModel *model;
    mjData *data;
    mjtNum *bias, *forces, *result, *jacobian;
    int site;
} Race;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void rnea(Race *r, const mjtNum *a)
{
    memcpy(r->data->qacc, a, (size_t)r->model->nv * sizeof(mjtNum));
    mj_kinematics(r->model, r->data);
    mj_comPos(r->model, r->data);
    mj_comVel(r->model, r->data);
    mj_rne(r->model, r->data, 1, r->result);
}

static void inverse(Race *r, const mjtNum *a)
{
    memcpy(r->data->qacc, a, (size_t)r->model->nv * sizeof(mjtNum));
    mj_inverse(r->model, r->data);
}

static void crba(Race *r, const mjtNum *unused)
{
    (void)unused;
    mj_kinematics(r->model, r->data);
    mj_comPos(r->model, r->data);
    mj_makeM(r->model, r->data);
}

static void solve(Race *r, const mjtNum *tau)
{
    const int nv = (int)r->model->nv;
    mj_kinematics(r->model, r->data);
    mj_comPos(r->model, r->data);
    mj_makeM(r->model, r->data);
    mj_factorM(r->model, r->data);
    mj_comVel(r->model, r->data);
    mj_rne(r->model, r->data, 0, r->bias);
    for (int i = 0; i < nv; ++i) r->forces[i] = tau[i] - r->bias[i];
    mj_solveM(r->model, r->data, r->result, r->forces, 1);
}

static void forward(Race *r, const mjtNum *tau)
{
    memcpy(r->data->qfrc_applied, tau, (size_t)r->model->nv * sizeof(mjtNum));
    mj_forward(r->model, r->data);
}

static void frame(Race *r, const mjtNum *unused)
{
    (void)unused;
    mj_kinematics(r->model, r->data);
    mj_comPos(r->model, r->data);
    mj_jacSite(r->model, r->data, r->jacobian, r->jacobian + 3 * r->model->nv, r->site);
}

static void write_result(Race *r, mjtNum *out) { memcpy(out, r->result, (size_t)r->model->nv * sizeof(mjtNum)); }
static void write_inverse(Race *r, mjtNum *out) { memcpy(out, r->data->qfrc_inverse, (size_t)r->model->nv * sizeof(mjtNum)); }
static void write_forward(Race *r, mjtNum *out) { memcpy(out, r->data->qacc, (size_t)r->model->nv * sizeof(mjtNum)); }
static void write_matrix(Race *r, mjtNum *out) { mj_fullM(r->model, r->data, out); }

static void write_frame(Race *r, mjtNum *out)
{
    memcpy(out, r->data->site_xmat + 9 * r->site, 9 * sizeof(mjtNum));
    memcpy(out + 9, r->data->site_xpos + 3 * r->site, 3 * sizeof(mjtNum));
    memcpy(out + 12, r->jacobian, 6 * (size_t)r->model->nv * sizeof(mjtNum));
}

static const struct {
    const char *name;
    void (*run)(Race *, const mjtNum *);
    void (*write)(Race *, mjtNum *);
} TASKS[] = {
    {"mj_rne", rnea, write_result},      {"mj_inverse", inverse, write_inverse},
    {"mj_makeM", crba, write_matrix},    {"mj_factorM, mj_solveM", solve, write_result},
    {"mj_forward", forward, write_forward}, {"mj_jacSite", frame, write_frame},
};

Race *race_new(const char *path)
{
    char error[500];
    mjModel *model = mj_loadXML(path, NULL, error, sizeof error);
    if (!model) return NULL;
    Race *r = mju_malloc(sizeof *r);
    const size_t nv = (size_t)model->nv * sizeof(mjtNum);
    r->model = model;
    r->data = mj_makeData(model);
    r->bias = mju_malloc(nv);
    r->forces = mju_malloc(nv);
    r->result = mju_malloc(nv);
    r->jacobian = mju_malloc(6 * nv);
    r->site = mj_name2id(model, mjOBJ_SITE, "tool");
    return r;
}

void race_delete(Race *r)
{
    mju_free(r->bias);
    mju_free(r->forces);
    mju_free(r->result);
    mju_free(r->jacobian);
    mj_deleteData(r->data);
    mj_deleteModel(r->model);
    mju_free(r);
}

const char *race_version(void) { return mj_versionString(); }
int64_t race_nq(const Race *r) { return (int64_t)r->model->nq; }
int64_t race_nv(const Race *r) { return (int64_t)r->model->nv; }

int64_t race_task(const char *name)
{
    for (size_t i = 0; i < sizeof TASKS / sizeof *TASKS; ++i)
        if (!strcmp(TASKS[i].name, name)) return (int64_t)i;
    return -1;
}

/* With `out`: compute and write the results, `width` numbers a row. Without: seconds a state over all passes. */
double race_run(
    Race *r, int64_t task, int64_t count, const double *q, const double *v, const double *x, double *out, int64_t width,
    int64_t passes)
{
    const size_t nq = (size_t)r->model->nq, nv = (size_t)r->model->nv;
    const double start = now();
    for (int64_t pass = 0; pass < passes; ++pass)
        for (int64_t i = 0; i < count; ++i) {
            memcpy(r->data->qpos, q + (size_t)i * nq, nq * sizeof(mjtNum));
            memcpy(r->data->qvel, v + (size_t)i * nv, nv * sizeof(mjtNum));
            TASKS[task].run(r, x + (size_t)i * nv);
            if (out) TASKS[task].write(r, out + i * width);
        }
    return (now() - start) / (double)(count * passes);
}
