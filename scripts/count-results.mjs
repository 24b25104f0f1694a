// Prints `N passed, N failed` for the tests and the check steps together; a missing file counts as a failure.
import { readFileSync } from 'node:fs';

const [testsFile, checksFile] = process.argv.slice(2);

function countIn(file, read) {
  try {
    return read(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    process.stderr.write(`no counts in ${file}: ${error.message}\n`);
    return { passed: 0, failed: 1 };
  }
}

const tests = countIn(testsFile, (json) => ({
  passed: json.numPassedTests,
  // If a test file fails to load, Vitest counts no failed test, but `success` is false.
  failed: json.numFailedTests + (json.numFailedTests === 0 && !json.success ? 1 : 0),
}));
const checks = countIn(checksFile, (json) => ({
  passed: json.steps.filter((step) => step.passed).length,
  failed: json.steps.filter((step) => !step.passed).length,
}));
const passed = tests.passed + checks.passed;
const failed = tests.failed + checks.failed;
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
