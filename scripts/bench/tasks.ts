/** Three kinds of task on the corpus, for timings: one line, an issue, a stack trace. Result quality is not judged. */

export const LINE = "GLTFLoader: morph targets that use sparse accessors come out wrong";

/** About 2 KB. */
export const ISSUE = `WebGLRenderer: shadow maps are not updated after a light's shadow.mapSize changes

### Description

When \`light.shadow.mapSize\` is set after the first frame was rendered, the shadow keeps its old resolution. The render
target that \`WebGLShadowMap\` has made on the first frame is never disposed of, so the new size has no effect until the
page is loaded again. The documentation says that \`shadow.map\` has to be disposed of by hand and set to null, which
works for \`DirectionalLight\` and \`SpotLight\`, but not for a \`PointLight\`: there the six viewports in
\`PointLightShadow._viewports\` stay as they were, and the shadow shows at the wrong place.

With \`VSMShadowMap\` the second target, \`shadow.mapPass\`, keeps the old size too, so the blur pass reads outside of the
texture. I would expect that \`LightShadow.dispose()\` takes care of both, and that the renderer compares the size of the
target with \`shadow.mapSize\` (times the frame extents) before it draws.

### Reproduction steps

1. Create a scene with a point light, \`castShadow = true\`, and a box above a plane.
2. Render one frame.
3. Set the size and render again.

\`\`\`js
const light = new THREE.PointLight( 0xffffff, 100 );
light.castShadow = true;
light.shadow.mapSize.set( 256, 256 );
renderer.shadowMap.enabled = true;
renderer.shadowMap.type = THREE.VSMShadowMap;
renderer.render( scene, camera );

light.shadow.mapSize.set( 2048, 2048 );
light.shadow.needsUpdate = true;
renderer.render( scene, camera );
console.log( light.shadow.map.width ); // 1024, expected 8192
\`\`\`

### What I have tried

Setting \`light.shadow.map = null\` leaks the old render target: \`renderer.info.memory.textures\` grows by one each time.
\`shadowMap.autoUpdate = false\` followed by \`needsUpdate = true\` changes nothing. Cloning the light with
\`light.clone()\` copies the old shadow as well, through \`LightShadow.copy\`.

### Version

r170, also r168. Chrome 130 and Firefox 132 on Linux and Windows, no error in the console.
`;

export const TRACE = `Loading an animated model fails since the last update:

Uncaught (in promise) TypeError: Cannot read properties of undefined (reading 'getInterpolation')
    at AnimationAction._update (src/animation/AnimationAction.js:404:25)
    at AnimationMixer.update (src/animation/AnimationMixer.js:702:11)
    at PropertyMixer.apply (src/animation/PropertyMixer.js:148:9)
    at GLTFParser.loadAnimation (examples/jsm/loaders/GLTFLoader.js:4002:14)
    at async Promise.all (index 2)
    at async GLTFParser.parse (examples/jsm/loaders/GLTFLoader.js:2571:21)
    at animate (examples/webgl_animation_keyframes.html:95:10)
`;
