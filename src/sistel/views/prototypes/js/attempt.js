// In Scripts that read codes.

/** A code that cannot be read, or a point out of reach, changes nothing, and says why. */
function attempt(field, action) {
  try {
    action();
  } catch (problem) {
    if (!(problem instanceof Poses.CodeError)) throw problem;
    Browser.println(`${field}: ${problem.message}`);
  }
}
