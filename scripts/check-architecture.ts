import { packageRoot } from '../specs/src/index.ts';
import { boundaryProblems, staleBoundaries } from './architecture/boundaries.ts';
import { cycleProblems } from './architecture/cycles.ts';
import { sizeProblems } from './architecture/sizes.ts';
import { readSourceFiles } from './architecture/source-files.ts';

const files = readSourceFiles(packageRoot());
const problems = [
  ...[boundaryProblems, cycleProblems, sizeProblems].flatMap((find) => find(files)),
  ...staleBoundaries(packageRoot()),
];
for (const problem of problems) process.stdout.write(`${problem}\n`);
process.stdout.write(`architecture: ${files.length} files, ${problems.length} problems\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
