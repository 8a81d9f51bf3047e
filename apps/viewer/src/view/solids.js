// Geometries of size one, and how shapes stretch them.
import {BoxGeometry, BufferGeometry, CylinderGeometry, EdgesGeometry, Float32BufferAttribute,
        SphereGeometry, Vector3} from 'three';

/** Edges sharper than this are drawn, in degrees. */
const CREASE = 35;
const made = new Map();

function meshGeometry(triangles) {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new Float32BufferAttribute(triangles, 3));
  geometry.computeVertexNormals();
  return geometry;
}

function solid({kind, triangles}) {
  if (kind === 'box') return new BoxGeometry(1, 1, 1);
  if (kind === 'cylinder') return new CylinderGeometry(1, 1, 1, 40).rotateX(Math.PI / 2);
  if (kind === 'mesh') return meshGeometry(triangles);
  return new SphereGeometry(1, 40, 24);
}

/** The edges of a solid; of a cylinder a radius at each end, too, which shows that it turns. */
function edgesOf({kind}, faces) {
  if (kind === 'sphere' || kind === 'ellipsoid') return null;
  const edges = new EdgesGeometry(faces, CREASE);
  if (kind !== 'cylinder') return edges;
  const ends = [-0.5, 0.5].flatMap((z) => [0, 0, z, 1, 0, z]);
  edges.setAttribute('position', new Float32BufferAttribute([...edges.getAttribute('position').array, ...ends], 3));
  return edges;
}

/** The geometry of a shape and its edges, made once. */
export function solidOf(shape) {
  const key = shape.kind === 'mesh' ? shape.triangles : shape.kind;
  if (!made.has(key)) {
    const faces = solid(shape);
    made.set(key, {faces, edges: edgesOf(shape, faces)});
  }
  return made.get(key);
}

export function scaleOf({kind, size}) {
  if (kind === 'mesh') return new Vector3(1, 1, 1);
  if (kind === 'cylinder') return new Vector3(size[0], size[0], size[1]);
  if (kind === 'sphere') return new Vector3(size[0], size[0], size[0]);
  return new Vector3(...size);
}

function farthest(triangles) {
  let most = 0;
  for (let i = 0; i < triangles.length; i += 3) {
    most = Math.max(most, Math.hypot(triangles[i], triangles[i + 1], triangles[i + 2]));
  }
  return most;
}

/** Greatest distance of a point of a shape from the origin of its body, or a little more. */
export function reach(shape) {
  const away = new Vector3(...shape.pose.p).length();
  if (shape.kind === 'mesh') return away + farthest(shape.triangles);
  const scale = scaleOf(shape);
  if (shape.kind === 'box') return away + scale.length() / 2;
  if (shape.kind === 'cylinder') return away + Math.hypot(scale.x, scale.z / 2);
  return away + Math.max(scale.x, scale.y, scale.z);
}
