import { packageRoot } from '../specs/src/index.ts';
import { circleProblems } from './architecture/circles.ts';
import { impureProblems } from './architecture/impure-words.ts';
import { layerProblems } from './architecture/layers.ts';
import { sizeProblems } from './architecture/sizes.ts';
import { readSourceFiles } from './architecture/source-files.ts';

const files = readSourceFiles(packageRoot());
const problems = [layerProblems, circleProblems, sizeProblems, impureProblems].flatMap((find) => find(files));
for (const problem of problems) process.stdout.write(`${problem}\n`);
process.stdout.write(`architecture: ${files.length} files, ${problems.length} problems\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
