/** The matrix of faults is split in two, so that two cores share it. */
export const readingFamilies = ['catalog', 'model', 'schema-document', 'errors', 'authentication', 'workflow'];
export const runningFamilies = ['run', 'submit', 'status', 'collect', 'cancel'];
