// Many copies of one solid, each fixed to a body, drawn with two calls: faces and edges.
import {InstancedBufferAttribute, InstancedMesh, LineSegments, Matrix4} from 'three';

/** Line segments in many places. The renderer draws whatever carries these members many times. */
class InstancedEdges extends LineSegments {
  constructor(geometry, material, count) {
    super(geometry, material);
    this.isInstancedMesh = true;
    this.count = count;
    this.instanceMatrix = new InstancedBufferAttribute(new Float32Array(16 * count), 16);
    this.instanceColor = null;
    this.morphTexture = null;
  }
}

export class Batch {
  #matrix = new Matrix4();

  /** @param places body and matrix of each copy
   *  @param outlined whether edges are drawn on the solid, too */
  constructor({faces, edges}, material, edgeMaterial, places, {outlined, solid}) {
    this.places = places;
    this.outlined = outlined;
    this.faces = new InstancedMesh(faces, material, places.length);
    this.faces.castShadow = this.faces.receiveShadow = solid && !material.transparent;
    this.edges = edges ? new InstancedEdges(edges, edgeMaterial, places.length) : null;
    this.objects = this.edges ? [this.faces, this.edges] : [this.faces];
    for (const object of this.objects) {
      object.frustumCulled = false;
      object.matrixAutoUpdate = false;
    }
    this.setWire(false);
  }

  /** Puts each copy where its body is, relative to an origin. */
  place(poses, origin) {
    const target = this.faces.instanceMatrix;
    this.places.forEach(({body, matrix}, i) => {
      this.#matrix.multiplyMatrices(poses[body], matrix);
      this.#matrix.elements[12] -= origin.x;
      this.#matrix.elements[13] -= origin.y;
      this.#matrix.elements[14] -= origin.z;
      this.#matrix.toArray(target.array, 16 * i);
    });
    target.needsUpdate = true;
    if (!this.edges?.visible) return;
    this.edges.instanceMatrix.array.set(target.array);
    this.edges.instanceMatrix.needsUpdate = true;
  }

  setWire(wire) {
    if (!this.edges) return;
    this.faces.visible = !wire;
    this.edges.visible = wire || this.outlined;
    this.edges.instanceMatrix.array.set(this.faces.instanceMatrix.array);
    this.edges.instanceMatrix.needsUpdate = true;
  }
}
