/** The matrix of faults is split in two, so that two cores share it. */
export const readingFamilies = ['catalog', 'model', 'schema-document', 'errors', 'authentication', 'workflow'];
export const runningFamilies = ['run', 'submit', 'status', 'collect', 'cancel'];
/** Rules over every exchange of a run: they have no faults of their own and are proven on those of the others. */
export const wholeRunFamilies = ['passive', 'trace'];
