// In the Script of a body: nodes for the primitives of its code.

let painted = []; // materials, and the colours that the code says

/** So much of the colour of the field over those of the code. */
function repaint() {
  const [share, over] = [PART.paint(), PART.colour()];
  for (const [material, colour] of painted) {
    material.diffuseColor = new SFColor(...colour.map((part, k) => (1 - share) * part + share * over[k]));
  }
}

function show(code) {
  let made;
  try {
    made = Bodies.readBody(code);
  } catch (problem) {
    if (!(problem instanceof Poses.CodeError)) throw problem;
    Browser.println(`${FIELD.code}: ${problem.message}`);
    return;
  }
  const add = (type) => Browser.currentScene.createNode(type);
  painted = [];
  const nodes = made.map((each) => {
    const [place, size, shape, look, material] = ["Transform", "Transform", "Shape", "Appearance", "Material"].map(add);
    place.translation = new SFVec3f(...each.place);
    place.rotation = new SFRotation(...Poses.toAxis(each.quaternion));
    // Alone in a leaf: whatever stands below would be scaled too.
    size.scale = new SFVec3f(...each.sizes);
    painted.push([material, each.colour]);
    material.specularColor = new SFColor(0.28, 0.28, 0.3);
    material.shininess = 0.35;
    material.ambientIntensity = 0.3;
    material.transparency = each.transparency;
    look.material = material;
    shape.appearance = look;
    shape.geometry = PART.primitives()[TABLES.primitives.indexOf(each.kind)].geometry;
    size.children = new MFNode(shape);
    place.children = new MFNode(size);
    return place;
  });
  repaint();
  PART.body().children = new MFNode(...nodes);
}
