import { packageRoot } from '../../../specs/src/index.ts';
import { findBoundaryProblems, findFolderCycles } from './imports.ts';
import { readSourceFiles } from './source-files.ts';

// Checks the direction of imports between modules, and that no two folders import each other.
const files = readSourceFiles(packageRoot());
const problems = [...findBoundaryProblems(files), ...findFolderCycles(files)];
for (const problem of problems) process.stdout.write(`${problem}\n`);
process.stdout.write(`architecture: ${files.length} files, ${problems.length} problems\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
