// Whether this browser can draw scenes in space.

/** Whether it has WebGL 2, as X_ITE asks for it. */
export function canDrawScenes(): boolean {
  const context = document.createElement("canvas").getContext("webgl2");
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  return Boolean(context);
}
