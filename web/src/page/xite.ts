// X_ITE, as much of it as pages use.

export interface SFVec3f {
  x: number;
  y: number;
  z: number;
}

export interface SFRotation extends SFVec3f {
  angle: number;
}

export interface SFColor {
  r: number;
  g: number;
  b: number;
  copy(): SFColor;
}

/** A node of a scene: of its many fields, those that pages touch. */
export interface XNode {
  getNodeTypeName(): string;
  getNodeName(): string;
  children: XNode[];
  translation: SFVec3f;
  rotation: SFRotation;
  scale: SFVec3f;
  appearance: XNode;
  material: XNode;
  geometry: XNode;
  coord: XNode;
  point: SFVec3f[];
  emissiveColor: SFColor;
  transparency: number;
  skyColor: SFColor[];
  lineProperties: XNode;
  linewidthScaleFactor: number;
  vertexCount: number[];
  isBound: boolean;
  set_bind: boolean;
}

export interface XScene {
  readonly rootNodes: XNode[];
  getNamedNode(name: string): XNode;
  createNode(type: string): XNode;
}

/** A viewpoint that is bound, as much of it as pages use. */
export interface XView {
  /** Of the near plane; -1 where the scene does not say [m]. */
  nearDistance: number;
  getValue(): {
    getUserPosition(): SFVec3f;
    getUserCenterOfRotation(): SFVec3f;
    /** Sixteen numbers, column after column: where the camera stands in the scene. */
    getCameraSpaceMatrix(): ArrayLike<number>;
    /** What the camera makes of places in its axes, between two distances, in a picture of some size. */
    getProjectionMatrixWithLimits(near: number, far: number, viewport: ArrayLike<number>): ArrayLike<number>;
  };
}

export interface XBrowser {
  readonly currentScene: XScene;
  readonly activeViewpoint: XView | null;
  /** Of what walks through a scene: half the first size is the near plane. */
  readonly activeNavigationInfo: { readonly avatarSize: ArrayLike<number> } | null;
  viewAll(layer?: null, seconds?: number): void;
  createX3DFromString(text: string): Promise<XScene>;
  replaceWorld(scene: XScene): Promise<void>;
  nextViewpoint(): void;
  previousViewpoint(): void;
}

/** The namespace of the module. */
export interface X3D {
  getBrowser(canvas: Element): XBrowser;
  SFVec3f: new (...numbers: number[]) => SFVec3f;
  SFRotation: new (...numbers: number[]) => SFRotation;
  SFColor: new (...numbers: number[]) => SFColor;
  MFColor: new (...colours: SFColor[]) => SFColor[];
  MFVec3f: new (...points: SFVec3f[]) => SFVec3f[];
  MFInt32: new (...numbers: number[]) => number[];
  MFFloat: new (...numbers: number[]) => number[];
}
