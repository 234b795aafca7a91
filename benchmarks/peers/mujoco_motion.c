/* Whole motions in MuJoCo: steps in a C loop, timed by the processor's clock, and the times at which feet strike.
 *
 * A foot is a sphere whose centre is the point that touches: the ground lies one radius below zero, so the height of
 * the centre is the gap. After mj_step places still belong to the time before the step.
 */

#define _POSIX_C_SOURCE 199309L
#include <stdint.h>
#include <time.h>

#include <mujoco/mujoco.h>

static double processor_time(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

mjModel *motion_model(const char *path)
{
    char error[1000];
    return mj_loadXML(path, 0, error, sizeof error);
}

mjData *motion_data(mjModel *model) { return mj_makeData(model); }

void motion_delete(mjModel *model, mjData *data)
{
    mj_deleteData(data);
    mj_deleteModel(model);
}

const char *motion_version(void) { return mj_versionString(); }

static void begin(const mjModel *m, mjData *d, const double *q, const double *v)
{
    mj_resetData(m, d);
    for (int i = 0; i < m->nq; ++i) d->qpos[i] = q[i];
    for (int i = 0; i < m->nv; ++i) d->qvel[i] = v[i];
}

/* So many steps; the state at the end. Gives the processor's time [s]. */
double motion_steps(mjModel *m, mjData *d, const double *q, const double *v, int64_t steps, double *end)
{
    const double start = processor_time();
    begin(m, d, q, v);
    for (int64_t i = 0; i < steps; ++i) mj_step(m, d);
    const double spent = processor_time() - start;
    for (int i = 0; i < m->nq; ++i) end[i] = d->qpos[i];
    for (int i = 0; i < m->nv; ++i) end[m->nq + i] = d->qvel[i];
    return spent;
}

/* Steps until `count` strikes have been or the time is up. All feet but the one that stands are watched; with `ahead`
 * above zero a foot touches only that far ahead of the standing one: legs that cross pass through the ground. A single
 * foot bounces. Gives the processor's time [s]; fewer strikes than asked leave zeros. */
double motion_strikes(mjModel *m, mjData *d, const double *q, const double *v, const int64_t *feet, int64_t feet_count,
                      int64_t standing, double ahead, double until, int64_t count, double *times)
{
    const double start = processor_time();
    double above[16];
    int64_t found = 0;
    begin(m, d, q, v);
    mj_kinematics(m, d);
    for (int64_t i = 0; i < feet_count; ++i) above[i] = d->geom_xpos[3 * feet[i] + 2];
    for (int64_t i = 0; i < count; ++i) times[i] = 0.0;
    const double dt = m->opt.timestep;
    while (found < count && d->time < until) {
        if (ahead > 0.0)
            for (int64_t i = 0; i < feet_count; ++i) {
                const double by = d->geom_xpos[3 * feet[i]] - d->geom_xpos[3 * feet[standing]];
                m->geom_contype[feet[i]] = i == standing || by > ahead;
            }
        mj_step(m, d);
        const double now = d->time - dt; /* the time of the places */
        for (int64_t i = 0; i < feet_count; ++i) {
            const double gap = d->geom_xpos[3 * feet[i] + 2];
            const double by = d->geom_xpos[3 * feet[i]] - d->geom_xpos[3 * feet[standing]];
            const int strikes = above[i] > 0.0 && gap <= 0.0 && (i != standing || feet_count == 1) && !(by < ahead);
            if (strikes && found < count) {
                times[found++] = now - dt * gap / (gap - above[i]);
                standing = i;
            }
            above[i] = gap;
        }
    }
    return processor_time() - start;
}

void motion_step_size(mjModel *m, double dt, double constant, double ratio)
{
    m->opt.timestep = dt;
    for (int i = 0; i < m->ngeom; ++i) {
        m->geom_solref[mjNREF * i] = constant;
        m->geom_solref[mjNREF * i + 1] = ratio;
    }
}
