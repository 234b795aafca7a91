// X_ITE, as much of it as pages use.

export interface SFVec3f {
  x: number;
  y: number;
  z: number;
  copy(): SFVec3f;
}

export interface SFRotation {
  x: number;
  y: number;
  z: number;
  angle: number;
}

export interface SFColor {
  r: number;
  g: number;
  b: number;
  copy(): SFColor;
}

export interface SFColorRGBA extends SFColor {
  a: number;
}

/** A node of a scene: of its many fields, those that pages touch. */
export interface XNode {
  getNodeTypeName(): string;
  getNodeName(): string;
  children: XNode[];
  translation: SFVec3f;
  rotation: SFRotation;
  scale: SFVec3f;
  scaleOrientation: SFRotation;
  appearance: XNode;
  material: XNode;
  geometry: XNode;
  coord: XNode;
  color: XNode & SFColorRGBA[];
  point: SFVec3f[];
  diffuseColor: SFColor;
  emissiveColor: SFColor;
  transparency: number;
  skyColor: SFColor[];
  lineProperties: XNode;
  linewidthScaleFactor: number;
  vertexCount: number[];
  isBound: boolean;
  set_bind: boolean;
  position: SFVec3f;
  orientation: SFRotation;
  centerOfRotation: SFVec3f;
  /** An angle, or four lengths of a viewpoint with parallel lines. */
  fieldOfView: number | ArrayLike<number>;
  whichChoice: number;
  /** How viewers go from one viewpoint to the next. */
  transitionType: string[];
  castShadow: boolean;
  shadows: boolean;
}

/** A place as X_ITE itself has it. */
interface XVector extends SFVec3f {
  copy(): XVector;
  add(other: XVector): XVector;
  subtract(other: XVector): XVector;
  multiply(factor: number): XVector;
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
    getUserPosition(): XVector;
    setUserPosition(place: XVector): void;
    getUserOrientation(): SFRotation;
    getUserCenterOfRotation(): XVector;
    getFieldOfViewScale(): number;
    setFieldOfViewScale(scale: number): void;
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
  setBrowserOption(name: string, value: unknown): void;
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
  SFColorRGBA: new (...numbers: number[]) => SFColorRGBA;
  MFColorRGBA: new (...colours: SFColorRGBA[]) => XNode & SFColorRGBA[];
  MFColor: new (...colours: SFColor[]) => SFColor[];
  MFVec3f: new (...points: SFVec3f[]) => SFVec3f[];
  MFInt32: new (...numbers: number[]) => number[];
  MFString: new (...texts: string[]) => string[];
  MFFloat: new (...numbers: number[]) => number[];
}
