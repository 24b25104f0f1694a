import { model as still } from '../../generated/models/image-provider/still-2.1.js';
import { model } from '../../generated/models/video-provider/two-extend.js';
import { createSandbox, modelFailure, modelFile } from '../../scripts/library.ts';

// `npm run check -- types` compiles this file, which is never run, to check that handlers get the input and output types of their models.

const sandbox = createSandbox();
sandbox.on(still, ({ prompt }) =>
  prompt.length > 3 ? modelFailure('provider_error') : modelFile(new Uint8Array(1), 'image/png'),
);
sandbox.on(model, () => ({ video_url: 'https://cdn.example/1.mp4' }), { latencyMs: 5 });
sandbox.on(model, { failureRate: 0.5 });
sandbox.on('maker/any', (input) => ({ anything: input['prompt'] ?? null }));
// @ts-expect-error the output has no such member
sandbox.on(model, () => ({ video: 'https://cdn.example/1.mp4' }));
// @ts-expect-error the output lacks a member
sandbox.on(model, () => ({}));
// @ts-expect-error the input has no such member
sandbox.on(still, ({ promt }) => modelFailure(promt));
// @ts-expect-error the member is a string
sandbox.on(model, () => ({ video_url: 7 }));
