/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Every model. Made by switchyard 0.1.0; edits are lost.
 */
export const modelIds = ["audio-provider/sound-effects", "audio-provider/speech_v2", "audio-provider/transcribe", "image-provider-two/still-pro", "image-provider/composite_layers", "image-provider/experimental", "image-provider/restyle", "image-provider/still-2.1", "image-video-provider/animate", "image-video-provider/draw-1", "mesh-provider/3d-rig", "raw-provider/open-input", "raw-provider/passthrough", "sandbox-two/outcomes", "sandbox/outcomes", "text-provider/4b-instruct", "text-provider/awkward-words", "text-provider/embed", "text-provider/outline", "video-provider-three/clip-3.1-generate-001", "video-provider-two/extend", "video-provider/frame", "video-provider/motion4-turbo", "video-provider/motion4_turbo", "video-provider/two-extend"];
