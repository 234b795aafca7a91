/* MuJoCo's steps under a PD law that is sampled and held, in a loop of C. */
#include <mujoco/mujoco.h>
#include <stdint.h>
#include <time.h>

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void *control_model(const char *path)
{
    char error[1000];
    return mj_loadXML(path, 0, error, sizeof error);
}

void *control_data(const void *model) { return mj_makeData(model); }

/* Steps of a fixed length, `parts` of them between two ticks; the time that they take [s], the state at the end. */
double control_run(mjModel *model, mjData *data, const double *q, const double *goal, double kp, double kd, double dt,
                   int64_t ticks, int64_t parts, double *end)
{
    int n = model->nv;
    model->opt.timestep = dt;
    model->opt.integrator = mjINT_RK4;
    mj_resetData(model, data);
    for (int i = 0; i < n; i++) data->qpos[i] = q[i];
    double start = seconds();
    for (int64_t tick = 0; tick < ticks; tick++) {
        for (int i = 0; i < n; i++) data->qfrc_applied[i] = kp * (goal[i] - data->qpos[i]) - kd * data->qvel[i];
        for (int64_t part = 0; part < parts; part++) mj_step(model, data);
    }
    double spent = seconds() - start;
    for (int i = 0; i < n; i++) {
        end[i] = data->qpos[i];
        end[n + i] = data->qvel[i];
    }
    return spent;
}
