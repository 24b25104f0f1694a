import type { EmittedFile, EmittedPieces } from './emitted-file.ts';
import type { Package } from './packages.ts';

type Emitted = EmittedFile | EmittedPieces;

/** The files of a package as the settings arrange them in the output folder. */
export function arrangePackage(name: Package['name'], files: readonly Emitted[]): Emitted[] {
  return name === 'workspace' ? [...files, attributes] : [...files];
}

// Only what is ours: the folder may hold other packages as well.
const ours = [
  '.gitattributes',
  'switchyard.lock.json',
  'tsconfig.json',
  'model-router/**',
  'workflow-execution/**',
  'models/**',
];

/** A checkout keeps the line ends that the lockfile knows, and reviews fold these files. */
const attributes: EmittedFile = {
  path: '.gitattributes',
  contents: ours.map((pattern) => `/${pattern} text eol=lf linguist-generated\n`).join(''),
};
